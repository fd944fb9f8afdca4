import type { Tool, ToolCases } from "./tool.ts";

/** Vite+, which wraps oxlint, oxfmt and Vitest. */
export const vitePlusTools: readonly Tool[] = [
  {
    id: "vp check",
    kind: "lint",
    calls: ["vp check", "vp lint", "vp fmt"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "--fix --type-check --no-fmt --no-lint",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --check",
    },
    lines: {
      fail: [/^Found (?:formatting issues|[1-9]\d* (?:errors?|lint|type))/, /^error: (?:Formatting issues|Lint|Type)/],
      pass: [/^pass: /],
    },
  },
  {
    id: "vp test",
    kind: "test",
    calls: ["vp test run", "vp test"],
    operands: "mixed",
    flags: {
      filter: "-t=",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --run",
      inert: "--watch",
    },
    lines: {
      fail: [/^\s*(?:Test Files|Tests)\s.*\b[1-9]\d* failed/],
      pass: [/^\s*(?:Test Files|Tests)\s+(?:\d+ \w+ \| )*\d+ passed/],
      nothing: [/^No test files found/],
    },
  },
];

export const vitePlusCases: ToolCases = {
  docs: {
    "vp check": "https://viteplus.dev/guide/",
    "vp test": "https://viteplus.dev/guide/",
  },
  checks: { "vp check src/a.ts": "vp check src/a.ts", "vp test run": "vp test" },
  ignored: ["vp dev", "vp install"],
  different: [["vp check", "vp check --fix"]],
  outputs: [
    { command: "vp check | tail", text: "pass: All 5 files are correctly formatted (8ms, 2 threads)", verdict: "pass" },
    {
      command: "vp check | tail",
      text: "Found formatting issues in 1 file (7ms, 2 threads). Run `vp check --fix` to fix them.",
      verdict: "fail",
    },
    { command: "vp test | tail", text: "      Tests  1 failed | 3 passed (4)", verdict: "fail" },
  ],
};
