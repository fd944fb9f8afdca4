import type { Lines } from "../tools/tool.ts";
import { toEvidence, withoutRunnerPrefix } from "./text.ts";

/** What lines of output say by themselves. */
export interface LineReading {
  readonly says: "fail" | "unfinished" | "pass" | "problem" | "nothing";
  readonly evidence: string;
}

/** Reads the summary in some lines; undefined when no pattern fits. The last fitting line is the evidence. */
export function readLines(lines: readonly string[], patterns: Lines): LineReading | undefined {
  return (
    find(lines, patterns.fail, "fail") ??
    find(lines, patterns.loose ?? [], "fail") ??
    find(lines, patterns.unfinished ?? [], "unfinished") ??
    find(lines, patterns.pass, "pass") ??
    find(lines, patterns.problem ?? [], "problem") ??
    find(lines, patterns.nothing ?? [], "nothing")
  );
}

function find(
  lines: readonly string[],
  patterns: readonly RegExp[],
  says: LineReading["says"],
): LineReading | undefined {
  if (patterns.length === 0) return undefined;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (line !== "" && hasMatch(line, patterns)) return { says, evidence: toEvidence(line) };
  }
  return undefined;
}

/** Whether a line, with or without the name a runner puts before it, fits one of some patterns. */
export function hasMatch(line: string, patterns: readonly RegExp[]): boolean {
  const bare = withoutRunnerPrefix(line);
  return patterns.some((pattern) => pattern.test(line) || (bare !== line && pattern.test(bare)));
}
