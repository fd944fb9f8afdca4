import type { Check } from "../check.ts";

/** A stretch of lines: `from` is the first, `to` the first behind it. */
export interface Section {
  readonly from: number;
  readonly to: number;
}

/**
 * The lines that belong to a check, when the command line prints texts before or after it; undefined when none of those is
 * in the output.
 */
export function findSection(check: Check, lines: readonly string[]): Section | undefined {
  const { heading, nextHeading } = check.marks ?? {};
  const start = heading === undefined ? -1 : indexOfText(lines, heading, 0);
  const end = nextHeading === undefined ? -1 : indexOfText(lines, nextHeading, start + 1);
  if (start < 0 && end < 0) return undefined;
  return { from: start + 1, to: end < 0 ? lines.length : end };
}

/** Where a printed text stands; a text of several lines is found by its last line. */
export function indexOfText(lines: readonly string[], text: string, from: number): number {
  const last = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? -1 : lines.findIndex((line, at) => at >= from && line.trim() === last);
}
