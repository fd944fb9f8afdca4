import type { Tool, ToolCases } from "./tool.ts";

/** Linters of prose. markdownlint, Vale. */
export const markdownlintTools: readonly Tool[] = [
  {
    id: "markdownlint",
    kind: "lint",
    calls: ["markdownlint-cli2", "markdownlint"],
    operands: "files",
    flags: {
      filter: "--ignore|-i=",
      config: "--config|-c= --fix|-f --disable=",
      noise: "--dot -d",
    },
    silent: true,
    lines: {
      fail: [/^Summary: [1-9]\d* error/],
      loose: [/^\S+:\d+(?::\d+)? (?:error )?MD\d+/],
      pass: [/^Summary: 0 error/],
      nothing: [/^Linting: 0 file/],
    },
  },
  {
    id: "vale",
    kind: "lint",
    calls: ["vale"],
    not: ["sync", "ls-config", "ls-dirs"],
    operands: "files",
    flags: {
      filter: "--glob=",
      config: "--config= --minAlertLevel=",
      noise: "--output= --no-exit",
    },
    lines: {
      fail: [/^✖ [1-9]\d* errors?, /],
      pass: [/^✔ 0 errors, /, /^(?:✖|✔) 0 errors, /],
      nothing: [/^✖ .* in 0 files/],
    },
  },
];

export const markdownlintCases: ToolCases = {
  docs: {
    markdownlint: "https://github.com/DavidAnson/markdownlint-cli2",
    vale: "https://vale.sh/docs/cli",
  },
  checks: { 'npx markdownlint-cli2 "docs/**/*.md"': "markdownlint docs/**/*.md", "vale docs": "vale docs" },
  ignored: ["vale sync"],
  same: [["cd docs && npx markdownlint-cli2 a.md", "npx markdownlint-cli2 docs/a.md"]],
  outputs: [
    { command: "markdownlint-cli2 a.md | tail -1", text: "Summary: 0 error(s)", verdict: "pass" },
    {
      command: "markdownlint-cli2 a.md | tail -2",
      text: "a.md:3 MD013/line-length Line length\nSummary: 1 error(s)",
      verdict: "fail",
    },
    { command: "vale docs | tail -1", text: "✖ 2 errors, 1 warning and 0 suggestions in 4 files.", verdict: "fail" },
    { command: "vale docs | tail -1", text: "✔ 0 errors, 1 warning and 0 suggestions in 4 files.", verdict: "pass" },
  ],
};
