import type { Tool, ToolCases } from "./tool.ts";

/** Type checkers of Python. mypy, pyright, ty. */
export const mypyTools: readonly Tool[] = [
  {
    id: "mypy",
    kind: "types",
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
    kind: "types",
    calls: ["pyright", "basedpyright"],
    eachCall: true,
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
    kind: "types",
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

export const mypyCases: ToolCases = {
  docs: {
    mypy: "https://mypy.readthedocs.io/en/stable/command_line.html",
    pyright: "https://microsoft.github.io/pyright/#/command-line",
    ty: "https://docs.astral.sh/ty/reference/cli/",
  },
  checks: { "mypy src": "mypy src", "python -m mypy": "mypy", "npx pyright": "pyright", "uvx ty check .": "ty" },
  ignored: ["mypy --version", "pyright --watch", "pip install mypy"],
  same: [["mypy src", "uv run mypy --pretty src/ 2>&1 | tail -5"]],
  different: [["mypy src", "mypy --strict src"]],
  outputs: [
    { command: "mypy src | tail -1", text: "Success: no issues found in 37 source files", verdict: "pass" },
    { command: "mypy src | tail -1", text: "Found 8 errors in 6 files (checked 37 source files)", verdict: "fail" },
    {
      command: "mypy src | head -1",
      text: 'src/a.py:7: error: Incompatible return value type (got "int", expected "str")',
      verdict: "fail",
    },
    { command: "pyright | tail -1", text: "0 errors, 2 warnings, 0 informations", verdict: "pass" },
    { command: "pyright | tail -1", text: "1 error, 0 warnings, 0 informations", verdict: "fail" },
    { command: "uvx ty check | tail -1", text: "Found 2 diagnostics", verdict: "fail" },
    { command: "python -m mypy src | tail", text: "/usr/bin/python: No module named mypy", verdict: "unknown" },
  ],
};
