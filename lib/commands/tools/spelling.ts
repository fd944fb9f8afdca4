import type { Tool, ToolCases } from "./tool.ts";

/** Checks of words, links and commit messages. */

export const spellingTools: readonly Tool[] = [
  {
    id: "codespell",
    kind: "lint",
    calls: ["codespell", "typos", "cspell", "cspell lint"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "-S|--skip= --exclude=",
      config: "-L|--ignore-words-list= -I|--ignore-words= -c|--config=",
      noise: "--no-progress --no-summary --format=",
      inert: "-w|--write-changes",
    },
    silent: true,
    lines: {
      loose: [/^\S+:\d+: \S+ ==> \S/, /^error: `[^`]+` should be /],
      fail: [/^CSpell: Files checked: \d+, Issues found: [1-9]/],
      pass: [/^CSpell: Files checked: [1-9]\d*, Issues found: 0 /],
    },
  },
  {
    id: "lychee",
    kind: "lint",
    calls: ["lychee", "markdown-link-check"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--exclude= --include=",
      config: "--offline --accept= -c=",
      noise: "--no-progress --format= -o=",
      inert: "--dump",
    },
    lines: { fail: [/\b[1-9]\d* Errors?\b/, /^ERROR: [1-9]\d* dead links? found!/], pass: [/\b0 Errors\b/] },
  },
  {
    id: "commitlint",
    kind: "lint",
    calls: ["commitlint", "@commitlint/cli"],
    operands: "files",
    flags: { filter: "-f|--from= -t|--to= -e|--edit -l|--last", config: "-g|--config=" },
    silent: true,
    lines: { fail: [/^✖ {3}found [1-9]\d* problems?/], pass: [/^✔ {3}found 0 problems/] },
  },
];

export const spellingCases: ToolCases = {
  docs: {
    codespell: "https://github.com/codespell-project/codespell",
    lychee: "https://lychee.cli.rs/guides/cli/",
    commitlint: "https://commitlint.js.org/reference/cli.html",
  },
  checks: {
    "codespell docs": "codespell docs",
    typos: "typos",
    "lychee README.md": "lychee README.md",
    "npx commitlint --from HEAD~1": "commitlint -f HEAD~1",
  },
  ignored: ["codespell -w docs", "typos --write-changes", "lychee --dump README.md"],
  outputs: [
    { command: "codespell docs | head", text: "docs/a.md:3: teh ==> the", verdict: "fail" },
    { command: "codespell docs", text: "", status: 0, verdict: "pass" },
    { command: "lychee README.md | tail -1", text: "🔍 9 Total (in 1s) ✅ 9 OK 🚫 0 Errors", verdict: "pass" },
    { command: "lychee README.md | tail -1", text: "🔍 9 Total (in 1s) ✅ 7 OK 🚫 2 Errors", verdict: "fail" },
    { command: "commitlint --last | tail -2", text: "✖   found 1 problems, 0 warnings", verdict: "fail" },
  ],
};
