import type { Tool } from "./tool.ts";

const permissions = {
  "-A": "noise",
  "--allow-all": "noise",
  "--allow-read": "noise",
  "--allow-write": "noise",
  "--allow-net": "noise",
  "--allow-env": "noise",
  "--allow-run": "noise",
  "--no-check": "config",
  "--config": "config=",
  "-c": "--config",
  "--watch": "inert",
} as const;

/** Deno: https://docs.deno.com/runtime/reference/cli/ */
export const denoTools: readonly Tool[] = [
  {
    id: "deno test",
    calls: ["deno test"],
    args: {
      operands: "files",
      flags: {
        ...permissions,
        "--filter": "filter=",
        "--parallel": "noise",
        "--fail-fast": "noise",
        "--coverage": "noise",
        "--no-run": "config",
        "--reporter": "noise=",
      },
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
    args: { operands: "files", flags: { ...permissions } },
    silent: true,
    lines: { fail: [/^TS\d+ \[ERROR\]/], loose: [/^error: /], pass: [] },
  },
  {
    id: "deno lint",
    calls: ["deno lint"],
    args: { operands: "files", flags: { ...permissions, "--fix": "config", "--rules": "inert" } },
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
    args: { operands: "files", flags: { ...permissions, "--check": "noise" } },
    lines: { fail: [/^error: Found [1-9]\d* not formatted files?/], pass: [/^Checked \d+ files?$/] },
  },
];
