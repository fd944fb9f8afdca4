import type { Span } from "./spans.ts";

/** Inline code, in order. */
export function findCode(text: string): readonly Span[] {
  const spans: Span[] = [];
  const ends = pairBackticks(text);
  let at = 0;
  for (const { index: start } of text.matchAll(/`+/g)) {
    const end = ends.get(start);
    if (end === undefined || start < at) continue;
    spans.push({ start, end });
    at = end;
  }
  return spans;
}

/** Where each run of backticks that may open inline code stands, and where that code ends: behind the next run of the same length in its line. */
export function pairBackticks(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const last = new Map<number, number>();
  for (const { 0: run, index } of text.matchAll(/`+|\n/g)) {
    if (run === "\n") {
      if (last.size > 0) last.clear();
      continue;
    }
    const opening = last.get(run.length);
    if (opening !== undefined) ends.set(opening, index + run.length);
    last.set(run.length, index);
  }
  return ends;
}
