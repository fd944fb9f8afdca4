import { reportFlags, type Tool } from "./tool.ts";

/**
 * ESLint: https://eslint.org/docs/latest/use/command-line-interface; xo and standard wrap it; Stylelint:
 * https://stylelint.io/user-guide/cli; oxlint: https://oxc.rs/docs/guide/usage/linter/cli
 */
export const eslintTools: readonly Tool[] = [
  {
    id: "eslint",
    calls: ["eslint", "eslint_d", "xo", "standard", "next lint", "vue-cli-service lint"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-c": "config=",
        "--config": "-c",
        "--ext": "config=",
        "--rule": "config=",
        "--max-warnings": "config=",
        "--quiet": "config",
        "--no-eslintrc": "config",
        "--ignore-pattern": "filter=",
        "--cache": "noise",
        "--cache-location": "noise=",
        "--no-error-on-unmatched-pattern": "noise",
        "--no-warn-ignored": "noise",
        "--dir": "file=",
        "--fix": "config",
        "--fix-dry-run": "config",
        "--print-config": "inert=",
        "--init": "inert",
        "--inspect-config": "inert",
      },
    },
    silent: true,
    lines: {
      fail: [
        /^✖ \d+ problems? \([1-9]\d* errors?/,
        /^ESLint found too many warnings/,
        /^Oops! Something went wrong/,
        /^ESLint couldn't find /,
      ],
      pass: [/^✖ \d+ problems? \(0 errors/, /No ESLint warnings or errors/],
      nothing: [/^No files matching the pattern/, /^All files matched by .* are ignored/],
      problem: [/^\s+\d+:\d+\s+error\s/],
    },
  },
  {
    id: "stylelint",
    calls: ["stylelint"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "--config": "config=",
        "--fix": "config",
        "--max-warnings": "config=",
        "--cache": "noise",
        "--allow-empty-input": "noise",
      },
    },
    silent: true,
    lines: { fail: [/^(?:✖ )?[1-9]\d* problems? \([1-9]\d* errors?/, /^\s+\d+:\d+\s+✖\s/], pass: [] },
  },
  {
    id: "oxlint",
    calls: ["oxlint"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-c": "config=",
        "--config": "-c",
        "-D": "config=",
        "-A": "config=",
        "-W": "config=",
        "--deny-warnings": "config",
        "--type-aware": "config",
        "--tsconfig": "config=",
        "--ignore-pattern": "filter=",
        "--threads": "noise=",
        "--max-warnings": "config=",
        "--fix": "config",
        "--rules": "inert",
        "--init": "inert",
        "--print-config": "inert",
      },
    },
    lines: {
      fail: [/^Found \d+ warnings? and [1-9]\d* errors?/],
      pass: [/^Found \d+ warnings? and 0 errors/],
      nothing: [/^No files found to lint/],
      problem: [/^\s*× /],
    },
  },
];
