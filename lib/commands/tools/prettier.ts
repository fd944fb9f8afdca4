import type { Tool } from "./tool.ts";

/**
 * Formatters of many languages, as checks. Prettier: https://prettier.io/docs/cli; dprint: https://dprint.dev/cli/
 */
export const prettierTools: readonly Tool[] = [
  {
    id: "prettier --check",
    calls: ["prettier"],
    onlyWith: ["--check", "--list-different"],
    operands: "files",
    flags: {
      config: "--config= --ignore-path=",
      noise: `--check|-c --list-different|-l --log-level= --loglevel= --cache --ignore-unknown -u
        --no-error-on-unmatched-pattern`,
      inert: "--write -w",
    },
    lines: {
      fail: [/^(?:\[warn\] )?Code style issues (?:found|were)/],
      loose: [/^\[error\] (?!No )/],
      pass: [/^All matched files use Prettier code style/],
      problem: [/^\[warn\] \S/],
      nothing: [/^\[error\] No (?:files matching|parser could be inferred)/, /^\[error\] No matching files/],
    },
  },
  {
    id: "dprint check",
    calls: ["dprint check"],
    operands: "files",
    flags: {
      config: "-c|--config=",
      noise: "--list-different",
    },
    silent: true,
    lines: {
      fail: [/^Found [1-9]\d* not formatted files?/],
      pass: [],
      nothing: [/^No files found to format/],
    },
  },
];
