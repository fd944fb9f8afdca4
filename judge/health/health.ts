import { join } from "node:path";
import { isRecord } from "../../inbox-schema/describe.ts";
import { parseObject } from "../../inbox-schema/problem.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { isTime } from "../../lib/io/time.ts";
import type { Problem, Tally, TalliedError } from "./tally.ts";

/**
 * How one watcher is. It writes it into a file of its own beside the locks, and into `run/health.json`, where of several
 * watchers the last one to write is seen.
 */
export interface Health {
  /** When it was written; ISO 8601, as all times here. */
  readonly at: string;
  readonly pid: number;
  readonly instance: string;
  readonly version: string;
  readonly started_at: string;
  readonly last_scan_at: string | null;
  /** The longest that its event loop was held up since the health before, in ms: everything waits that long. */
  readonly loop_lag_ms: number;
  /** Job files in the inbox at that scan. */
  readonly waiting: number;
  /** Files in these folders, all watchers' together. */
  readonly queue: Readonly<Record<"inbox" | "dead" | "outbox", number>>;
  /** The jobs that runners are asked about. */
  readonly running: readonly RunningJob[];
  /** Since it started. */
  readonly counts: Tally["counts"];
  readonly last_error: TalliedError | null;
  /** What failed and has not worked since, the oldest first. Not empty: it is degraded. */
  readonly problems: readonly Problem[];
}

export interface RunningJob {
  readonly id: string;
  readonly since: string;
  /** Of the runner that is being asked; null when none was recorded yet. */
  readonly limit_seconds: number | null;
}

/** What others need of it. An older watcher's has no `loop_lag_ms` (null) and no `problems` (empty). */
export type HealthView = Pick<Health, "at" | "instance" | "last_scan_at" | "last_error" | "problems"> & {
  readonly loop_lag_ms: number | null;
};

/** A watcher writes its health this often. */
export const HEALTH_INTERVAL_MS = 5000;
/** One whose health is older hangs. */
export const MAX_HEALTH_AGE_MS = 20_000;

/** The newest health of any watcher. Undefined when none has written one, or it is broken. */
export function readHealth(paths: StatePaths): HealthView | undefined {
  return readHealthAt(paths.health);
}

/** The health of one watcher. Undefined when it has written none yet (or is of an older version), or it is broken. */
export function readWatcherHealth(paths: StatePaths, instance: string): HealthView | undefined {
  return readHealthAt(getHealthPath(paths, instance));
}

/** Where a watcher writes the health that is its own. */
export function getHealthPath({ watcherHealth }: StatePaths, instance: string): string {
  return join(watcherHealth, `${instance}.json`);
}

function readHealthAt(path: string): HealthView | undefined {
  const text = findSmallText(path);
  return text === undefined ? undefined : parseHealth(text);
}

function parseHealth(text: string): HealthView | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { at, instance, last_scan_at, last_error, loop_lag_ms, problems } = parsed.value;
  if (!isTime(at) || typeof instance !== "string") return undefined;
  return {
    at,
    instance,
    last_scan_at: isTime(last_scan_at) ? last_scan_at : null,
    loop_lag_ms: typeof loop_lag_ms === "number" ? loop_lag_ms : null,
    last_error: parseError(last_error),
    problems: Array.isArray(problems) ? problems.flatMap((problem) => parseProblem(problem) ?? []) : [],
  };
}

function parseError(value: unknown): TalliedError | null {
  if (!isRecord(value)) return null;
  const { at, what, message, over_at } = value;
  if (!isTime(at) || typeof what !== "string" || typeof message !== "string") return null;
  return { at, what, message, ...(isTime(over_at) && { over_at }) };
}

function parseProblem(value: unknown): Problem | undefined {
  if (!isRecord(value)) return undefined;
  const { since, what, message } = value;
  if (!isTime(since) || typeof what !== "string" || typeof message !== "string") return undefined;
  return { since, what, message };
}
