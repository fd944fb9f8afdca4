/** Where a share lies, in all likelihood; from 0 to 1. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Of the normal distribution: 95 % of it lies within so many standard deviations. */
const Z = 1.959963984540054;

/**
 * The 95 % Wilson score interval of a share seen as `hits` of `n`: (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n) with p = hits/n and
 * z = 1.96 (E. B. Wilson 1927). Of use for small `n` too, where p ± z √(p(1 − p)/n) leaves 0 to 1 or has no width. Nothing seen: 0 to 1.
 * Throws a RangeError for counts that no one can have counted.
 */
export function getWilsonInterval(hits: number, n: number): Interval {
  if (!Number.isInteger(hits) || !Number.isInteger(n) || hits < 0 || hits > n)
    throw new RangeError(`expected whole numbers with 0 <= hits <= n, got ${hits} of ${n}`);
  if (n === 0) return { low: 0, high: 1 };
  const p = hits / n;
  const middle = p + Z ** 2 / (2 * n);
  const reach = Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2));
  const whole = 1 + Z ** 2 / n;
  // At the ends rounding would miss 0 and 1 by a hair.
  return { low: hits === 0 ? 0 : (middle - reach) / whole, high: hits === n ? 1 : (middle + reach) / whole };
}

/** `hits` of `n`, with what that says of the share. */
export interface Share {
  readonly hits: number;
  readonly n: number;
  /** `hits / n`; null when nothing was seen. */
  readonly rate: number | null;
  readonly interval: Interval;
}

/** As `getWilsonInterval`, with the share itself. */
export function getShare(hits: number, n: number): Share {
  return { hits, n, rate: n === 0 ? null : hits / n, interval: getWilsonInterval(hits, n) };
}
