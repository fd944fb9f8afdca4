import { findFences } from "./find-fences.ts";
import type { Markup } from "./find-tags.ts";
import { blankSpans, type Span } from "./spans.ts";

/** What stands for a character of code or of a quotation: a name in a sentence, never one of its own words. */
const NAME = "X";
/** What is longer has begun with an inch mark or ends nowhere. */
const MAX_QUOTATION = 300;
const QUOTATION = new RegExp(
  `(?<=^|[\\s([{*_:—–-])(?:"[^\\s"][^"\\n]{0,${MAX_QUOTATION}}"|“[^”\\n]{1,${MAX_QUOTATION}}”)`,
  "gm",
);
const QUOTED_LINE = /^[ \t]*>.*$/gm;

/**
 * The reply as far as it speaks for itself, character by character in the same places: fenced blocks (one that is not closed runs to the end, as
 * Markdown has it), quoted lines and tags become blanks; code and quotations within a sentence become one word each.
 */
export function maskQuoted(reply: string, { tagSpans, codeSpans }: Markup): string {
  const code = blankSpans(reply, codeSpans, NAME);
  const plain = blankSpans(code, tagSpans, " ");
  const spoken = blankSpans(plain, findFences(reply), " ");
  const lines = blankSpans(spoken, findAll(spoken, QUOTED_LINE), " ");
  return blankSpans(lines, findAll(lines, QUOTATION), NAME);
}

function findAll(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
}
