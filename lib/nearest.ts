/** The word that `typed` is most likely a misspelling of; undefined when none is near. */
export function findNearest(typed: string, words: readonly string[]): string | undefined {
  if (typed === "") return undefined;
  const [best] = words
    .map((word) => ({ word, distance: word.startsWith(typed) ? 0 : getEditDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** `; did you mean WORD?`, or nothing where none is near; `show` is how a word is written there. */
export function suggestNearest(typed: string, words: readonly string[], show = (word: string) => word): string {
  const nearest = findNearest(typed, words);
  return nearest === undefined ? "" : `; did you mean ${show(nearest)}?`;
}

/** Letters to insert, delete, replace or swap with the next, at least, to make one word of the other. */
function getEditDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i] === b[j - 1] ? 0 : 1);
      const isSwap = i > 0 && j > 1 && a[i] === b[j - 2] && a[i - 1] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
