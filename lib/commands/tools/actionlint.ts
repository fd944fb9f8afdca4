import type { Tool, ToolCases } from "./tool.ts";

/** Linters of GitHub workflows. actionlint, zizmor. */
export const actionlintTools: readonly Tool[] = [
  {
    id: "actionlint",
    kind: "lint",
    calls: ["actionlint"],
    operands: "files",
    flags: {
      config: "-shellcheck= -pyflakes= -ignore=",
      noise: "-color -no-color -format= -oneline",
    },
    silent: true,
    lines: {
      loose: [/^\S+:\d+:\d+: .*\[[\w-]+\]$/],
    },
  },
  {
    id: "zizmor",
    kind: "lint",
    calls: ["zizmor"],
    operands: "files",
    flags: {
      config: "--offline --persona=",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f=",
    },
    lines: {
      fail: [/^\d+ findings? \((?!.*\b0 (?:low|medium|high))/, /^error\[[\w-]+\]: /],
      pass: [/^No findings to report/],
    },
  },
];

export const actionlintCases: ToolCases = {
  docs: {
    actionlint: "https://github.com/rhysd/actionlint/blob/main/docs/usage.md",
    zizmor: "https://docs.zizmor.sh/usage/",
  },
  checks: {
    actionlint: "actionlint",
    "actionlint .github/workflows/ci.yml": "actionlint .github/workflows/ci.yml",
    "zizmor .github/workflows": "zizmor .github/workflows",
  },
  ignored: ["actionlint --version", "cat .github/actionlint.yaml"],
  different: [["actionlint a.yml", "actionlint b.yml"]],
  outputs: [
    { command: "actionlint", text: "", status: 0, verdict: "pass" },
    {
      command: "actionlint | head -20",
      text: '.github/workflows/ci.yml:12:9: unexpected key "step" for "job" section [syntax-check]',
      verdict: "fail",
    },
    { command: "zizmor . | tail", text: "No findings to report. Good job!", verdict: "pass" },
  ],
};
