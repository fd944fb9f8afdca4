import type { Block } from "./block.ts";
import { makePairSet, mayHold, type PairSet } from "./pairs.ts";

/**
 * The patterns that may fit a line of the block. This look costs far less than the first runs of a pattern, which compile it, and a runner's
 * output is held against the lines of every tool.
 */
export function selectPossible(patterns: readonly RegExp[], block: Block): readonly Possible[] {
  if (patterns.length === 0) return [];
  const { byStart, byText } = getIndex(patterns);
  const possible: Possible[] = [];
  const pairs = patterns.length < MANY ? undefined : getPairSet(block);
  for (const [start, those] of byStart) {
    if (!block.starts.has(start)) continue;
    for (const each of those) if (holds(block.text, pairs, each.start ?? start)) possible.push(each);
  }
  for (const [required, those] of byText) {
    if (!holds(block.text, pairs, required)) continue;
    for (const each of those) if (!possible.includes(each)) possible.push(each);
  }
  return possible;
}

function holds(text: string, pairs: PairSet | undefined, part: string): boolean {
  return (pairs === undefined || mayHold(pairs, part)) && text.includes(part);
}

/** A pattern that may fit a line. */
export interface Possible {
  readonly pattern: RegExp;
  /** What every line begins with that it fits, where that is plain to see. */
  readonly start?: string;
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

/** Patterns by what their matches need. */
interface Index {
  readonly byStart: Map<string, Possible[]>;
  readonly byText: Map<string, Possible[]>;
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
  const index: Index = { byStart: new Map(), byText: new Map() };
  for (const pattern of patterns) {
    const { start, texts } = pattern.ignoreCase ? { texts: [""] } : findNeeds(pattern.source);
    if (start !== undefined) add(index.byStart, start, { pattern, start: getBeginning(pattern.source) });
    const possible = { pattern };
    for (const text of texts) add(index.byText, text, possible);
  }
  return index;
}

function add(map: Map<string, Possible[]>, key: string, possible: Possible): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [possible]);
  else known.push(possible);
}

/** What every match of a pattern needs: this first character of the line, else one of these texts. */
interface Needs {
  readonly start?: string;
  readonly texts: readonly string[];
}

/** A long text is looked for first, then a group of which one part must be there: `(?:failed|FAILED)`. */
const LONG_ENOUGH = 3;

/** The literal characters that a source begins with, without one that may be missing. */
function getBeginning(source: string): string {
  const [, text = "", optional = ""] = /^\^([^\\.[()*+?{|^$]*)([*?{]?)/.exec(source) ?? [];
  return optional === "" ? text : text.slice(0, -1);
}

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
