import type { Tool, ToolCases } from "./tool.ts";

/** ESLint, xo, standard and `next lint` wrap it. */
export const eslintTools: readonly Tool[] = [
  {
    id: "eslint",
    kind: "lint",
    calls: ["eslint", "eslint_d", "xo", "standard", "next lint", "vue-cli-service lint"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--ignore-pattern=",
      config: "-c|--config= --ext= --rule= --max-warnings= --quiet --no-eslintrc --fix --fix-dry-run",
      file: "--dir=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --cache
        --cache-location= --no-error-on-unmatched-pattern --no-warn-ignored`,
      inert: "--print-config= --init --inspect-config",
    },
    silent: true,
    lines: {
      fail: [
        /^✖ \d+ problems? \([1-9]\d* errors?/,
        /^ESLint found too many warnings/,
        /^Oops! Something went wrong/,
        /^ESLint couldn't find /,
        /^\s+[1-9]\d* errors? and \d+ warnings? potentially fixable/,
      ],
      pass: [/^✖ \d+ problems? \(0 errors/, /No ESLint warnings or errors/],
      problem: [/^\s+\d+:\d+\s+error\s/, /: line \d+, col \d+, Error - /, /^\S+:\d+:\d+: .* \[Error\/\S+\]$/],
      nothing: [/^No files matching the pattern/, /^All files matched by .* are ignored/],
    },
  },
];

export const eslintCases: ToolCases = {
  docs: {
    eslint: "https://eslint.org/docs/latest/use/command-line-interface",
  },
  checks: {
    "npx eslint src --ext .ts": "eslint src",
    "./node_modules/.bin/eslint .": "eslint",
    "yarn eslint --max-warnings 0 src": "eslint src",
    "node node_modules/eslint/bin/eslint.js src": "eslint src",
  },
  ignored: ["eslint --init", "eslint --print-config a.js", "npm i -D eslint", "cat .eslintrc.json", "eslint --version"],
  same: [["eslint src", "npx eslint -f unix --cache src/"]],
  different: [
    ["eslint src", "eslint --fix src"],
    ["eslint src", "eslint src --max-warnings 0"],
  ],
  outputs: [
    { command: "eslint src | tail -3", text: "✖ 3 problems (1 error, 2 warnings)", verdict: "fail" },
    { command: "eslint src | tail -3", text: "✖ 2 problems (0 errors, 2 warnings)", verdict: "pass" },
    { command: "eslint src", text: "", status: 0, verdict: "pass" },
    { command: "eslint src | head -3", text: "/repo/src/a.ts\n  3:1  error  Missing semicolon  semi", verdict: "fail" },
    { command: "eslint src | tail -1", text: "", verdict: "unknown" },
    {
      command: "eslint src | tail -2",
      text: "  1 error and 0 warnings potentially fixable with the `--fix` option.",
      verdict: "fail",
    },
    {
      command: "eslint -f unix src | head -1",
      text: "/repo/a.ts:1:1: 'a' is not defined. [Error/no-undef]",
      verdict: "fail",
    },
    { command: "eslint src | grep a.ts", text: "", verdict: "unknown" },
  ],
};
