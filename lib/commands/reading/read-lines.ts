import type { Lines } from "../tools/tool.ts";
import { findRequiredText } from "./required-text.ts";
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
  const text = lines.join("\n");
  const find = (says: LineReading["says"], some: readonly RegExp[] = []): LineReading | undefined => {
    const fitting = selectLines(lines, text, some);
    const last = fitting.at(-1);
    return last === undefined ? undefined : { says, evidence: toEvidence(last), count: fitting.length };
  };
  return (
    find("fail", patterns.fail) ??
    find("loose", patterns.loose) ??
    find("unfinished", patterns.unfinished) ??
    find("pass", patterns.pass) ??
    find("problem", patterns.problem) ??
    find("nothing", patterns.nothing)
  );
}

/** The lines that fit one of some patterns. `text` is all lines joined. */
export function selectLines(lines: readonly string[], text: string, patterns: readonly RegExp[]): readonly string[] {
  const possible = patterns.filter((pattern) => text.includes(findRequiredText(pattern)));
  return possible.length === 0 ? [] : lines.filter((line) => line !== "" && hasMatch(line, possible));
}

/** Whether a line, with or without the name a runner puts before it, fits one of some patterns. */
export function hasMatch(line: string, patterns: readonly RegExp[]): boolean {
  if (patterns.some((pattern) => pattern.test(line))) return true;
  const bare = withoutRunnerPrefix(line);
  return bare !== line && patterns.some((pattern) => pattern.test(bare));
}
