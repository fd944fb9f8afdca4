import type { Tool } from "./tool.ts";

/**
 * Linters of GitHub workflows. actionlint: https://github.com/rhysd/actionlint/blob/main/docs/usage.md; zizmor:
 * https://docs.zizmor.sh/usage/
 */
export const actionlintTools: readonly Tool[] = [
  {
    id: "actionlint",
    calls: ["actionlint"],
    operands: "files",
    flags: {
      config: "-shellcheck= -pyflakes= -ignore=",
      noise: "-color -no-color -format= -oneline",
    },
    silent: true,
    lines: {
      fail: [],
      loose: [/^\S+:\d+:\d+: .*\[[\w-]+\]$/],
      pass: [],
    },
  },
  {
    id: "zizmor",
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
