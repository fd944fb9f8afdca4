import type { Tool, ToolCases } from "./tool.ts";

/** oxlint and oxfmt. */
export const oxlintTools: readonly Tool[] = [
  {
    id: "oxlint",
    kind: "lint",
    calls: ["oxlint"],
    operands: "files",
    flags: {
      filter: "--ignore-pattern=",
      config: "-c|--config= -D= -A= -W= --deny-warnings --type-aware --tsconfig= --max-warnings= --fix",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --threads=",
      inert: "--rules --init --print-config",
    },
    lines: {
      fail: [/^Found \d+ warnings? and [1-9]\d* errors?/],
      pass: [/^Found \d+ warnings? and 0 errors/],
      problem: [/^\s*× /],
      nothing: [/^No files found to lint/],
    },
  },
  {
    id: "oxfmt --check",
    kind: "format",
    calls: ["oxfmt"],
    onlyWith: ["--check", "--list-different"],
    operands: "files",
    flags: {
      config: "-c|--config=",
      noise: "--check --list-different",
    },
    lines: {
      fail: [/^Format issues found in /],
      pass: [/^All matched files use the correct format/],
    },
  },
];

export const oxlintCases: ToolCases = {
  docs: {
    oxlint: "https://oxc.rs/docs/guide/usage/linter/cli.html",
    "oxfmt --check": "https://oxc.rs/docs/guide/usage/formatter.html",
  },
  checks: { "npx oxlint --deny-warnings": "oxlint", "oxfmt --check src": "oxfmt --check src" },
  ignored: ["oxfmt src", "oxlint --rules"],
  outputs: [
    { command: "oxlint | tail", text: "Found 0 warnings and 0 errors.\nFinished in 20ms on 9 files.", verdict: "pass" },
    { command: "oxlint | tail", text: "Found 1 warning and 2 errors.", verdict: "fail" },
    { command: "oxfmt --check | tail", text: "All matched files use the correct format.", verdict: "pass" },
  ],
};
