import type { Tool, ToolCases } from "./tool.ts";

/** PHP. PHPUnit, Pest, PHPStan, PHP_CodeSniffer, PHP-CS-Fixer. */
export const phpunitTools: readonly Tool[] = [
  {
    id: "phpunit",
    kind: "test",
    calls: ["phpunit", "pest", "paratest", "artisan test", "simple-phpunit"],
    operands: "files",
    flags: {
      filter: "--filter= --group= --exclude-group= --testsuite=",
      config: "-c|--configuration=",
      noise: "--testdox --colors --coverage --no-coverage --log-junit= --stop-on-failure --parallel",
      inert: "--list-tests",
    },
    lines: {
      fail: [
        /^(?:FAILURES|ERRORS)!/,
        /^\s*Tests: .*\b[1-9]\d* failed/,
        /^Tests: \d+, .*(?:Failures|Errors): [1-9]/,
        /^PHP (?:Fatal|Parse) error: /,
      ],
      pass: [/^OK \(\d+ tests?/, /^OK, but /, /^\s*Tests: +[1-9]\d* passed/],
      nothing: [/^No tests executed!/, /^Could not open input file: /],
    },
  },
  {
    id: "phpstan",
    kind: "lint",
    calls: ["phpstan analyse", "phpstan analyze", "phpstan", "psalm"],
    operands: "files",
    flags: {
      config: "-c|--configuration= -l|--level=",
      noise: "--no-progress --error-format= --memory-limit=",
      inert: "--generate-baseline",
    },
    lines: {
      fail: [/^\s*\[ERROR\] Found [1-9]/, /^[1-9]\d* errors? found/],
      pass: [/^\s*\[OK\] No errors/, /^\s*No errors found!/],
    },
  },
  {
    id: "php -l",
    kind: "lint",
    calls: ["php"],
    onlyWith: ["-l"],
    operands: "files",
    flags: {
      noise: "-l",
    },
    lines: {
      fail: [/^(?:PHP )?Parse error: /, /^Errors parsing /],
      pass: [/^No syntax errors detected/],
      nothing: [/^Could not open input file/],
    },
  },
  {
    id: "pint --test",
    kind: "format",
    calls: ["pint"],
    onlyWith: ["--test"],
    operands: "files",
    flags: { noise: "--test", config: "--config=" },
    lines: { fail: [/^\s*FAIL\s+\.+ /], pass: [/^\s*PASS\s+\.+ /] },
  },
  {
    id: "phpcs",
    kind: "lint",
    calls: ["phpcs"],
    operands: "files",
    flags: {
      config: "--standard=",
      noise: "-s -p",
    },
    silent: true,
    lines: {
      fail: [/^FOUND [1-9]\d* ERRORS?/],
      pass: [/^\s*PASS\b/],
    },
  },
  {
    id: "php-cs-fixer --dry-run",
    kind: "format",
    calls: ["php-cs-fixer fix", "php-cs-fixer check"],
    onlyWith: ["--dry-run", "--diff"],
    operands: "files",
    flags: {
      config: "--config=",
      noise: "--dry-run --diff",
    },
    lines: {
      fail: [/^Found [1-9]\d* of \d+ files that can be fixed/],
      pass: [/^Found 0 of \d+ files/],
    },
  },
];

export const phpunitCases: ToolCases = {
  docs: {
    phpunit: "https://docs.phpunit.de/en/12.0/textui.html",
    phpstan: "https://phpstan.org/user-guide/command-line-usage",
    "php -l": "https://www.php.net/manual/en/features.commandline.options.php",
    "pint --test": "https://laravel.com/docs/pint",
    phpcs: "https://github.com/PHPCSStandards/PHP_CodeSniffer/wiki/Usage",
    "php-cs-fixer --dry-run": "https://cs.symfony.com/doc/usage.html",
  },
  checks: {
    "./vendor/bin/phpunit --filter A tests": "phpunit tests --filter A",
    "php artisan test": "phpunit",
    "vendor/bin/phpstan analyse src": "phpstan src",
    "php -l a.php": "php -l a.php",
    "php-cs-fixer fix --dry-run src": "php-cs-fixer --dry-run src",
  },
  ignored: ["php a.php", "php-cs-fixer fix src", "phpunit --list-tests"],
  outputs: [
    { command: "vendor/bin/pint --test | tail", text: "  FAIL  .......... 9 files, 1 style issue", verdict: "fail" },
    { command: "vendor/bin/phpcs src | tail", text: "FOUND 2 ERRORS AFFECTING 1 LINE", verdict: "fail" },
    {
      command: "php-cs-fixer fix --dry-run | tail -1",
      text: "Found 1 of 12 files that can be fixed in 0.2 seconds",
      verdict: "fail",
    },
    {
      command: "php-cs-fixer fix --dry-run | tail -1",
      text: "Found 0 of 12 files that can be fixed in 0.2 seconds",
      verdict: "pass",
    },
    { command: "phpunit | tail", text: "OK (12 tests, 30 assertions)", verdict: "pass" },
    { command: "phpunit | tail", text: "FAILURES!\nTests: 12, Assertions: 30, Failures: 1.", verdict: "fail" },
    { command: "phpunit | tail", text: "No tests executed!", verdict: "unknown" },
    { command: "vendor/bin/phpstan analyse | tail", text: " [ERROR] Found 4 errors", verdict: "fail" },
    { command: "php -l a.php | cat", text: "No syntax errors detected in a.php", verdict: "pass" },
  ],
};
