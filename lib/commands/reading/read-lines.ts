import type { Lines } from "../tools/tool.ts";
import { toEvidence, withoutRunnerPrefix } from "./text.ts";

/** What lines of output say by themselves. */
export interface LineReading {
  /** `loose`: a failure, in words that other tools use as well. */
  readonly says: "fail" | "loose" | "unfinished" | "pass" | "problem" | "nothing";
  readonly evidence: string;
  /** How many lines fit. */
  readonly count: number;
}

/** Reads the summary in some lines; undefined when no pattern fits. The last fitting line is the evidence. */
export function readLines(lines: readonly string[], patterns: Lines): LineReading | undefined {
  const forms = lines.filter((line) => line !== "").map(toForms);
  return (
    find("fail", forms, patterns.fail) ??
    find("loose", forms, patterns.loose) ??
    find("unfinished", forms, patterns.unfinished) ??
    find("pass", forms, patterns.pass) ??
    find("problem", forms, patterns.problem) ??
    find("nothing", forms, patterns.nothing)
  );
}

/** Whether a line, with or without the name a runner puts before it, fits one of some patterns. */
export function hasMatch(line: string, patterns: readonly RegExp[]): boolean {
  return fits(toForms(line), patterns);
}

/** A line, and what is left of it without the name a runner put before it. */
type Forms = readonly [line: string, bare?: string];

function toForms(line: string): Forms {
  const bare = withoutRunnerPrefix(line);
  return bare === line ? [line] : [line, bare];
}

function fits([line, bare]: Forms, patterns: readonly RegExp[]): boolean {
  for (const pattern of patterns) {
    if (pattern.test(line) || (bare !== undefined && pattern.test(bare))) return true;
  }
  return false;
}

function find(
  says: LineReading["says"],
  lines: readonly Forms[],
  patterns: readonly RegExp[] = [],
): LineReading | undefined {
  const fitting = lines.filter((forms) => fits(forms, patterns));
  const last = fitting.at(-1);
  return last === undefined ? undefined : { says, evidence: toEvidence(last[0]), count: fitting.length };
}
