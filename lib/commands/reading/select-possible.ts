import type { Block } from "./block.ts";
import { makePairSet, type PairSet, toPairCodes } from "./pairs.ts";

/**
 * The patterns that may fit a line of the block. This look costs far less than the first runs of a pattern, which compile it, and a runner's
 * output is held against the lines of every tool.
 */
export function selectPossible(patterns: readonly RegExp[], block: Block): readonly RegExp[] {
  if (patterns.length === 0) return [];
  const { byStart, byText } = getIndex(patterns);
  const possible = new Set<RegExp>();
  for (const start of block.starts) for (const pattern of byStart.get(start) ?? []) possible.add(pattern);
  const pairs = byText.length < MANY ? undefined : getPairSet(block);
  for (const { required, codes, those } of byText) {
    if (pairs !== undefined && !holdsAll(pairs, codes)) continue;
    if (block.text.includes(required)) for (const pattern of those) possible.add(pattern);
  }
  return [...possible];
}

/** To look for each text of a long list in a whole output costs more than to go over the output once and rule out nearly all of them. */
const MANY = 16;

const pairSets = new WeakMap<Block, PairSet>();

function getPairSet(block: Block): PairSet {
  let pairs = pairSets.get(block);
  if (pairs === undefined) {
    pairs = makePairSet(block.text);
    pairSets.set(block, pairs);
  }
  return pairs;
}

function holdsAll(pairs: PairSet, codes: readonly number[]): boolean {
  for (const code of codes) if (pairs[code] === 0) return false;
  return true;
}

/** Patterns by what their matches need. */
interface Index {
  readonly byStart: ReadonlyMap<string, readonly RegExp[]>;
  readonly byText: readonly RequiredText[];
}

interface RequiredText {
  readonly required: string;
  /** Of its pairs of characters. */
  readonly codes: readonly number[];
  readonly those: readonly RegExp[];
}

const indexes = new WeakMap<readonly RegExp[], Index>();

function getIndex(patterns: readonly RegExp[]): Index {
  let index = indexes.get(patterns);
  if (index === undefined) {
    index = makeIndex(patterns);
    indexes.set(patterns, index);
  }
  return index;
}

function makeIndex(patterns: readonly RegExp[]): Index {
  const byStart = new Map<string, RegExp[]>();
  const byText = new Map<string, RegExp[]>();
  for (const pattern of patterns) {
    const { start, texts } = pattern.ignoreCase ? { texts: [""] } : findNeeds(pattern.source);
    if (start !== undefined) add(byStart, start, pattern);
    else for (const text of texts) add(byText, text, pattern);
  }
  const texts = [...byText].map(([required, those]) => ({ required, codes: toPairCodes(required), those }));
  return { byStart, byText: texts };
}

function add(map: Map<string, RegExp[]>, key: string, pattern: RegExp): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [pattern]);
  else known.push(pattern);
}

/** What every match of a pattern needs: this first character of the line, else one of these texts. */
interface Needs {
  readonly start?: string;
  readonly texts: readonly string[];
}

/** A long text is looked for first, then a group of which one part must be there: `(?:failed|FAILED)`. */
const LONG_ENOUGH = 3;

/** What is in every match of a pattern of this source; the text "" when nothing is plain to see. */
export function findNeeds(source: string): Needs {
  const start = /^\^([^\\.[()*+?{|^$])(?![*?{])/.exec(source)?.[1];
  if (start !== undefined && !source.includes("|")) return { start, texts: [] };
  const hidden = source.replaceAll(/\\([!-/:-@[-^`{-~])/g, (_, char: string) =>
    String.fromCharCode(HIDDEN + char.charCodeAt(0)),
  );
  const text = findLongestLiteral(hidden);
  if (start !== undefined && text !== undefined) return { start, texts: [] };
  if (text === undefined || text.length >= LONG_ENOUGH) return { texts: [text ?? ""] };
  for (const [each] of hidden.matchAll(piece)) {
    const inner = /^\((?:\?:|(?!\?))([^(]*)\)$/.exec(each)?.[1];
    if (inner === undefined || /\[[^\]]*\|/.test(inner)) continue;
    const texts = inner.split("|").map((part) => findLongestLiteral(part) ?? "");
    if (texts.every((part) => part.length > text.length)) return { texts };
  }
  return { texts: [text] };
}

/** Escaped punctuation is moved to code points of private use, where nothing takes it for syntax. */
const HIDDEN = 0xe000;
const hiddenChar = /[\uE000-\uE0FF]/g;

const set = String.raw`\[[^\]]*\]`;
const group = [1, 2, 3].reduce((inner) => String.raw`\((?:${set}|${inner}|[^()[])*\)`, "(?!)");
/** What is no literal character, or one that may be missing. */
const piece = new RegExp(
  String.raw`(?:\\(?:u.{4}|x..|.)|${set}|${group}|[.^$]|.(?=[*?{]))(?:[*+?]|\{[\d,]*\})?\??|\+\??`,
  "g",
);

/** The longest run of characters that no match can be without; undefined where the source is not understood. */
function findLongestLiteral(source: string): string | undefined {
  const literals = source.split(piece);
  if (literals.some((literal) => /[()[\]|]/.test(literal))) return undefined;
  const longest = literals.reduce((best, literal) => (literal.length > best.length ? literal : best), "");
  return longest.replaceAll(hiddenChar, (char) => String.fromCharCode(char.charCodeAt(0) - HIDDEN));
}
