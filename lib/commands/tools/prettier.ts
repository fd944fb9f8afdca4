import type { Tool } from "./tool.ts";

/** Prettier: https://prettier.io/docs/cli; oxfmt: https://oxc.rs/docs/guide/usage/formatter; dprint: https://dprint.dev/cli */
export const prettierTools: readonly Tool[] = [
  {
    id: "prettier --check",
    calls: ["prettier"],
    onlyWith: ["--check", "--list-different"],
    args: {
      operands: "files",
      flags: {
        "--check": "noise",
        "-c": "--check",
        "--list-different": "noise",
        "-l": "--list-different",
        "--config": "config=",
        "--ignore-path": "config=",
        "--log-level": "noise=",
        "--loglevel": "noise=",
        "--cache": "noise",
        "--ignore-unknown": "noise",
        "-u": "noise",
        "--no-error-on-unmatched-pattern": "noise",
        "--write": "inert",
        "-w": "inert",
      },
    },
    lines: {
      fail: [/^(?:\[warn\] )?Code style issues (?:found|were)/],
      loose: [/^\[error\] (?!No )/],
      pass: [/^All matched files use Prettier code style/],
      nothing: [/^\[error\] No (?:files matching|parser could be inferred)/, /^\[error\] No matching files/],
      problem: [/^\[warn\] \S/],
    },
  },
  {
    id: "oxfmt --check",
    calls: ["oxfmt"],
    onlyWith: ["--check", "--list-different"],
    args: {
      operands: "files",
      flags: { "--check": "noise", "--list-different": "noise", "-c": "config=", "--config": "-c" },
    },
    lines: { fail: [/^Format issues found in /], pass: [/^All matched files use the correct format/] },
  },
  {
    id: "dprint check",
    calls: ["dprint check"],
    args: { operands: "files", flags: { "-c": "config=", "--config": "-c", "--list-different": "noise" } },
    silent: true,
    lines: { fail: [/^Found [1-9]\d* not formatted files?/], pass: [], nothing: [/^No files found to format/] },
  },
];
