import type { FlagTable } from "../flags.ts";
import { reportFlags, type Tool } from "./tool.ts";

const filters: FlagTable = {
  "--filter": "filter=",
  "--group": "filter=",
  "--exclude-group": "filter=",
  "--testsuite": "filter=",
  "-c": "config=",
  "--configuration": "-c",
  "--testdox": "noise",
  "--colors": "noise",
  "--coverage": "noise",
  "--no-coverage": "noise",
  "--log-junit": "noise=",
  "--stop-on-failure": "noise",
  "--parallel": "noise",
  "--list-tests": "inert",
};

/**
 * PHP, Ruby and Elixir. PHPUnit: https://docs.phpunit.de/en/stable/textui.html; Pest: https://pestphp.com/docs; PHPStan:
 * https://phpstan.org/user-guide/command-line-usage; RSpec: https://rspec.info/features/3-13/rspec-core/command-line/;
 * RuboCop: https://docs.rubocop.org; Rails: https://guides.rubyonrails.org/testing.html; mix: https://hexdocs.pm/mix
 */
export const dynamicTools: readonly Tool[] = [
  {
    id: "phpunit",
    calls: ["phpunit", "pest", "paratest", "artisan test", "simple-phpunit"],
    args: { operands: "files", flags: filters },
    lines: {
      fail: [
        /^(?:FAILURES|ERRORS)!/,
        /^\s*Tests: +.*\b[1-9]\d* failed/,
        /^Tests: \d+, .*(?:Failures|Errors): [1-9]/,
        /^PHP (?:Fatal|Parse) error: /,
      ],
      pass: [/^OK \(\d+ tests?/, /^OK, but /, /^\s*Tests: +[1-9]\d* passed/],
      nothing: [/^No tests executed!/, /^Could not open input file: /],
    },
  },
  {
    id: "phpstan",
    calls: ["phpstan analyse", "phpstan analyze", "phpstan", "psalm"],
    args: {
      operands: "files",
      flags: {
        "-c": "config=",
        "--configuration": "-c",
        "-l": "config=",
        "--level": "-l",
        "--no-progress": "noise",
        "--error-format": "noise=",
        "--memory-limit": "noise=",
        "--generate-baseline": "inert",
      },
    },
    lines: {
      fail: [/^\s*\[ERROR\] Found [1-9]/, /^[1-9]\d* errors? found/],
      pass: [/^\s*\[OK\] No errors/, /^\s*No errors found!/],
    },
  },
  {
    id: "php -l",
    calls: ["php"],
    onlyWith: ["-l"],
    args: { operands: "files", flags: { "-l": "noise" } },
    lines: {
      fail: [/^(?:PHP )?Parse error: /, /^Errors parsing /],
      pass: [/^No syntax errors detected/],
      nothing: [/^Could not open input file/],
    },
  },
  {
    id: "phpcs",
    calls: ["phpcs", "pint --test"],
    args: { operands: "files", flags: { "--standard": "config=", "-s": "noise", "-p": "noise" } },
    silent: true,
    lines: { fail: [/^FOUND [1-9]\d* ERRORS?/], pass: [/^\s*PASS\b/] },
  },
  {
    id: "php-cs-fixer --dry-run",
    calls: ["php-cs-fixer fix", "php-cs-fixer check"],
    onlyWith: ["--dry-run", "--diff"],
    args: { operands: "files", flags: { "--dry-run": "noise", "--diff": "noise", "--config": "config=" } },
    lines: { fail: [/^Found [1-9]\d* of \d+ files that can be fixed/], pass: [/^Found 0 of \d+ files/] },
  },
  {
    id: "rspec",
    calls: ["rspec"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-e": "filter=",
        "--example": "-e",
        "-t": "filter=",
        "--tag": "-t",
        "--fail-fast": "noise",
        "--only-failures": "filter",
        "--seed": "noise=",
        "-P": "filter=",
        "--order": "noise=",
        "--dry-run": "inert",
      },
    },
    lines: {
      fail: [/^\d+ examples?, [1-9]\d* failures?/, /\b[1-9]\d* errors? occurred outside of examples/],
      pass: [/^[1-9]\d* examples?, 0 failures/],
      nothing: [/^0 examples, 0 failures/],
    },
  },
  {
    id: "rails test",
    calls: ["rails test", "rails test:system", "rake test", "rake spec", "m"],
    args: {
      operands: "files",
      flags: {
        "-n": "filter=",
        "--name": "-n",
        "-e": "config=",
        "-f": "noise",
        "-s": "noise=",
        "--seed": "-s",
        "-b": "noise",
      },
    },
    lines: {
      fail: [/^\d+ (?:runs|tests), .*\b[1-9]\d* (?:failures|errors)/, /^rake aborted!/],
      pass: [/^[1-9]\d* (?:runs|tests), \d+ assertions, 0 failures, 0 errors/, /^[1-9]\d* examples?, 0 failures/],
      nothing: [/^0 (?:runs|tests), /, /^Don't know how to build task/],
    },
  },
  {
    id: "rubocop",
    calls: ["rubocop", "standardrb", "reek", "brakeman", "srb tc", "steep check", "erb_lint"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-c": "config=",
        "--config": "-c",
        "--only": "filter=",
        "--except": "filter=",
        "-P": "noise",
        "--parallel": "-P",
        "--force-exclusion": "noise",
        "-a": "config",
        "-A": "config",
        "--autocorrect": "config",
      },
    },
    lines: {
      fail: [/\b[1-9]\d* offenses? detected/, /^Errors: [1-9]/],
      pass: [/\bno offenses detected/, /^No errors! Great job/, /^No type error detected/],
      problem: [/^\S+\.rb:\d+:\d+: [EWCFR]: /],
    },
  },
  {
    id: "mix test",
    calls: ["mix test"],
    args: {
      operands: "files",
      flags: {
        "--only": "filter=",
        "--exclude": "filter=",
        "--include": "filter=",
        "--failed": "filter",
        "--stale": "filter",
        "--trace": "noise",
        "--cover": "noise",
        "--seed": "noise=",
        "--max-failures": "noise=",
      },
    },
    lines: {
      fail: [
        /^\d+ (?:doctests?, \d+ )?(?:properties, )?tests?, [1-9]\d* failures?/,
        /^== Compilation error/,
        /^\*\* \((?:Compile|Syntax|Token)\w*Error\)/,
      ],
      pass: [/^(?:\d+ \w+, )*[1-9]\d* tests?, 0 failures/],
      nothing: [/^There are no tests to run/],
    },
  },
  {
    id: "mix check",
    calls: ["mix credo", "mix compile", "mix dialyzer", "mix format"],
    args: {
      operands: "files",
      flags: {
        "--strict": "config",
        "--warnings-as-errors": "config",
        "--force": "noise",
        "--check-formatted": "noise",
      },
    },
    onlyWith: ["--strict", "--warnings-as-errors", "--check-formatted", "--force"],
    silent: true,
    lines: {
      loose: [/^\*\* \(/],
      fail: [/^== Compilation error/, /\bfound [1-9]\d* (?:warnings?|consistency|refactoring|code)/],
      pass: [/\bfound no issues/, /^Generated \S+ app/, /^done \(passed successfully\)/],
    },
  },
];
