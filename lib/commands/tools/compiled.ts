import type { Tool, ToolCases } from "./tool.ts";

/** Languages whose one program compiles and tests. */

export const compiledTools: readonly Tool[] = [
  {
    id: "crystal spec",
    kind: "test",
    calls: ["crystal spec"],
    operands: "files",
    flags: { filter: "-e|--example= --tag= -l=", noise: "--order= --error-trace --no-color" },
    lines: {
      fail: [/^\d+ examples, (?:[1-9]\d* failures|\d+ failures, [1-9]\d* errors)/],
      pass: [/^[1-9]\d* examples, 0 failures, 0 errors/],
    },
  },
  {
    id: "nimble test",
    kind: "test",
    calls: ["nimble test", "nim check", "testament"],
    eachCall: true,
    operands: "files",
    flags: { config: "-d=" },
    lines: {
      fail: [/^\s*\[FAILED\] /, /^\S+\.nim\(\d+, \d+\) Error: /],
      pass: [/^\s*Success: Execution finished$/, /^\s*\[OK\] /, /\[SuccessX\]$/],
    },
  },
  {
    id: "dub test",
    kind: "test",
    calls: ["dub test", "dub build", "dub lint"],
    eachCall: true,
    operands: "projects",
    flags: { config: "-b|--build= -c|--config= --compiler=", folder: "--root=" },
    lines: {
      fail: [/^Error Program exited with code /, /^[1-9]\d*\/\d+ (?:modules|unittests) FAILED/],
      pass: [/^All unit tests have been run successfully\.$/, /^[1-9]\d* modules passed unittests$/],
    },
  },
  {
    id: "elm-test",
    kind: "test",
    calls: ["elm-test", "elm-test-rs", "elm make", "elm-review"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "--fuzz= --seed= --optimize --debug",
      noise: "--report= --output=",
      inert: "--watch --fix --fix-all",
    },
    lines: {
      fail: [/^TEST RUN FAILED$/, /^-- [A-Z][A-Z ]+ -+ \S+\.elm/],
      pass: [/^TEST RUN PASSED$/, /^Success! Compiled \d+ modules?\./, /^I found no errors!/],
    },
  },
];

export const compiledCases: ToolCases = {
  docs: {
    "crystal spec": "https://crystal-lang.org/reference/latest/guides/testing.html",
    "nimble test": "https://nim-lang.github.io/nimble/nimble-reference/nimble-commands.html",
    "dub test": "https://dub.pm/dub-reference/cli/",
    "elm-test": "https://github.com/rtfeldman/node-test-runner",
  },
  checks: {
    "crystal spec spec/a_spec.cr": "crystal spec spec/a_spec.cr",
    "nimble test": "nimble test",
    "dub test": "dub test",
    "npx elm-test": "elm-test",
  },
  ignored: ["crystal run a.cr", "nimble install", "dub run", "elm init"],
  outputs: [
    { command: "crystal spec | tail", text: "9 examples, 0 failures, 0 errors, 0 pending", verdict: "pass" },
    { command: "crystal spec | tail", text: "9 examples, 0 failures, 1 errors, 0 pending", verdict: "fail" },
    { command: "nimble test | tail", text: "  [FAILED] adds", verdict: "fail" },
    { command: "dub test | tail", text: "All unit tests have been run successfully.", verdict: "pass" },
    {
      command: "elm-test | tail",
      text: "TEST RUN FAILED\n\nDuration: 120 ms\nPassed:   8\nFailed:   1",
      verdict: "fail",
    },
    { command: "elm-test | tail", text: "TEST RUN PASSED", verdict: "pass" },
  ],
};
