import type { FlagTable } from "../flag-table.ts";
import type { Lines, Tool } from "./tool.ts";

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

/** Biome: https://biomejs.dev/reference/cli/ */
export const biomeTools: readonly Tool[] = [
  {
    id: "biome",
    calls: ["biome check", "biome ci", "@biomejs/biome check", "@biomejs/biome ci"],
    operands: "files",
    sharedFlags,
    flags: { config: "--write|--fix|--apply|--apply-unsafe" },
    lines,
  },
  {
    id: "biome lint",
    calls: ["biome lint", "@biomejs/biome lint"],
    operands: "files",
    sharedFlags,
    flags: { config: "--write|--fix|--apply|--apply-unsafe" },
    lines,
  },
  {
    id: "biome format",
    calls: ["biome format", "@biomejs/biome format"],
    operands: "files",
    sharedFlags,
    flags: { inert: "--write|--fix" },
    lines,
  },
];
