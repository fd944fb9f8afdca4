import type { Tool, ToolCases } from "./tool.ts";

/** Checks of shell scripts. `-n`, ShellCheck, shfmt, Bats. */
export const shellTools: readonly Tool[] = [
  {
    id: "bash -n",
    kind: "lint",
    calls: ["bash", "sh", "zsh", "dash", "ksh"],
    onlyWith: ["-n"],
    operands: "files",
    flags: {
      noise: "-n -x -u -e -o=",
    },
    silent: true,
    lines: {
      fail: [/: syntax error\b/, /: unexpected (?:EOF|end of file)/],
    },
  },
  {
    id: "shellcheck",
    kind: "lint",
    calls: ["shellcheck"],
    operands: "files",
    flags: {
      config: "-S|--severity= -e|--exclude= -s|--shell= -P= -o=",
      noise: "-x -a -f|--format=",
    },
    silent: true,
    lines: {
      fail: [/^In \S+ line \d+:$/, /\bSC\d{4} \((?:error|warning|info|style)\)/],
      loose: [/^\S+:\d+:\d+: (?:error|warning|note): /],
      nothing: [/: openBinaryFile: does not exist/],
    },
  },
  {
    id: "shfmt -d",
    kind: "format",
    calls: ["shfmt"],
    onlyWith: ["-d", "-l"],
    operands: "files",
    flags: {
      config: "-i= -ci -s -ln=",
      noise: "-d|--diff -l|--list",
      inert: "-w",
    },
    silent: true,
    lines: {
      loose: [/^(?:diff|---|\+\+\+) \S/, /^\S+\.sh$/],
    },
  },
  {
    id: "bats",
    kind: "test",
    calls: ["bats"],
    operands: "files",
    flags: {
      filter: "-f|--filter= --filter-tags=",
      noise: "-r --recursive -j|--jobs= -t --tap -p -F=",
      inert: "-c --count",
    },
    lines: {
      fail: [/^not ok \d+(?!.*# (?:TODO|skip|SKIP))/, /^\d+ tests?, [1-9]\d* failures?/],
      pass: [/^\d+ tests?, 0 failures/],
      problem: [/^ ✗ /],
    },
  },
];

export const shellCases: ToolCases = {
  docs: {
    "bash -n": "https://www.gnu.org/software/bash/manual/bash.html#The-Set-Builtin",
    shellcheck: "https://www.shellcheck.net/wiki/",
    "shfmt -d": "https://github.com/mvdan/sh",
    bats: "https://bats-core.readthedocs.io/en/stable/usage.html",
  },
  checks: {
    "bash -n scripts/a.sh": "bash -n scripts/a.sh",
    "shellcheck *.sh": "shellcheck *.sh",
    "shfmt -d .": "shfmt -d",
    "bats test": "bats test",
  },
  ignored: ["bash scripts/deploy.sh", "bash -c 'echo hi'", "shfmt -w .", "sh -x run.sh"],
  outputs: [
    { command: "shfmt -d a.sh", text: "", status: 0, verdict: "pass" },
    { command: "bash -n a.sh", text: "", status: 0, verdict: "pass" },
    { command: "bash -n a.sh | cat", text: "a.sh: line 3: syntax error near unexpected token `fi'", verdict: "fail" },
    {
      command: "shellcheck a.sh | head",
      text: "In a.sh line 3:\necho $x\n     ^-- SC2086 (info): Double quote to prevent globbing",
      verdict: "fail",
    },
    { command: "bats test | tail -1", text: "3 tests, 1 failure", verdict: "fail" },
    { command: "bats test | tail -1", text: "3 tests, 0 failures", verdict: "pass" },
  ],
};
