import type { Tool, ToolCases } from "./tool.ts";

/** Linters of files that configure. hadolint, yamllint. */
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
  {
    id: "ansible-lint",
    kind: "lint",
    calls: ["ansible-lint"],
    operands: "files",
    flags: {
      config: "-c= --profile= --strict --offline",
      filter: "-t= -x= --exclude=",
      noise: "-f= -p",
      inert: "--fix -L",
    },
    lines: { fail: [/^Failed: [1-9]\d* failure\(s\)/], pass: [/^Passed: 0 failure\(s\)/] },
  },
];

export const hadolintCases: ToolCases = {
  docs: {
    hadolint: "https://github.com/hadolint/hadolint",
    yamllint: "https://yamllint.readthedocs.io/en/stable/",
    "ansible-lint": "https://docs.ansible.com/projects/lint/usage/",
  },
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
    { command: "ansible-lint | tail -1", text: "Passed: 0 failure(s), 0 warning(s) on 3 files.", verdict: "pass" },
    { command: "ansible-lint | tail -1", text: "Failed: 2 failure(s), 0 warning(s) on 3 files.", verdict: "fail" },
  ],
};
