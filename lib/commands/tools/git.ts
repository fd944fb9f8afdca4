import type { Tool, ToolCases } from "./tool.ts";

/** `git diff --check`. */
export const gitTools: readonly Tool[] = [
  {
    id: "git diff --check",
    kind: "lint",
    calls: ["git diff", "git diff-index", "git show"],
    onlyWith: ["--check"],
    operands: "filters",
    rest: "files",
    flags: {
      filter: "--cached|--staged",
      folder: "-C=",
      noise: "--check --no-pager -c= --no-ext-diff",
    },
    silent: true,
    lines: {
      fail: [
        /^\S.*:\d+: (?:trailing whitespace|new blank line at EOF|leftover conflict marker|space before tab in indent|indent with spaces|tab in indent)/,
      ],
      nothing: [/^fatal: /],
    },
  },
];

export const gitCases: ToolCases = {
  docs: {
    "git diff --check": "https://git-scm.com/docs/git-diff",
  },
  checks: { "git diff --check": "git diff --check", "git -C sub diff --cached --check": "git diff --check --cached" },
  ignored: [
    "git diff",
    "git diff --stat",
    "git check-ignore x",
    "git commit -m 'run git diff --check first'",
    "git show HEAD",
  ],
  different: [["git diff --check", "git diff --check main"]],
  outputs: [
    { command: "git diff --check", text: "", status: 0, verdict: "pass" },
    { command: "git diff --check | head", text: "src/a.c:7: trailing whitespace.", verdict: "fail" },
  ],
};
