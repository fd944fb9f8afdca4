import type { Lines } from "../tools/tool.ts";
import type { Block } from "./block.ts";
import { neverStarted } from "./common.ts";
import { selectPossible } from "./select-possible.ts";
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
  const find = (says: LineReading["says"]): LineReading | undefined => {
    const all = selectLines(block, patterns[says] ?? []);
    // `error: No justfile found` looks like a finding, and says that nothing ran.
    const isFinding = says === "problem" || says === "loose";
    const fitting = isFinding
      ? all.filter((line) => !hasMatch(line, [...neverStarted, ...(patterns.nothing ?? [])]))
      : all;
    const last = fitting.findLast((line) => !isBare(line)) ?? fitting.at(-1);
    return last === undefined ? undefined : { says, evidence: toEvidence(last), count: fitting.length };
  };
  return find("fail") ?? find("loose") ?? find("unfinished") ?? find("pass") ?? find("problem") ?? find("nothing");
}

/** The lines that fit one of some patterns. */
export function selectLines(block: Block, patterns: readonly RegExp[]): readonly string[] {
  const possible = selectPossible(patterns, block);
  if (possible.length === 0) return [];
  return block.lines.filter(([line, bare]) => fits(line, bare, possible)).map(([line]) => line);
}

function isBare(line: string): boolean {
  return /^\W*[a-z]+\W*$/i.test(line);
}

/** Whether a line, with or without the name a runner puts before it, fits one of some patterns. */
export function hasMatch(line: string, patterns: readonly RegExp[]): boolean {
  return fits(line, withoutRunnerPrefix(line), patterns);
}

function fits(line: string, bare: string, patterns: readonly RegExp[]): boolean {
  for (const pattern of patterns) if (pattern.test(line) || (bare !== line && pattern.test(bare))) return true;
  return false;
}
