import type { Span } from "../../lib/prose/spans.ts";

/** A sentence as its words, so that patterns need not know how it is written. */
export interface Reading {
  /** Lower case, contractions as two words, marks as words, one blank between two words and at either end. */
  readonly words: string;
  readonly tokens: readonly Token[];
}

interface Token {
  /** Where it stands in `words`. */
  readonly at: number;
  readonly length: number;
  /** Where it stands in the sentence. */
  readonly source: Span;
}

const TOKEN = /[\w\u00C0-\u024F]+(?:['’./@+-]+[\w\u00C0-\u024F]+)*|--+|[^\s]/g;
const EMPHASIS = /^[*_~]+$/;
/** Numbers and marks of items, cells, boxes and headings. */
const LEAD = /^(?:\d{1,3}[.)]\s|[^\w(\u00C0-\u024F])*/;

/** Reads one sentence. */
export function readWords(sentence: string): Reading {
  const tokens: Token[] = [];
  let words = " ";
  const lead = LEAD.exec(sentence)?.[0].length ?? 0;
  for (const { 0: token, index } of sentence.matchAll(TOKEN)) {
    if (index < lead || EMPHASIS.test(token)) continue;
    const word = toWord(token.toLowerCase().replaceAll("’", "'"));
    tokens.push({ at: words.length, length: word.length, source: { start: index, end: index + token.length } });
    words += `${word} `;
  }
  return { words, tokens };
}

/** Where the words from `from` up to `to` stand in the sentence; undefined when there are none. */
export function findSource({ tokens }: Reading, from: number, to: number): Span | undefined {
  const inside = tokens.filter(({ at, length }) => at >= from && at + length <= to);
  const [first] = inside;
  const last = inside.at(-1);
  return first === undefined || last === undefined ? undefined : { start: first.source.start, end: last.source.end };
}

const contractions: Readonly<Record<string, string>> = { m: "am", re: "are", ve: "have", ll: "will" };

function toWord(token: string): string {
  if (/^(?:--+|[–—‒―−-])$/.test(token)) return "—";
  if (token === "cannot" || token === "can't") return "can not";
  if (token === "won't") return "will not";
  if (token.endsWith("n't")) return `${token.slice(0, -3)} not`;
  const [, word, rest = ""] = /^(\w+)'(m|re|ve|ll)$/.exec(token) ?? [];
  if (word !== undefined) return `${word} ${contractions[rest] ?? rest}`;
  return token.replace(/^(it|that|there|here|this)'s$/, "$1 is");
}
