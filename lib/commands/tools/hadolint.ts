import type { Tool } from "./tool.ts";

/**
 * Linters of files that configure. hadolint: https://github.com/hadolint/hadolint; yamllint:
 * https://yamllint.readthedocs.io/en/stable/
 */
export const hadolintTools: readonly Tool[] = [
  {
    id: "hadolint",
    calls: ["hadolint"],
    operands: "files",
    flags: {
      config: "-c= --ignore= -t=",
      noise: "-f=",
    },
    silent: true,
    lines: {
      fail: [/^\S+:\d+ (?:DL|SC)\d+ /],
      pass: [],
    },
  },
  {
    id: "yamllint",
    calls: ["yamllint"],
    operands: "files",
    flags: {
      config: "-c= -d= -s|--strict",
      noise: "-f=",
    },
    silent: true,
    lines: {
      fail: [/^\s+\d+:\d+\s+error\s/, /^\S+:\d+:\d+: \[error\]/],
      pass: [],
    },
  },
];
