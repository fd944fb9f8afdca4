import { findCode } from "./find-code.ts";
import { findQuotations, findQuotedLines } from "./find-quotations.ts";
import { blankSpans, type Span } from "./spans.ts";

/**
 * What a text says in the writer's own words, character by character in the same places. `fences` and quoted lines become blanks; of inline code and
 * of quotations each character becomes `filler`: a blank, or a character that makes one word of each.
 */
export function maskQuoted(text: string, fences: readonly Span[], filler: string): string {
  const spoken = maskCode(maskBlocks(text, fences), filler);
  return blankSpans(spoken, findQuotations(spoken), filler);
}

/** The text with blanks in place of `fences` and quoted lines. */
export function maskBlocks(text: string, fences: readonly Span[]): string {
  const rest = blankSpans(text, fences, " ");
  return blankSpans(rest, findQuotedLines(rest), " ");
}

/** The text with `filler`, one character, in place of each one of inline code. */
export function maskCode(text: string, filler: string): string {
  return blankSpans(text, findCode(text), filler);
}
