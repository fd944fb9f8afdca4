import type { Span } from "../../lib/prose/spans.ts";

/** What stands further on in one sentence is no sentence: a table without line ends, or a paste. */
const MAX_SENTENCE = 1000;
const PARAGRAPH = /\n[ \t]*\n\s*/g;
const ITEM = /\n(?=[ \t]*(?:[-*+•|#]|\d{1,3}[.)][ \t]))/g;
/** "e.g. this" goes on. */
const SENTENCE = /[.!?…]["')\]*_]*\s+(?=[^a-z\s])/g;

/** The paragraphs of a text: what blank lines part. */
export function splitParagraphs(text: string): readonly Span[] {
  return split(text, { start: 0, end: text.length }, PARAGRAPH);
}

/** The sentences of a text, in order; an item, a heading and a row of a table count as such. */
export function splitSentences(text: string): readonly Span[] {
  return splitParagraphs(text)
    .flatMap((paragraph) => split(text, paragraph, ITEM))
    .flatMap((item) => split(text, item, SENTENCE))
    .map(({ start, end }) => ({ start, end: Math.min(end, start + MAX_SENTENCE) }));
}

/** The parts that have something in them; what parts two of them stays with the first. */
function split(text: string, { start, end }: Span, border: RegExp): readonly Span[] {
  const part = text.slice(start, end);
  const cuts = [...part.matchAll(border)].map(({ 0: found, index }) => start + index + found.length);
  return [...cuts, end]
    .map((cut, i) => ({ start: i === 0 ? start : (cuts[i - 1] ?? start), end: cut }))
    .filter((span) => text.slice(span.start, span.end).trim() !== "");
}
