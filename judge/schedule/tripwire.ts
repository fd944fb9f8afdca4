import type { StatePaths } from "../../lib/io/paths.ts";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import type { JudgeEvent } from "../events.ts";
import type { Waiting } from "../inbox/inbox.ts";
import { readTrip, writeTrip } from "../state/trip-file.ts";
import { isQuestion } from "./select-jobs.ts";
import { describeTrip, findAbsurdDrop, isAhead, selectRecent, TRIP_MS, type Trip } from "./trip.ts";

/** Sees that questions come at an absurd rate, as from a hook that answers itself, and says whether they may be asked. */
export interface Tripwire {
  /** Counts what is new among the files of the inbox. Undefined: they may be asked. Throws the system's error. */
  look(waiting: readonly Waiting[], now: number): Trip | undefined;
}

export interface TripwireOptions {
  readonly paths: StatePaths;
  /** Questions a minute; 0: any number. */
  readonly getLimit: () => number;
  readonly emit: (event: JudgeEvent) => void;
}

/** So many names are remembered: what is put back into the inbox is not new. */
const MAX_NAMES = 10_000;
/** The file is written again when it would last so much longer. */
const STEP_MS = 10_000;

/**
 * Drops are counted by their own times: a backlog of many hours is none. The state is in `run/tripped.json`, which every watcher looks at
 * each time: it outlives a restart, and a person who removes it ends it for all.
 */
export function createTripwire({ paths, getLimit, emit }: TripwireOptions): Tripwire {
  const names = new Set<string>();
  let drops: readonly number[] = [];
  let lastAbsurd = -Infinity;
  let current: Trip | undefined;
  let isWritten = false;
  /** What was dropped before was looked at by a person. */
  let forgiven = -Infinity;

  function count(waiting: readonly Waiting[], limit: number, now: number): void {
    const fresh = waiting.filter((job) => isQuestion(job) && !names.has(job.name));
    for (const { name } of fresh) names.add(name);
    for (const name of names) {
      if (names.size <= MAX_NAMES) break;
      names.delete(name);
    }
    forgiven = Math.min(forgiven, now);
    const times = fresh.map(({ droppedAt }) => droppedAt);
    const counted = [...selectRecent(drops, now), ...times.filter((at) => at > forgiven && !isAhead(at, now))];
    // Never ahead of the clock: one that is set back would make it last.
    lastAbsurd = Math.min(now, Math.max(lastAbsurd, findAbsurdDrop(counted, limit) ?? -Infinity));
    drops = selectRecent(counted, now);
  }

  function forgive(now: number): void {
    forgiven = now;
    drops = [];
    lastAbsurd = -Infinity;
  }

  function tell(found: Trip | undefined, own: boolean): void {
    if (found === undefined) {
      if (current !== undefined) emit({ event: "watcher:note", message: "questions are asked again" });
    } else if (current === undefined) {
      const message = describeEnd(found, paths);
      if (own) emit({ event: "watcher:error", what: "the rate of questions", message });
      else emit({ event: "watcher:note", message });
    }
    current = found;
  }

  /** Where it cannot be written it holds for this watcher alone, and is written at the next look. */
  function write(trip: Trip): boolean {
    try {
      writeTrip(paths, trip);
      return true;
    } catch {
      return false;
    }
  }

  return {
    look(waiting, now) {
      const limit = getLimit();
      const found = readTrip(paths, now);
      if (limit === 0) {
        if (found !== undefined) unlinkQuietly(paths.tripped);
        names.clear();
        forgive(now);
        tell(undefined, false);
        return undefined;
      }
      if (current !== undefined && isWritten && found === undefined && now < current.until) forgive(now);
      count(waiting, limit, now);
      const until = lastAbsurd + TRIP_MS;
      const isLonger = until > now && until > (found?.until ?? -Infinity) + (found === undefined ? 0 : STEP_MS);
      const trip = isLonger ? { since: found?.since ?? now, until, limit } : found;
      tell(trip, isLonger);
      isWritten = trip !== undefined && (!isLonger || write(trip));
      return trip;
    },
  };
}

/** What came, what that means and what a person can do. */
export function describeEnd(trip: Trip, { tripped, inbox }: StatePaths): string {
  const until = new Date(trip.until).toISOString();
  return `${describeTrip(trip)}; none is asked until ${until}; see what fills ${inbox}, and remove ${tripped} to go on at once`;
}
