import type { Tool } from "./tool.ts";

/** `git diff --check`: https://git-scm.com/docs/git-diff#Documentation/git-diff.txt---check */
export const gitTools: readonly Tool[] = [
  {
    id: "git diff --check",
    calls: ["git diff", "git diff-index", "git show"],
    onlyWith: ["--check"],
    args: {
      operands: "filters",
      rest: "files",
      flags: {
        "-C": "folder=",
        "--check": "noise",
        "--cached": "filter",
        "--staged": "--cached",
        "--no-pager": "noise",
        "-c": "noise=",
        "--no-ext-diff": "noise",
      },
    },
    silent: true,
    lines: {
      fail: [
        /^\S.*:\d+: (?:trailing whitespace|new blank line at EOF|leftover conflict marker|space before tab in indent|indent with spaces|tab in indent)/,
      ],
      pass: [],
      nothing: [/^fatal: /],
    },
  },
];
