import type { Tool } from "./tool.ts";

/** tox and nox: https://tox.wiki/en/latest/cli_interface.html, https://nox.thea.codes/en/stable/usage.html */
export const toxTools: readonly Tool[] = [
  {
    id: "tox",
    calls: ["tox run", "tox", "nox"],
    not: ["list", "config", "devenv"],
    operands: "filters",
    rest: "filters",
    flags: {
      filter: "-k=",
      config: "-c=",
      project: "-e= -s|--session=",
      noise: "-r -p",
      inert: "-l --list --notest",
    },
    lines: {
      fail: [/^\s+\S+: FAIL\b/, /^\s*evaluation failed :\(/, /^nox > Session .* failed/],
      pass: [/^\s*congratulations :\)/, /^nox > Session .* was successful/],
      problem: [/^ERROR: InvocationError/],
    },
  },
];
