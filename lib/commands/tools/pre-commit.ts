import type { Tool, ToolCases } from "./tool.ts";

/** pre-commit, prek and lefthook alike. */
export const preCommitTools: readonly Tool[] = [
  {
    id: "pre-commit",
    kind: "lint",
    calls: ["pre-commit run", "prek run", "lefthook run"],
    operands: "filters",
    flags: {
      filter: "-a|--all-files --files --from-ref= --to-ref=",
      config: "--hook-stage= -c=",
      noise: "--show-diff-on-failure",
    },
    lines: {
      fail: [/\.{3}Failed$/, /\.{3}\(no files to check\)Failed$/],
      pass: [/\.{3}Passed$/],
      nothing: [
        /\(no files to check\)\s*Skipped$/,
        /^No hook with id /,
        /^=+> \.pre-commit-config\.yaml is not a file/,
      ],
    },
  },
];

export const preCommitCases: ToolCases = {
  docs: {
    "pre-commit": "https://pre-commit.com/#pre-commit-run",
  },
  checks: { "pre-commit run --all-files": "pre-commit -a" },
  ignored: ["pre-commit install", "pre-commit autoupdate"],
  outputs: [
    {
      command: "pre-commit run -a | cat",
      text: "ruff.....................................................................Passed",
      verdict: "pass",
    },
    {
      command: "pre-commit run -a | cat",
      text: "ruff.....................................................................Passed\nmypy.....................................................................Failed",
      verdict: "fail",
    },
    {
      command: "pre-commit run | cat",
      text: "ruff.................................................(no files to check)Skipped",
      verdict: "unknown",
    },
  ],
};
