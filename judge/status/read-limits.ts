import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { readCodexProvider } from "../runners/read-codex-provider.ts";
import { countUsed } from "../schedule/budget.ts";
import { openStarts } from "../schedule/starts.ts";
import type { Trip } from "../schedule/trip.ts";
import { RUNNERS_VARIABLE, selectRunners } from "../select.ts";
import type { JudgeSettings } from "../settings.ts";
import { readRests, type Rest, type Rests } from "../state/rests-file.ts";
import { readTrip } from "../state/trip-file.ts";
import { isAnyCapReached, listCapped, readAskingHooks, type Capped } from "./capped.ts";
import { findModesAtRest, type ModeAtRest } from "./modes-at-rest.ts";

/** What keeps questions from being asked. What cannot be read is null. */
export interface Limits {
  /** Runners that are not asked for a while, by name. */
  readonly resting: readonly Rest[] | null;
  readonly modesAtRest: readonly ModeAtRest[];
  /** Jobs that began to ask a model. */
  readonly used: { readonly hour: number; readonly day: number } | null;
  readonly capped: readonly Capped[];
  /** Not null: no question is asked. */
  readonly trip: Trip | null;
  /** What could not be read, and why, a line each. */
  readonly unreadable: readonly string[];
}

/** How questions are asked: by the environment and the settings, which are null where they are broken. */
export interface Asking {
  readonly env: Env;
  readonly settings: JudgeSettings | null;
}

/** `jobs` are the names of the job files of the inbox. */
export function readLimits(paths: StatePaths, jobs: readonly string[], asking: Asking, now: Date): Limits {
  const { settings } = asking;
  const time = now.getTime();
  const unreadable: string[] = [];
  const attempt = <T>(path: string, read: () => T): T | null => {
    try {
      return read();
    } catch (error) {
      unreadable.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    }
  };
  const rests = attempt(paths.resting, () => readRests(paths, now));
  const starts = attempt(paths.starts, () => openStarts(paths).list(time));
  const trip = attempt(paths.tripped, () => readTrip(paths, time)) ?? null;
  const caps = settings && { ...settings, perHour: settings.jobsPerHour, perDay: settings.jobsPerDay };
  const isCapped = starts !== null && caps !== null && isAnyCapReached(starts, caps, time);
  return {
    resting: rests && Object.values(rests).sort((a, b) => (a.runner < b.runner ? -1 : 1)),
    modesAtRest: rests === null ? [] : readModesAtRest(rests, asking),
    used: starts && countUsed(starts, time),
    capped: isCapped ? listCapped(readAskingHooks(paths.inbox, jobs, time), starts, caps, time) : [],
    trip,
    unreadable,
  };
}

function readModesAtRest(rests: Rests, { env, settings }: Asking): ModeAtRest[] {
  if (settings === null || Object.keys(rests).length === 0) return [];
  const shared = { override: env[RUNNERS_VARIABLE], runnerSets: settings.runners, provider: readCodexProvider(env) };
  return findModesAtRest(rests, (mode) => selectRunners({ mode, ...shared }));
}
