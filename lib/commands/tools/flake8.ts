import type { Tool } from "./tool.ts";

/**
 * Older linters of Python. flake8: https://flake8.pycqa.org/en/latest/user/options.html; pylint:
 * https://pylint.readthedocs.io/en/stable/user_guide/usage/run.html; bandit: https://bandit.readthedocs.io
 */
export const flake8Tools: readonly Tool[] = [
  {
    id: "flake8",
    calls: ["flake8", "pyflakes", "pycodestyle", "pydocstyle"],
    operands: "files",
    flags: {
      filter: "--exclude=",
      config: "--select= --ignore= --extend-ignore= --max-line-length= --config=",
      noise: "--statistics --count --show-source --format= -j=",
    },
    silent: true,
    lines: {
      fail: [/^\S+:\d+(?::\d+)?: [A-Z]\d+ /, /^\S+\.py:\d+:\d+:? \S/],
      pass: [],
      nothing: [/\bNo module named flake8\b/],
    },
  },
  {
    id: "pylint",
    calls: ["pylint"],
    operands: "files",
    flags: {
      config: "--rcfile= --disable= --enable= --fail-under= -E|--errors-only",
      noise: "-j= -r= --reports= -s= --score= --output-format= -f=",
      inert: "--list-msgs",
    },
    lines: {
      fail: [],
      pass: [/^Your code has been rated at 10\.00\/10/],
      problem: [/^\S+:\d+:\d+: [EFWCR]\d{4}: /],
      nothing: [/^No files to lint/, /\bNo module named pylint\b/],
    },
  },
  {
    id: "bandit",
    calls: ["bandit"],
    operands: "files",
    flags: {
      filter: "-x=",
      config: "-c= -s= -t=",
      noise: "-r --recursive -f= -o=",
    },
    lines: {
      fail: [/^>> Issue: /],
      pass: [/^\s+No issues identified\./],
    },
  },
];
