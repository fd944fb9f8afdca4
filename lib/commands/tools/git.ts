import type { Tool } from "./tool.ts";

/** `git diff --check`: https://git-scm.com/docs/git-diff */
export const gitTools: readonly Tool[] = [
  {
    id: "git diff --check",
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
      pass: [],
      nothing: [/^fatal: /],
    },
  },
];
