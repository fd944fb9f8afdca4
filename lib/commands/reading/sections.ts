import type { Check } from "../check.ts";

/**
 * The lines that belong to a check, when the command line prints headings around it; else all lines. A heading that is
 * not in the output bounds nothing.
 */
export function sectionOf(check: Check, lines: readonly string[]): readonly string[] {
  const { heading, nextHeading } = check.marks ?? {};
  const start = heading === undefined ? -1 : indexOfText(lines, heading, 0);
  const end = nextHeading === undefined ? -1 : indexOfText(lines, nextHeading, start + 1);
  if (start < 0 && end < 0) return lines;
  return lines.slice(start + 1, end < 0 ? lines.length : end);
}

/** Where a printed text stands; a text of several lines is found by its last line. */
export function indexOfText(lines: readonly string[], text: string, from: number): number {
  const last = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? -1 : lines.findIndex((line, at) => at >= from && line.trim() === last);
}
