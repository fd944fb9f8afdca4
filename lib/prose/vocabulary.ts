/** A vocabulary, written as words with blanks between them. */
export function vocabulary(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

export function isIn(set: ReadonlySet<string>, word: string | undefined): boolean {
  return word !== undefined && set.has(word);
}

/** The first place from `start` up to, but not at, `end` whose word is in the vocabulary; -1 when there is none. */
export function findIn(words: readonly string[], start: number, end: number, set: ReadonlySet<string>): number {
  for (let i = Math.max(0, start); i < end && i < words.length; i++) if (isIn(set, words[i])) return i;
  return -1;
}

/** Whether one of the words from `start` up to, but not at, `end` is in the vocabulary. */
export function hasWithin(words: readonly string[], start: number, end: number, set: ReadonlySet<string>): boolean {
  return findIn(words, start, end, set) >= 0;
}

export function hasAny(words: readonly string[], set: ReadonlySet<string>): boolean {
  return hasWithin(words, 0, words.length, set);
}
