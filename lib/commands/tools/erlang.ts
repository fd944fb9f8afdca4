import type { Tool, ToolCases } from "./tool.ts";

/** Erlang and Gleam: rebar3, gleam. */

export const erlangTools: readonly Tool[] = [
  {
    id: "rebar3",
    calls: ["rebar3 eunit", "rebar3 ct", "rebar3 dialyzer", "rebar3 xref", "rebar3 compile", "rebar3 lint"],
    eachCall: true,
    operands: "noise",
    flags: { filter: "--module= --suite= --case= --group= --app=", noise: "--cover -c" },
    lines: {
      fail: [
        /^\s*Failed: [1-9]\d*\./,
        /^Failed [1-9]\d* tests?\b/,
        /^===> (?:Error|Compiling \S+ failed|Warnings occurred|Failures occurred)/,
      ],
      pass: [/^\s*All [1-9]\d* tests? passed\.$/, /^All [1-9]\d* tests passed\.$/, /^\s*[1-9]\d* tests?, 0 failures$/],
    },
  },
  {
    id: "gleam",
    calls: ["gleam test", "gleam check", "gleam build"],
    eachCall: true,
    operands: "files",
    flags: { config: "-t|--target= --warnings-as-errors" },
    lines: {
      fail: [
        /^[1-9]\d* tests?, [1-9]\d* failures?$/,
        /^\d+ passed, [1-9]\d* failures?$/,
        /^error: (?:Type mismatch|Unknown \w+|Syntax error)/,
      ],
      pass: [/^[1-9]\d* (?:tests?, 0|passed, no) failures$/, /^\s+Compiled in \d/],
    },
  },
];

export const erlangCases: ToolCases = {
  docs: { rebar3: "https://rebar3.org/docs/commands/", gleam: "https://gleam.run/command-line-reference/" },
  checks: { "rebar3 eunit --module=a": "rebar3 eunit --module a", "gleam test": "gleam test" },
  ignored: ["rebar3 shell", "gleam run", "gleam add wisp"],
  different: [["rebar3 eunit", "rebar3 ct"]],
  outputs: [
    { command: "rebar3 eunit | tail", text: "9 tests, 0 failures", verdict: "pass" },
    { command: "rebar3 ct | tail -1", text: "Failed 2 tests. Passed 7 tests.", verdict: "fail" },
    { command: "gleam test | tail -1", text: "12 passed, no failures", verdict: "pass" },
    { command: "gleam test | tail -1", text: "11 passed, 1 failures", verdict: "fail" },
  ],
};
