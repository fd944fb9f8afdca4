import type { Tool, ToolCases } from "./tool.ts";

/** Formatters of many languages, as checks. Prettier, dprint. */
export const prettierTools: readonly Tool[] = [
  {
    id: "prettier --check",
    kind: "format",
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
    kind: "format",
    calls: ["dprint check"],
    operands: "files",
    flags: {
      config: "-c|--config=",
      noise: "--list-different",
    },
    silent: true,
    lines: {
      fail: [/^Found [1-9]\d* not formatted files?/],
      nothing: [/^No files found to format/],
    },
  },
];

export const prettierCases: ToolCases = {
  docs: {
    "prettier --check": "https://prettier.io/docs/cli",
    "dprint check": "https://dprint.dev/cli/",
  },
  checks: {
    "prettier --check .": "prettier --check",
    "npx prettier -c src/a.ts": "prettier --check src/a.ts",
    "dprint check": "dprint check",
  },
  ignored: ["prettier --write .", "prettier src/a.ts", "npm i prettier"],
  outputs: [
    {
      command: "prettier --check . | tail",
      text: "Checking formatting...\nAll matched files use Prettier code style!",
      verdict: "pass",
    },
    {
      command: "prettier --check . | tail",
      text: "Checking formatting...\n[warn] src/a.ts\n[warn] Code style issues found in the above file. Run Prettier with --write to fix.",
      verdict: "fail",
    },
    { command: "dprint check | tail", text: "Found 3 not formatted files.", verdict: "fail" },
  ],
};
