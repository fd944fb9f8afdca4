import type { Tool, ToolCases } from "./tool.ts";

/** Deno. */
export const denoTools: readonly Tool[] = [
  {
    id: "deno test",
    kind: "test",
    calls: ["deno test"],
    operands: "files",
    flags: {
      filter: "--filter=",
      config: "--no-check --config|-c= --no-run",
      noise: `-A --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run --parallel
        --fail-fast --coverage --reporter=`,
      inert: "--watch",
    },
    lines: {
      fail: [/^FAILED \| /, /^error: (?:Test failed|Type checking failed)/],
      pass: [/^ok \| \d+ passed/],
      nothing: [/^error: No test modules found/],
    },
  },
  {
    id: "deno check",
    kind: "types",
    calls: ["deno check"],
    operands: "files",
    flags: {
      config: "--no-check --config|-c=",
      noise: "-A --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run",
      inert: "--watch",
    },
    silent: true,
    lines: {
      fail: [/^TS\d+ \[ERROR\]/],
      loose: [/^error: /],
    },
  },
  {
    id: "deno lint",
    kind: "lint",
    calls: ["deno lint"],
    operands: "files",
    flags: {
      config: "--no-check --config|-c= --fix",
      noise: "-A --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run",
      inert: "--watch --rules",
    },
    lines: {
      fail: [/^Found [1-9]\d* problems?/],
      pass: [/^Checked \d+ files?$/],
      nothing: [/^error: No target files found/],
    },
  },
  {
    id: "deno fmt --check",
    kind: "format",
    calls: ["deno fmt"],
    onlyWith: ["--check"],
    operands: "files",
    flags: {
      config: "--no-check --config|-c=",
      noise: "-A --allow-all --allow-read --allow-write --allow-net --allow-env --allow-run --check",
      inert: "--watch",
    },
    lines: {
      fail: [/^error: Found [1-9]\d* not formatted files?/],
      pass: [/^Checked \d+ files?$/],
    },
  },
];

export const denoCases: ToolCases = {
  docs: {
    "deno test": "https://docs.deno.com/runtime/reference/cli/test/",
    "deno check": "https://docs.deno.com/runtime/reference/cli/check/",
    "deno lint": "https://docs.deno.com/runtime/reference/cli/lint/",
    "deno fmt --check": "https://docs.deno.com/runtime/reference/cli/fmt/",
  },
  checks: {
    "deno test -A": "deno test",
    "deno check main.ts": "deno check main.ts",
    "deno lint": "deno lint",
    "deno fmt --check": "deno fmt --check",
  },
  ignored: ["deno fmt", "deno run main.ts", "deno test --watch"],
  different: [["deno test --filter a", "deno test --filter b"]],
  outputs: [
    { command: "deno test | tail", text: "ok | 4 passed | 0 failed (12ms)", verdict: "pass" },
    { command: "deno test | tail", text: "FAILED | 3 passed | 1 failed (12ms)\n\nerror: Test failed", verdict: "fail" },
    { command: "deno lint | tail", text: "Found 2 problems\nChecked 8 files", verdict: "fail" },
    { command: "deno fmt --check | tail", text: "Checked 8 files", verdict: "pass" },
    {
      command: "deno check main.ts | tail",
      text: "TS2322 [ERROR]: Type 'string' is not assignable to type 'number'.",
      verdict: "fail",
    },
  ],
};
