/** Most jobs that may ask a model in any hour and in any 24 hours. */
export interface Caps {
  readonly perHour: number;
  readonly perDay: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** How many jobs may start now. `starts` are the times of earlier ones, in ms since 1970 and in any order. */
export function countStartsLeft(starts: readonly number[], caps: Caps, now: number): number {
  const hour = caps.perHour - countWithin(starts, HOUR_MS, now);
  const day = caps.perDay - countWithin(starts, DAY_MS, now);
  return Math.max(0, Math.min(hour, day));
}

/** The cap that is used up, in words; undefined when jobs may start. */
export function describeReachedCap(starts: readonly number[], caps: Caps, now: number): string | undefined {
  if (countWithin(starts, HOUR_MS, now) >= caps.perHour) return `${caps.perHour} jobs an hour`;
  if (countWithin(starts, DAY_MS, now) >= caps.perDay) return `${caps.perDay} jobs a day`;
  return undefined;
}

/** The starts that count or will. */
export function dropOldStarts(starts: readonly number[], now: number): number[] {
  return starts.filter((start) => isWithin(start, DAY_MS, now));
}

function countWithin(starts: readonly number[], spanMs: number, now: number): number {
  return starts.filter((start) => isWithin(start, spanMs, now)).length;
}

/**
 * A start of the coming hour (the clock was set back a little) counts: it is a start all the same. A later one does not, since
 * after one hour with a wrong clock it would use up the caps until that date.
 */
function isWithin(start: number, spanMs: number, now: number): boolean {
  return start > now - spanMs && start <= now + HOUR_MS;
}
