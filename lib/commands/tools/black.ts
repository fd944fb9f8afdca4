import type { Tool, ToolCases } from "./tool.ts";

/** Formatters of Python, as checks. black, isort. */
export const blackTools: readonly Tool[] = [
  {
    id: "black --check",
    kind: "format",
    calls: ["black"],
    onlyWith: ["--check", "--diff"],
    operands: "files",
    flags: {
      filter: "--exclude= --include=",
      config: "--config= -l|--line-length= -t= -S",
      noise: "--check --diff",
    },
    lines: {
      fail: [/^would reformat /, /^error: cannot format /, /^Oh no! /],
      pass: [/^All done! /, /^\d+ files? would be left unchanged/],
      nothing: [/^No Python files are present/],
    },
  },
  {
    id: "isort --check",
    kind: "format",
    calls: ["isort"],
    onlyWith: ["--check", "-c", "--check-only", "--diff"],
    operands: "files",
    flags: {
      config: "--profile= --sp=",
      noise: "--check|-c|--check-only --diff",
    },
    silent: true,
    lines: {
      fail: [/^ERROR: .* Imports are incorrectly sorted/],
    },
  },
];

export const blackCases: ToolCases = {
  docs: {
    "black --check": "https://black.readthedocs.io/en/stable/usage_and_configuration/the_basics.html",
    "isort --check": "https://pycqa.github.io/isort/docs/configuration/options.html",
  },
  checks: { "black --check src": "black --check src", "isort --check-only --diff .": "isort --check" },
  ignored: ["black src", "isort .", "black --version"],
  same: [["black --check .", "python -m black . --check -q"]],
  different: [["black --check .", "black --check -l 120 ."]],
  outputs: [
    {
      command: "black --check . | cat",
      text: "would reformat src/a.py\nOh no! 💥 💔 💥\n1 file would be reformatted.",
      verdict: "fail",
    },
    { command: "black --check . | cat", text: "All done! ✨ 🍰 ✨\n3 files would be left unchanged.", verdict: "pass" },
    {
      command: "isort --check . | cat",
      text: "ERROR: /repo/a.py Imports are incorrectly sorted and/or formatted.",
      verdict: "fail",
    },
  ],
};
