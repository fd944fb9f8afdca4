import type { Tool } from "./tool.ts";

/** Deno: https://docs.deno.com/runtime/reference/cli/ */
export const denoTools: readonly Tool[] = [
  {
    id: "deno test",
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
      pass: [],
    },
  },
  {
    id: "deno lint",
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
