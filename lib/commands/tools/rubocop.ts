import type { Tool, ToolCases } from "./tool.ts";

/**
 * Linters of Ruby. RuboCop: https://docs.rubocop.org/rubocop/usage/basic_usage.html; Sorbet:
 * https://sorbet.org/docs/cli; Brakeman: https://brakemanscanner.org/docs/
 */
export const rubocopTools: readonly Tool[] = [
  {
    id: "rubocop",
    kind: "lint",
    calls: ["rubocop", "standardrb", "reek", "brakeman", "srb tc", "steep check", "erb_lint"],
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
  checks: { "bundle exec rubocop app": "rubocop app" },
  different: [["rubocop", "rubocop -A"]],
  outputs: [
    { command: "rubocop | tail -1", text: "14 files inspected, no offenses detected", verdict: "pass" },
    { command: "rubocop | tail -1", text: "14 files inspected, 3 offenses detected", verdict: "fail" },
  ],
};
