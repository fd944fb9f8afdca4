import type { Tool, ToolCases } from "./tool.ts";

/** Older linters of Python. flake8, pylint, bandit. */
export const flake8Tools: readonly Tool[] = [
  {
    id: "flake8",
    kind: "lint",
    calls: ["flake8", "pyflakes", "pycodestyle", "pydocstyle"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--exclude=",
      config: "--select= --ignore= --extend-ignore= --max-line-length= --config=",
      noise: "--statistics --count --show-source --format= -j=",
    },
    silent: true,
    lines: {
      loose: [/^\S+:\d+(?::\d+)?: [A-Z]\d+ /, /^\S+\.py:\d+:\d+:? \S/],
      nothing: [/\bNo module named flake8\b/],
    },
  },
  {
    id: "pylint",
    kind: "lint",
    calls: ["pylint"],
    operands: "files",
    flags: {
      config: "--rcfile= --disable= --enable= --fail-under= -E|--errors-only",
      noise: "-j= -r= --reports= -s= --score= --output-format= -f=",
      inert: "--list-msgs",
    },
    lines: {
      pass: [/^Your code has been rated at 10\.00\/10/],
      problem: [/^\S+:\d+:\d+: [EFWCR]\d{4}: /],
      nothing: [/^No files to lint/, /\bNo module named pylint\b/],
    },
  },
  {
    id: "bandit",
    kind: "lint",
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

export const flake8Cases: ToolCases = {
  docs: {
    flake8: "https://flake8.pycqa.org/en/latest/user/options.html",
    pylint: "https://pylint.readthedocs.io/en/stable/user_guide/usage/run.html",
    bandit: "https://bandit.readthedocs.io",
  },
  checks: { "flake8 src": "flake8 src", "python -m pylint -E app": "pylint app", "bandit -r src": "bandit src" },
  ignored: ["pylint --list-msgs", "flake8 --version"],
  different: [["flake8 src", "pycodestyle src"]],
  outputs: [
    { command: "flake8 src | head", text: "src/a.py:3:80: E501 line too long (91 > 79 characters)", verdict: "fail" },
    { command: "flake8 src", text: "", status: 0, verdict: "pass" },
    {
      command: "pylint app | tail",
      text: "app/a.py:1:0: C0114: Missing module docstring (missing-module-docstring)",
      verdict: "fail",
    },
    {
      command: "pylint app | tail",
      text: "Your code has been rated at 10.00/10 (previous run: 9.50/10, +0.50)",
      verdict: "pass",
    },
    { command: "bandit -r src | cat", text: ">> Issue: [B101:assert_used] Use of assert detected.", verdict: "fail" },
  ],
};
