import type { Tool } from "./tool.ts";

/** Vite+, which wraps oxlint, oxfmt and Vitest: https://viteplus.dev/guide/ */
export const vitePlusTools: readonly Tool[] = [
  {
    id: "vp check",
    calls: ["vp check", "vp lint", "vp fmt"],
    operands: "files",
    flags: {
      config: "--fix --type-check --no-fmt --no-lint",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --check",
    },
    lines: {
      fail: [/^Found (?:formatting issues|[1-9]\d* (?:errors?|lint|type))/, /^error: (?:Formatting issues|Lint|Type)/i],
      pass: [/^pass: /],
    },
  },
  {
    id: "vp test",
    calls: ["vp test run", "vp test"],
    operands: "mixed",
    flags: {
      filter: "-t=",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --run",
      inert: "--watch",
    },
    lines: {
      fail: [/^\s*(?:Test Files|Tests)\s+.*\b[1-9]\d* failed/],
      pass: [/^\s*(?:Test Files|Tests)\s+(?:\d+ \w+ \| )*\d+ passed/],
      nothing: [/^No test files found/],
    },
  },
];
