import type { Lines } from "../tools/tool.ts";
import type { Block } from "./block.ts";
import { neverStarted } from "./common.ts";
import { type Possible, selectPossible } from "./select-possible.ts";
import { toEvidence, withoutRunnerPrefix } from "./text.ts";

/** What lines of output say by themselves. */
export interface LineReading {
  /** `loose`: a failure, in words that other tools use as well. */
  readonly says: "fail" | "loose" | "unfinished" | "pass" | "problem" | "nothing";
  readonly evidence: string;
  /** How many lines fit. */
  readonly count: number;
}

/** Reads the summary in some lines; undefined when no pattern fits. The last fitting line is the evidence, unless it is a bare `FAIL`. */
export function findReading(block: Block, patterns: Lines): LineReading | undefined {
  for (const says of order) {
    const fitting = selectFitting(says, block, patterns);
    const last = fitting.findLast((line) => !isBare(line)) ?? fitting.at(-1);
    if (last !== undefined) return { says, evidence: toEvidence(last), count: fitting.length };
  }
  return undefined;
}

/** The first kind with a fitting line decides. */
const order = ["fail", "loose", "unfinished", "pass", "problem", "nothing"] as const;

function selectFitting(says: LineReading["says"], block: Block, patterns: Lines): readonly string[] {
  const all = selectLines(block, patterns[says] ?? []);
  if (all.length === 0 || (says !== "problem" && says !== "loose")) return all;
  // `error: No justfile found` looks like a finding, and says that nothing ran.
  return all.filter((line) => !hasMatch(line, neverStarted) && !hasMatch(line, patterns.nothing ?? []));
}

/** The lines that fit one of some patterns. */
export function selectLines(block: Block, patterns: readonly RegExp[]): readonly string[] {
  const possible = selectPossible(patterns, block);
  if (possible.length === 0) return [];
  const selected: string[] = [];
  for (const { line, bare } of block.lines) {
    if (fits(line, possible) || (bare !== line && fits(bare, possible))) selected.push(line);
  }
  return selected;
}

function isBare(line: string): boolean {
  return /^\W*[a-z]+\W*$/i.test(line);
}

/** Whether a line, with or without the name a runner puts before it, fits one of some patterns. */
export function hasMatch(line: string, patterns: readonly RegExp[]): boolean {
  const bare = withoutRunnerPrefix(line);
  for (const pattern of patterns) if (pattern.test(line) || (bare !== line && pattern.test(bare))) return true;
  return false;
}

/** A pattern that begins with another character is not asked: of those that may fit the block most do. */
function fits(line: string, possible: readonly Possible[]): boolean {
  for (const { pattern, start } of possible) {
    if ((start === undefined || line.startsWith(start)) && pattern.test(line)) return true;
  }
  return false;
}
