import type { Tool } from "./tool.ts";

const flags = {
  "--write": "config",
  "--fix": "--write",
  "--apply": "--write",
  "--apply-unsafe": "--write",
  "--unsafe": "config",
  "--error-on-warnings": "config",
  "--diagnostic-level": "config=",
  "--max-diagnostics": "noise=",
  "--reporter": "noise=",
  "--colors": "noise=",
  "--config-path": "config=",
  "--no-errors-on-unmatched": "noise",
  "--files-ignore-unknown": "noise=",
  "--changed": "filter",
  "--staged": "filter",
  "--since": "filter=",
  "--only": "filter=",
  "--skip": "filter=",
  "--log-level": "noise=",
  "--stdin-file-path": "file=",
} as const;

const lines: Tool["lines"] = {
  fail: [/^Found [1-9]\d* errors?\.$/, /^\s*× Some errors were emitted while /, /^\s*× The file contains diagnostics/],
  pass: [/^(?:Checked|Formatted) [1-9]\d* files? in /],
  nothing: [/^\s*× No files were processed/, /^Checked 0 files/],
  problem: [/^\s*× /],
};

/** Biome: https://biomejs.dev/reference/cli/ */
export const biomeTools: readonly Tool[] = [
  {
    id: "biome",
    calls: ["biome check", "biome ci", "@biomejs/biome check", "@biomejs/biome ci"],
    args: { operands: "files", flags },
    lines,
  },
  { id: "biome lint", calls: ["biome lint", "@biomejs/biome lint"], args: { operands: "files", flags }, lines },
  {
    id: "biome format",
    calls: ["biome format", "@biomejs/biome format"],
    args: { operands: "files", flags: { ...flags, "--write": "inert", "--fix": "inert" } },
    lines,
  },
];
