import type { StatePaths } from "../../lib/io/paths.ts";
import type { JudgeEvent } from "../events.ts";
import type { Waiting } from "../inbox/inbox.ts";
import type { JudgeSettings } from "../settings.ts";
import { countStartsLeft, describeReachedCap } from "./budget.ts";
import { isQuestion, selectJobs, selectShed, type JobSelection } from "./select-jobs.ts";
import type { Starts } from "./starts.ts";
import { describeTrip, type Trip } from "./trip.ts";
import { createTripwire } from "./tripwire.ts";

/** A file that is being claimed or worked on. */
export interface Flight {
  readonly slot: "none" | "default" | "investigate";
  /** As in `Waiting`. */
  readonly hook: string;
  /** It is in the file of starts. */
  readonly isCounted: boolean;
}

/** The inbox and what is under way at one moment. */
export interface Situation {
  /** Every file that waits or is worked on, oldest first. */
  readonly all: readonly Waiting[];
  /** Those that may be claimed now. */
  readonly ready: readonly Waiting[];
  readonly flights: readonly Flight[];
}

export interface Choice {
  /** To be claimed, in this order. */
  readonly chosen: readonly Waiting[];
  /** Why questions are not asked, by name, as the start of the reason of their verdicts if they expire meanwhile. */
  readonly holds: ReadonlyMap<string, string>;
  /** The limits could not be read, so no question is asked; what asks nobody is chosen all the same. */
  readonly failure?: { readonly error: unknown };
}

export interface ChooserOptions {
  readonly paths: StatePaths;
  readonly starts: Starts;
  readonly getSettings: () => JudgeSettings;
  readonly emit: (event: JudgeEvent) => void;
}

/** Files that need no slot go this many at a time. */
const MAX_FREE = 8;

/** Weighs what waits against every limit. */
export function createChooser({
  paths,
  starts,
  getSettings,
  emit,
}: ChooserOptions): (situation: Situation, now: number) => Choice {
  const tripwire = createTripwire({ paths, getLimit: () => getSettings().tripPerMinute, emit });
  return ({ all, ready, flights }, now) => {
    const { concurrency, jobsPerHour: perHour, jobsPerDay: perDay, hookShare, maxWaiting } = getSettings();
    const caps = { perHour, perDay, hookShare };
    const limits = attempt(() => ({ trip: tripwire.look(all, now), started: starts.list(now) }));
    const { trip, started } = "error" in limits ? { trip: undefined, started: [] } : limits;
    const count = (test: (flight: Flight) => boolean) => flights.filter(test).length;
    /** Being claimed: not in the file of starts yet. */
    const countUncounted = (hook?: string) =>
      count((flight) => flight.slot !== "none" && !flight.isCounted && (hook === undefined || flight.hook === hook));
    const freeLeft = MAX_FREE - count(({ slot }) => slot === "none");
    const { chosen, capped } = selectJobs(markShed(ready, maxWaiting, now, freeLeft), {
      now,
      concurrency,
      asking: count(({ slot }) => slot !== "none"),
      investigating: count(({ slot }) => slot === "investigate"),
      freeLeft,
      startsLeft: "error" in limits || trip !== undefined ? 0 : countStartsLeft(started, caps, now) - countUncounted(),
      hookStartsLeft: (hook) => countStartsLeft(started, caps, now, hook) - countUncounted(hook),
    });
    if ("error" in limits) return { chosen, holds: new Map(), failure: limits };
    const describeCap = (hook: string) => describeReachedCap(started, caps, now, hook);
    return { chosen, holds: describeHolds(ready, capped, trip, describeCap) };
  };
}

function attempt<T extends object>(read: () => T): T | { readonly error: unknown } {
  try {
    return read();
  } catch (error) {
    return { error };
  }
}

/** The files, those first that are to be shed. */
function markShed(ready: readonly Waiting[], maxWaiting: number, now: number, limit: number): readonly Waiting[] {
  const shed = selectShed(ready, maxWaiting, now, limit);
  const names = new Set(shed.map(({ name }) => name));
  return shed.length === 0 ? ready : [...shed, ...ready.filter(({ name }) => !names.has(name))];
}

function describeHolds(
  ready: readonly Waiting[],
  capped: JobSelection["capped"],
  trip: Trip | undefined,
  describeCap: (hook: string) => string | undefined,
): Map<string, string> {
  if (trip === undefined)
    return new Map(capped.map(({ name, hook }) => [name, `cap: ${describeCap(hook) ?? "all jobs"} were used up`]));
  const hold = `${describeTrip(trip)}, and none was asked`;
  return new Map(ready.filter(isQuestion).map(({ name }) => [name, hold]));
}
