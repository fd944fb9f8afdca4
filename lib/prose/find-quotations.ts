import type { Span } from "./spans.ts";

/** A quotation is a phrase: what is longer has most likely begun with an inch mark or ended without one. */
const MAX_QUOTATION = 300;

const OPENS = /[\s([{*_:;,—–/-]/;
const CLOSES = /[\s.,:;!?)\]}*_—–/-]/;

/** Phrases in double quotes, each within a line, in order. One opens before a word and closes behind one: `5" wide` does neither. */
export function findQuotations(text: string): readonly Span[] {
  const spans: Span[] = [];
  let open = -1;
  for (const { 0: mark, index } of text.matchAll(/["“”\n]/g)) {
    if (mark === "\n") open = -1;
    else if (open >= 0 && isClosing(text, index)) {
      if (index - open <= MAX_QUOTATION) spans.push({ start: open, end: index + 1 });
      open = -1;
    } else if (isOpening(text, index)) open = index;
  }
  return spans;
}

/** Lines that begin with `>`, as mails and Markdown quote. */
export function findQuotedLines(text: string): readonly Span[] {
  return [...text.matchAll(/^[ \t]*>.*$/gm)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }));
}

function isOpening(text: string, i: number): boolean {
  if (text[i] !== '"') return text[i] === "“";
  return (i === 0 || OPENS.test(text[i - 1] ?? "")) && /\S/.test(text[i + 1] ?? " ");
}

function isClosing(text: string, i: number): boolean {
  if (text[i] !== '"') return text[i] === "”";
  return /\S/.test(text[i - 1] ?? " ") && (i + 1 === text.length || CLOSES.test(text[i + 1] ?? ""));
}
