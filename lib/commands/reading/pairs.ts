/** Which pairs of neighbouring characters a text holds: a set that may say yes for a pair that is not there, never no for one that is. */
export type PairSet = Uint8Array;

/** A power of two, so that a code is cut to it by a mask. Small: it is made for every output. */
const SIZE = 4096;

export function makePairSet(text: string): PairSet {
  const pairs = new Uint8Array(SIZE);
  let last = text.charCodeAt(0);
  for (let at = 1; at < text.length; at++) {
    const next = text.charCodeAt(at);
    pairs[toCode(last, next)] = 1;
    last = next;
  }
  return pairs;
}

/** The codes of a text's pairs; a text with a code that a set lacks is in no text that the set was made of. */
export function toPairCodes(text: string): readonly number[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) =>
    toCode(text.charCodeAt(at), text.charCodeAt(at + 1)),
  );
}

function toCode(one: number, other: number): number {
  return ((one << 5) ^ other) & (SIZE - 1);
}
