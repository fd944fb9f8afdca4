import type { Tool, ToolCases } from "./tool.ts";

/** tox and nox. */
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

export const toxCases: ToolCases = {
  docs: {
    tox: "https://tox.wiki/en/latest/cli_interface.html",
  },
  checks: { "tox -e py312": "tox py312", "nox -s tests": "tox tests" },
  ignored: ["tox list", "nox --list"],
  different: [["tox -e lint", "tox -e docs"]],
  outputs: [
    { command: "tox | tail", text: "  py312: OK (3.10 seconds)\n  congratulations :) (3.20 seconds)", verdict: "pass" },
    {
      command: "tox | tail",
      text: "  py312: FAIL code 1 (3.10 seconds)\n  evaluation failed :( (3.20 seconds)",
      verdict: "fail",
    },
  ],
};
