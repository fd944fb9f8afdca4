import type { Tool } from "./tool.ts";

/**
 * Formatters of Python, as checks. black:
 * https://black.readthedocs.io/en/stable/usage_and_configuration/the_basics.html; isort:
 * https://pycqa.github.io/isort/docs/configuration/options.html
 */
export const blackTools: readonly Tool[] = [
  {
    id: "black --check",
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
      pass: [],
    },
  },
];
