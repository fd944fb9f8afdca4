import type { Tool, ToolCases } from "./tool.ts";

/**
 * Linters of files that configure. hadolint: https://github.com/hadolint/hadolint; yamllint:
 * https://yamllint.readthedocs.io/en/stable/
 */
export const hadolintTools: readonly Tool[] = [
  {
    id: "hadolint",
    kind: "lint",
    calls: ["hadolint"],
    operands: "files",
    flags: {
      config: "-c= --ignore= -t=",
      noise: "-f=",
    },
    silent: true,
    lines: {
      loose: [/^\S+:\d+ (?:DL|SC)\d+ /],
    },
  },
  {
    id: "yamllint",
    kind: "lint",
    calls: ["yamllint"],
    operands: "files",
    flags: {
      config: "-c= -d= -s|--strict",
      noise: "-f=",
    },
    silent: true,
    lines: {
      loose: [/^\s+\d+:\d+\s+error\s/, /^\S+:\d+:\d+: \[error\]/],
    },
  },
];

export const hadolintCases: ToolCases = {
  checks: { "hadolint Dockerfile": "hadolint Dockerfile", "yamllint -s .": "yamllint" },
  outputs: [
    {
      command: "hadolint Dockerfile | cat",
      text: "Dockerfile:3 DL3008 warning: Pin versions in apt get install",
      verdict: "fail",
    },
    {
      command: "yamllint . | cat",
      text: "./a.yml\n  3:1       error    wrong indentation  (indentation)",
      verdict: "fail",
    },
    { command: "yamllint .", text: "", status: 0, verdict: "pass" },
  ],
};
