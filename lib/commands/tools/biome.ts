import type { FlagTable } from "../flag-table.ts";
import type { Lines, Tool, ToolCases } from "./tool.ts";

const sharedFlags: FlagTable = {
  filter: "--changed --staged --since= --only= --skip=",
  config: "--unsafe --error-on-warnings --diagnostic-level= --config-path=",
  file: "--stdin-file-path=",
  noise: "--max-diagnostics= --reporter= --colors= --no-errors-on-unmatched --files-ignore-unknown= --log-level=",
};

const lines: Lines = {
  fail: [/^Found [1-9]\d* errors?\.$/, /^\s*× Some errors were emitted while /, /^\s*× The file contains diagnostics/],
  pass: [/^(?:Checked|Formatted) [1-9]\d* files? in /],
  problem: [/^\s*× (?!No files were processed)/],
  nothing: [/^\s*× No files were processed/, /^Checked 0 files/],
};

/** Biome. */
export const biomeTools: readonly Tool[] = [
  {
    id: "biome",
    kind: "lint",
    calls: ["biome check", "biome ci", "@biomejs/biome check", "@biomejs/biome ci"],
    operands: "files",
    sharedFlags,
    flags: { config: "--write|--fix|--apply|--apply-unsafe" },
    lines,
  },
  {
    id: "biome lint",
    kind: "lint",
    calls: ["biome lint", "@biomejs/biome lint"],
    operands: "files",
    sharedFlags,
    flags: { config: "--write|--fix|--apply|--apply-unsafe" },
    lines,
  },
  {
    id: "biome format",
    kind: "format",
    calls: ["biome format", "@biomejs/biome format"],
    operands: "files",
    sharedFlags,
    flags: { inert: "--write|--fix" },
    lines,
  },
];

export const biomeCases: ToolCases = {
  docs: {
    biome: "https://biomejs.dev/reference/cli/",
    "biome lint": "https://biomejs.dev/reference/cli/",
    "biome format": "https://biomejs.dev/reference/cli/",
  },
  checks: {
    "npx @biomejs/biome check src": "biome src",
    "biome ci .": "biome",
    "biome lint --reporter=summary src/a.ts": "biome lint src/a.ts",
    "pnpm exec biome format src": "biome format src",
  },
  ignored: ["biome format --write src", "biome init", "biome --version", "cat biome.json"],
  same: [["biome check src", "bunx biome check --max-diagnostics=50 ./src/"]],
  different: [
    ["biome check src", "biome check --write src"],
    ["biome check src", "biome lint src"],
  ],
  outputs: [
    { command: "biome lint src | tail -2", text: "Checked 4 files in 3ms. No fixes applied.", verdict: "pass" },
    { command: "biome format src | tail -2", text: "Checked 4 files in 3ms.\nFound 1 error.", verdict: "fail" },
    { command: "biome check . | tail -3", text: "Checked 14 files in 9ms. No fixes applied.", verdict: "pass" },
    {
      command: "biome check . | tail -3",
      text: "Checked 14 files in 9ms. No fixes applied.\nFound 2 errors.",
      verdict: "fail",
    },
    {
      command: "biome check a.css | tail",
      text: "  × No files were processed in the specified paths.",
      verdict: "unknown",
    },
  ],
};
