/** The word that `typed` is most likely a misspelling of; undefined when none is near. */
export function findNearest(typed: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: word.startsWith(typed) ? 0 : getEditDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** Letters to insert, delete or replace, at least, to make one word of the other. */
function getEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
