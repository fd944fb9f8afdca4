import type { Tool, ToolCases } from "./tool.ts";

/** Haskell: Stack and Cabal. */

export const haskellTools: readonly Tool[] = [
  {
    id: "stack",
    calls: ["stack test", "stack build", "cabal test", "cabal v2-test", "cabal build"],
    eachCall: true,
    operands: "projects",
    flags: {
      filter: "--ta= --test-arguments= -m= --match= --test-option= --test-options=",
      config: "--fast --pedantic -f|--flag= --ghc-options= --enable-tests --no-run-tests",
      noise: "-j= --test-show-details= --no-interleaved-output",
      inert: "--file-watch --dry-run",
    },
    lines: {
      fail: [
        /^Test suite \S+: FAIL$/,
        /^\d+ examples?, [1-9]\d* failures?/,
        /^0 of [1-9]\d* test suites/,
        /^[1-9]\d* out of \d+ tests failed/,
      ],
      loose: [/^\S+\.hs:\d+:\d+: error:/, /^Error: \[S-\d+\]/],
      pass: [/^Test suite \S+: PASS$/, /^[1-9]\d* examples?, 0 failures/, /^All [1-9]\d* tests passed/],
    },
  },
];

export const haskellCases: ToolCases = {
  docs: { stack: "https://docs.haskellstack.org/en/stable/commands/test_command/" },
  checks: { "stack test": "stack test", "cabal test all": "cabal test all" },
  ignored: ["stack exec app", "cabal update", "stack test --file-watch"],
  different: [["stack test", "stack build"]],
  outputs: [
    { command: "stack test | tail", text: "12 examples, 0 failures", verdict: "pass" },
    { command: "stack test | tail", text: "12 examples, 2 failures", verdict: "fail" },
    { command: "cabal test | tail", text: "Test suite unit: FAIL", verdict: "fail" },
    { command: "cabal build | tail", text: "src/A.hs:3:1: error: [GHC-88464]", verdict: "fail" },
  ],
};
