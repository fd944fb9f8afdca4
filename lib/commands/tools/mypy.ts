import type { Tool } from "./tool.ts";

/**
 * Type checkers of Python. mypy: https://mypy.readthedocs.io/en/stable/command_line.html; pyright:
 * https://microsoft.github.io/pyright/#/command-line; ty: https://docs.astral.sh/ty/reference/cli/
 */
export const mypyTools: readonly Tool[] = [
  {
    id: "mypy",
    calls: ["mypy", "dmypy run", "dmypy check"],
    operands: "files",
    flags: {
      filter: "-p|--package= -m|--module= --exclude=",
      config: "--config-file= --python-version=",
      noise: `--pretty --no-error-summary --show-error-codes --show-column-numbers --show-error-context
        --no-incremental --no-color-output --cache-dir= --install-types --non-interactive`,
    },
    lines: {
      fail: [/^Found [1-9]\d* errors? in /, /^mypy: error: /],
      pass: [/^Success: no issues found/],
      problem: [/^\S+:\d+(?::\d+)?: error: /],
      nothing: [/^mypy: can't read file /, /\bNo module named mypy\b/],
    },
  },
  {
    id: "pyright",
    calls: ["pyright", "basedpyright"],
    not: ["--createstub"],
    operands: "files",
    flags: {
      config: "-p|--project= --pythonversion=",
      noise: "--stats --outputjson",
      inert: "--watch -w",
    },
    lines: {
      fail: [/^[1-9]\d* errors?, /],
      pass: [/^0 errors, /],
      problem: [/ - error: /],
      nothing: [/^No source files found/],
    },
  },
  {
    id: "ty",
    calls: ["ty check"],
    operands: "files",
    flags: {
      filter: "--exclude=",
      folder: "--project=",
      noise: "--output-format=",
      inert: "--watch -W",
    },
    lines: {
      fail: [/^Found [1-9]\d* diagnostics?/],
      pass: [/^All checks passed!/],
      problem: [/^error\[[\w-]+\]: /],
      nothing: [/^error: Failed to spawn: /],
    },
  },
];
