import type { Tool, ToolCases } from "./tool.ts";

/** Linters of Ruby. RuboCop, Sorbet, Brakeman. */
export const rubocopTools: readonly Tool[] = [
  {
    id: "rubocop",
    kind: "lint",
    calls: ["rubocop", "standardrb", "reek", "brakeman", "srb tc", "steep check", "erb_lint"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "--only= --except=",
      config: "-c|--config= -a -A --autocorrect",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= -P|--parallel
        --force-exclusion`,
    },
    lines: {
      fail: [/\b[1-9]\d* offenses? detected/, /^Errors: [1-9]/],
      pass: [/\bno offenses detected/, /^No errors! Great job/, /^No type error detected/],
      problem: [/^\S+\.rb:\d+:\d+: [EWCFR]: /],
    },
  },
];

export const rubocopCases: ToolCases = {
  docs: {
    rubocop: "https://docs.rubocop.org/rubocop/usage/basic_usage.html",
  },
  checks: { "bundle exec rubocop app": "rubocop app" },
  different: [
    ["rubocop", "brakeman"],
    ["rubocop", "rubocop -A"],
  ],
  outputs: [
    { command: "rubocop | tail -1", text: "14 files inspected, no offenses detected", verdict: "pass" },
    { command: "rubocop | tail -1", text: "14 files inspected, 3 offenses detected", verdict: "fail" },
  ],
};
