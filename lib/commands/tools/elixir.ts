import type { Tool, ToolCases } from "./tool.ts";

/** Mix, Credo. */
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
    calls: ["mix compile", "mix format"],
    eachCall: true,
    onlyWith: ["--warnings-as-errors", "--check-formatted", "--force"],
    operands: "files",
    flags: {
      config: "--warnings-as-errors",
      noise: "--force --check-formatted",
    },
    silent: true,
    lines: {
      fail: [/^== Compilation error/, /^Compilation failed due to warnings/],
      loose: [/^\*\* \(/],
      pass: [/^Generated \S+ app/],
    },
  },
  {
    id: "mix credo",
    kind: "lint",
    calls: ["mix credo"],
    not: ["explain", "gen.config", "info"],
    operands: "files",
    flags: { config: "--strict --min-priority=", filter: "--only= --ignore=", noise: "--format=" },
    lines: {
      fail: [/\bfound [1-9]\d* (?:warnings?|consistency|refactoring|code|software)/],
      pass: [/\bfound no issues/],
    },
  },
  {
    id: "mix dialyzer",
    kind: "types",
    calls: ["mix dialyzer"],
    operands: "noise",
    flags: { noise: "--format= --quiet", inert: "--plt" },
    lines: { fail: [/^done \(warnings were emitted\)/], pass: [/^done \(passed successfully\)/] },
  },
];

export const elixirCases: ToolCases = {
  docs: {
    "mix test": "https://hexdocs.pm/mix/Mix.Tasks.Test.html",
    "mix check": "https://hexdocs.pm/mix/Mix.Tasks.Compile.html",
    "mix credo": "https://hexdocs.pm/credo",
    "mix dialyzer": "https://hexdocs.pm/dialyxir",
  },
  checks: { "mix test test/a_test.exs": "mix test test/a_test.exs", "mix format --check-formatted": "mix format" },
  ignored: ["mix format", "mix deps.get"],
  outputs: [
    { command: "mix credo | tail -1", text: "12 mods/funs, found no issues.", verdict: "pass" },
    { command: "mix credo --strict | tail -1", text: "12 mods/funs, found 2 warnings.", verdict: "fail" },
    { command: "mix dialyzer | tail -1", text: "done (warnings were emitted)", verdict: "fail" },
    { command: "mix dialyzer | tail -1", text: "done (passed successfully)", verdict: "pass" },
    {
      command: "mix compile --warnings-as-errors | tail -1",
      text: "Compilation failed due to warnings while using the --warnings-as-errors option",
      verdict: "fail",
    },
    { command: "mix test | tail", text: "5 tests, 0 failures", verdict: "pass" },
    { command: "mix test | tail", text: "2 doctests, 5 tests, 1 failure", verdict: "fail" },
    {
      command: "mix format --check-formatted | tail",
      text: "** (Mix) mix format failed due to --check-formatted.",
      verdict: "fail",
    },
  ],
};
