/** Most jobs that may ask a model in any hour and in any 24 hours. */
export interface Caps {
  readonly perHour: number;
  readonly perDay: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How many jobs may start now. `starts` are the times of earlier ones, in ms since 1970 and in any order. */
export function countStartsLeft(starts: readonly number[], caps: Caps, now: number): number {
  const hour = caps.perHour - countSince(starts, now - HOUR_MS);
  const day = caps.perDay - countSince(starts, now - DAY_MS);
  return Math.max(0, Math.min(hour, day));
}

/** The cap that is used up, in words; undefined when jobs may start. */
export function describeReachedCap(starts: readonly number[], caps: Caps, now: number): string | undefined {
  if (countSince(starts, now - HOUR_MS) >= caps.perHour) return `${caps.perHour} jobs an hour`;
  if (countSince(starts, now - DAY_MS) >= caps.perDay) return `${caps.perDay} jobs a day`;
  return undefined;
}

/** The starts that can still count. */
export function dropOldStarts(starts: readonly number[], now: number): number[] {
  return starts.filter((start) => start > now - DAY_MS);
}

/** A start in the future (the clock was set back) counts: it is a start all the same. */
function countSince(starts: readonly number[], since: number): number {
  return starts.filter((start) => start > since).length;
}
