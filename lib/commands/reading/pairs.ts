/** Which pairs of neighbouring characters a text holds, by a number of a few bits that stands for several pairs. */
export type PairSet = Uint8Array;

/** A power of two, so that a mask cuts a number to it. Small: a set is made for every output that is held against many texts. */
const SIZE = 4096;

export function makePairSet(text: string): PairSet {
  const pairs = new Uint8Array(SIZE);
  let last = text.charCodeAt(0);
  for (let at = 1; at < text.length; at++) {
    const next = text.charCodeAt(at);
    pairs[toNumber(last, next)] = 1;
    last = next;
  }
  return pairs;
}

/** Whether the text of a set may hold another one. It may say yes of one that is not there, never no of one that is. */
export function mayHold(pairs: PairSet, part: string): boolean {
  for (let at = 1; at < part.length; at++) {
    if (pairs[toNumber(part.charCodeAt(at - 1), part.charCodeAt(at))] === 0) return false;
  }
  return true;
}

function toNumber(one: number, other: number): number {
  return ((one << 5) ^ other) & (SIZE - 1);
}
