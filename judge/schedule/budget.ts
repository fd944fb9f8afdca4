/** Most jobs that may ask a model in any hour and in any 24 hours. */
export interface Caps {
  readonly perHour: number;
  readonly perDay: number;
  /** The part of both, rounded up, that one hook may use. */
  readonly hookShare: number;
}

/** A job that began to ask a model. */
export interface Start {
  /** Ms since 1970. */
  readonly at: number;
  /** What tells it from all others; null when an older build counted it. */
  readonly name: string | null;
  /** The short hash of the hook's name; null as above: it counts for every hook's caps and for no hook's share. */
  readonly hook: string | null;
}

/** A cap that is used up. */
export interface ReachedCap {
  readonly of: "an hour" | "a day";
  readonly limit: number;
  readonly used: number;
  /** It is what one hook may use, and not what all may. */
  readonly isShare: boolean;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const spans = [
  { ms: HOUR_MS, of: "an hour", getCap: ({ perHour }: Caps) => perHour },
  { ms: DAY_MS, of: "a day", getCap: ({ perDay }: Caps) => perDay },
] as const;

/** How many jobs may start now, in any order of `starts`. With `hook`, a short hash, how many of that hook, whatever the others did. */
export function countStartsLeft(starts: readonly Start[], caps: Caps, now: number, hook?: string): number {
  const left = spans.map(({ ms, getCap }) => getLimit(getCap(caps), caps, hook) - countWithin(starts, ms, now, hook));
  return Math.max(0, Math.min(...left));
}

/** The cap that is used up for a hook, in words; undefined when its job may start. */
export function describeReachedCap(
  starts: readonly Start[],
  caps: Caps,
  now: number,
  hook: string,
): string | undefined {
  const reached = findReachedCap(starts, caps, now, hook);
  if (reached === undefined) return undefined;
  const { of, limit, isShare } = reached;
  return isShare ? `the ${limit} jobs ${of} that one hook may ask` : `${limit} jobs ${of}`;
}

/** The cap that is used up for a hook, a short hash; undefined when its job may start. */
export function findReachedCap(
  starts: readonly Start[],
  caps: Caps,
  now: number,
  hook: string,
): ReachedCap | undefined {
  for (const { ms, of, getCap } of spans) {
    const cap = getCap(caps);
    const share = getLimit(cap, caps, hook);
    const used = countWithin(starts, ms, now);
    if (used >= cap) return { of, limit: cap, used, isShare: false };
    const usedOfShare = countWithin(starts, ms, now, hook);
    if (usedOfShare >= share) return { of, limit: share, used: usedOfShare, isShare: true };
  }
  return undefined;
}

/** How many starts of the last hour and of the last day count. */
export function countUsed(starts: readonly Start[], now: number): { readonly hour: number; readonly day: number } {
  return { hour: countWithin(starts, HOUR_MS, now), day: countWithin(starts, DAY_MS, now) };
}

/** The starts that count or will. */
export function dropOldStarts(starts: readonly Start[], now: number): Start[] {
  return starts.filter(({ at }) => isWithin(at, DAY_MS, now));
}

function getLimit(cap: number, { hookShare }: Caps, hook: string | undefined): number {
  return hook === undefined ? cap : Math.ceil(cap * hookShare);
}

function countWithin(starts: readonly Start[], spanMs: number, now: number, hook?: string): number {
  return starts.filter((start) => isWithin(start.at, spanMs, now) && (hook === undefined || start.hook === hook))
    .length;
}

/**
 * A start of the coming hour (the clock was set back a little) counts: it is a start all the same. A later one does not, since
 * after one hour with a wrong clock it would use up the caps until that date.
 */
function isWithin(start: number, spanMs: number, now: number): boolean {
  return start > now - spanMs && start <= now + HOUR_MS;
}
