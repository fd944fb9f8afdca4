import type { Tool, ToolCases } from "./tool.ts";

/** Mix: https://hexdocs.pm/mix/Mix.Tasks.Test.html; Credo: https://hexdocs.pm/credo */
export const elixirTools: readonly Tool[] = [
  {
    id: "mix test",
    kind: "test",
    calls: ["mix test"],
    operands: "files",
    flags: {
      filter: "--only= --exclude= --include= --failed --stale",
      noise: "--trace --cover --seed= --max-failures=",
    },
    lines: {
      fail: [
        /^\d+ (?:doctests?, \d+ )?(?:properties, )?tests?, [1-9]\d* failures?/,
        /^== Compilation error/,
        /^\*\* \((?:Compile|Syntax|Token)\w*Error\)/,
      ],
      pass: [/^(?:\d+ \w+, )*[1-9]\d* tests?, 0 failures/],
      nothing: [/^There are no tests to run/],
    },
  },
  {
    id: "mix check",
    kind: "lint",
    calls: ["mix credo", "mix compile", "mix dialyzer", "mix format"],
    onlyWith: ["--strict", "--warnings-as-errors", "--check-formatted", "--force"],
    operands: "files",
    flags: {
      config: "--strict --warnings-as-errors",
      noise: "--force --check-formatted",
    },
    silent: true,
    lines: {
      fail: [/^== Compilation error/, /\bfound [1-9]\d* (?:warnings?|consistency|refactoring|code)/],
      loose: [/^\*\* \(/],
      pass: [/\bfound no issues/, /^Generated \S+ app/, /^done \(passed successfully\)/],
    },
  },
];

export const elixirCases: ToolCases = {
  checks: { "mix test test/a_test.exs": "mix test test/a_test.exs", "mix format --check-formatted": "mix check" },
  ignored: ["mix format", "mix deps.get"],
  outputs: [
    { command: "mix test | tail", text: "5 tests, 0 failures", verdict: "pass" },
    { command: "mix test | tail", text: "2 doctests, 5 tests, 1 failure", verdict: "fail" },
    {
      command: "mix format --check-formatted | tail",
      text: "** (Mix) mix format failed due to --check-formatted.",
      verdict: "fail",
    },
  ],
};
