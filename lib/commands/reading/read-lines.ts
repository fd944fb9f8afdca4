import type { Lines } from "../tools/tool.ts";
import { findRequiredText } from "./required-text.ts";
import { toEvidence, withoutRunnerPrefix } from "./text.ts";

/** What lines of output say by themselves. */
export interface LineReading {
  readonly says: "fail" | "unfinished" | "pass" | "problem" | "nothing";
  readonly evidence: string;
}

/** Reads the summary in some lines; undefined when no pattern fits. The last fitting line is the evidence. */
export function readLines(lines: readonly string[], patterns: Lines): LineReading | undefined {
  const text = lines.join("\n");
  const find = (says: LineReading["says"], some: readonly RegExp[] = []): LineReading | undefined => {
    const line = findLastLine(lines, text, some);
    return line === undefined ? undefined : { says, evidence: toEvidence(line) };
  };
  return (
    find("fail", patterns.fail) ??
    find("fail", patterns.loose) ??
    find("unfinished", patterns.unfinished) ??
    find("pass", patterns.pass) ??
    find("problem", patterns.problem) ??
    find("nothing", patterns.nothing)
  );
}

/** The last line that fits one of some patterns. `text` is the lines joined. */
export function findLastLine(lines: readonly string[], text: string, patterns: readonly RegExp[]): string | undefined {
  const possible = patterns.filter((pattern) => text.includes(findRequiredText(pattern)));
  if (possible.length === 0) return undefined;
  return lines.findLast((line) => line !== "" && hasMatch(line, possible));
}

/** Whether a line, with or without the name a runner puts before it, fits one of some patterns. */
export function hasMatch(line: string, patterns: readonly RegExp[]): boolean {
  if (patterns.some((pattern) => pattern.test(line))) return true;
  const bare = withoutRunnerPrefix(line);
  return bare !== line && patterns.some((pattern) => pattern.test(bare));
}
