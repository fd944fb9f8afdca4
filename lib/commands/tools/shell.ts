import type { Tool } from "./tool.ts";

/**
 * Checks of shell scripts. `-n`: https://www.gnu.org/software/bash/manual/bash.html#The-Set-Builtin; shellcheck:
 * https://github.com/koalaman/shellcheck; shfmt: https://github.com/mvdan/sh; Bats: https://bats-core.readthedocs.io
 */
export const shellTools: readonly Tool[] = [
  {
    id: "bash -n",
    calls: ["bash", "sh", "zsh", "dash", "ksh"],
    onlyWith: ["-n"],
    args: { operands: "files", flags: { "-n": "noise", "-x": "noise", "-u": "noise", "-e": "noise", "-o": "noise=" } },
    silent: true,
    lines: { fail: [/: syntax error\b/, /: unexpected (?:EOF|end of file)/], pass: [] },
  },
  {
    id: "shellcheck",
    calls: ["shellcheck"],
    args: {
      operands: "files",
      flags: {
        "-x": "noise",
        "-a": "noise",
        "-S": "config=",
        "--severity": "-S",
        "-e": "config=",
        "--exclude": "-e",
        "-s": "config=",
        "--shell": "-s",
        "-f": "noise=",
        "--format": "-f",
        "-P": "config=",
        "-o": "config=",
      },
    },
    silent: true,
    lines: {
      fail: [
        /^In \S+ line \d+:$/,
        /\bSC\d{4}\b.*\((?:error|warning|info|style)\)/,
        /^\S+:\d+:\d+: (?:error|warning|note): /,
      ],
      pass: [],
      nothing: [/: openBinaryFile: does not exist/],
    },
  },
  {
    id: "shfmt -d",
    calls: ["shfmt"],
    onlyWith: ["-d", "-l"],
    args: {
      operands: "files",
      flags: {
        "-d": "noise",
        "--diff": "-d",
        "-l": "noise",
        "--list": "-l",
        "-i": "config=",
        "-ci": "config",
        "-s": "config",
        "-ln": "config=",
        "-w": "inert",
      },
    },
    silent: true,
    lines: { fail: [], loose: [/^(?:diff|---|\+\+\+) \S/, /^\S+\.sh$/], pass: [] },
  },
  {
    id: "bats",
    calls: ["bats"],
    args: {
      operands: "files",
      flags: {
        "-f": "filter=",
        "--filter": "-f",
        "--filter-tags": "filter=",
        "-r": "noise",
        "--recursive": "noise",
        "-j": "noise=",
        "--jobs": "-j",
        "-t": "noise",
        "--tap": "noise",
        "-p": "noise",
        "-F": "noise=",
        "-c": "inert",
        "--count": "inert",
      },
    },
    lines: {
      fail: [/^not ok \d+(?!.*# (?:TODO|skip))/i, /^\d+ tests?, [1-9]\d* failures?/],
      pass: [/^\d+ tests?, 0 failures/],
      problem: [/^ ✗ /],
    },
  },
];
