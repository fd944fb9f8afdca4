import type { Tool } from "./tool.ts";

/** ruff: https://docs.astral.sh/ruff/configuration/#command-line-interface */
export const ruffTools: readonly Tool[] = [
  {
    id: "ruff check",
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
      nothing: [/^warning: No Python files found/, /^E902 /, /^error: Failed to spawn: /, /\bNo module named ruff\b/],
    },
  },
  {
    id: "ruff format --check",
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
