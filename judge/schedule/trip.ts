/** Nothing is asked for so long after the last absurd minute. */
export const TRIP_MS = 15 * 60_000;

const MINUTE_MS = 60_000;

/** While it is on no question is asked: they came faster than any person's sessions make them. */
export interface Trip {
  /** Ms since 1970, as `until` is. */
  readonly since: number;
  readonly until: number;
  /** How many questions a minute were allowed. */
  readonly limit: number;
}

/** The last of `drops`, times in ms in any order, that made it more than `limit` within a minute; undefined: it was never more. Pure. */
export function findAbsurdDrop(drops: readonly number[], limit: number): number | undefined {
  const sorted = [...drops].sort((a, b) => a - b);
  return sorted.findLast((drop, index) => index >= limit && drop - (sorted[index - limit] ?? -Infinity) < MINUTE_MS);
}

/** The drops that later ones may be counted with. */
export function selectRecent(drops: readonly number[], now: number): number[] {
  return drops.filter((drop) => drop > now - MINUTE_MS && !isAhead(drop, now));
}

/** By another machine's clock, or by this one's before it was set back. */
export function isAhead(drop: number, now: number): boolean {
  return drop > now + MINUTE_MS;
}

/** From before a clock was set back it would last too long: then it is over. */
export function isTripped({ since, until }: Trip, now: number): boolean {
  return since <= now && now < until && until <= now + TRIP_MS;
}

/** As the start of a reason. */
export function describeTrip({ limit }: Pick<Trip, "limit">): string {
  return `tripped: more than ${limit} questions came within a minute`;
}
