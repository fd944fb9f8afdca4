import type { Tool, ToolCases } from "./tool.ts";

/** ruff. */
export const ruffTools: readonly Tool[] = [
  {
    id: "ruff check",
    kind: "lint",
    calls: ["ruff check"],
    operands: "files",
    flags: {
      filter: "--exclude=",
      config: `--select= --extend-select= --ignore= --config= --target-version= --line-length= --fix
        --unsafe-fixes`,
      noise: "--output-format= --no-cache --diff --show-fixes --statistics -n -o=",
      inert: "--fix-only --watch -w --show-files --show-settings --add-noqa",
    },
    lines: {
      fail: [
        /^Found [1-9]\d* errors?(?:\.| \(\d+ fixed, [1-9]\d* remaining\)\.?)$/,
        /^\[\*\] [1-9]\d* fixable/,
        /^error: Failed to parse /,
      ],
      pass: [/^All checks passed!/, /^Found \d+ errors? \(\d+ fixed, 0 remaining\)/],
      problem: [/^\S+\.pyi?:\d+:\d+: [A-Z]+\d+ /, /^[A-Z]+\d{3} (?:\[\*\] )?\S/],
      nothing: [
        /^warning: No Python files found/,
        /^E902 /,
        /^error: Failed to lint .*: No such file/,
        /^error: Failed to spawn: /,
        /\bNo module named ruff\b/,
      ],
    },
  },
  {
    id: "ruff format --check",
    kind: "format",
    calls: ["ruff format"],
    onlyWith: ["--check", "--diff"],
    operands: "files",
    flags: {
      filter: "--exclude=",
      config: "--config= --line-length= --target-version=",
      noise: "--check --diff --no-cache",
    },
    lines: {
      fail: [/^Would reformat: /, /^[1-9]\d* files? would be reformatted/],
      pass: [/^\d+ files? already formatted/],
      nothing: [/^warning: No Python files found/, /^error: Failed to spawn: /],
    },
  },
];

export const ruffCases: ToolCases = {
  docs: {
    "ruff check": "https://docs.astral.sh/ruff/configuration/#command-line-interface",
    "ruff format --check": "https://docs.astral.sh/ruff/formatter/",
  },
  checks: {
    "ruff check .": "ruff check",
    "uvx ruff check src tests": "ruff check src tests",
    "ruff format --check": "ruff format --check",
  },
  ignored: ["ruff format", "ruff --version", "ruff rule E501", "ruff check --watch"],
  same: [["ruff check", "uv run ruff check . --output-format=concise"]],
  different: [
    ["ruff check src", "ruff check --fix src"],
    ["ruff check", "ruff format --check"],
  ],
  outputs: [
    { command: "ruff check | tail -1", text: "All checks passed!", verdict: "pass" },
    {
      command: "ruff check | tail -2",
      text: "Found 3 errors.\n[*] 1 fixable with the `--fix` option.",
      verdict: "fail",
    },
    { command: "ruff check --fix | tail -1", text: "Found 3 errors (3 fixed, 0 remaining).", verdict: "pass" },
    {
      command: "ruff format --check | tail -1",
      text: "1 file would be reformatted, 9 files already formatted",
      verdict: "fail",
    },
    { command: "ruff format --check | tail -1", text: "86 files already formatted", verdict: "pass" },
  ],
};
