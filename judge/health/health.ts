import { parseObject } from "../../inbox-schema/problem.ts";
import { isRecord } from "../../inbox-schema/describe.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import type { Tally, TalliedError } from "./tally.ts";
import { isTime } from "../time.ts";

/** How one watcher is, as it last wrote it into `run/health.json`. Of several watchers the last one to write is seen. */
export interface Health {
  /** When it was written; ISO 8601, as all times here. */
  readonly at: string;
  readonly pid: number;
  readonly instance: string;
  readonly version: string;
  readonly started_at: string;
  readonly last_scan_at: string | null;
  /** Job files in the inbox at that scan. */
  readonly waiting: number;
  /** The ids of jobs that runners are asked about. */
  readonly running: readonly string[];
  /** Since it started. */
  readonly counts: Tally["counts"];
  readonly last_error: TalliedError | null;
}

/** What others need of it. */
export type HealthView = Pick<Health, "at" | "instance" | "last_scan_at" | "last_error">;

/** A watcher writes its health this often. */
export const HEALTH_INTERVAL_MS = 5000;
/** One whose health is older hangs. */
export const MAX_HEALTH_AGE_MS = 20_000;

/** Undefined when no watcher has written one, or it is broken. */
export function readHealth(paths: StatePaths): HealthView | undefined {
  const text = findSmallText(paths.health);
  return text === undefined ? undefined : parseHealth(text);
}

function parseHealth(text: string): HealthView | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { at, instance, last_scan_at, last_error } = parsed.value;
  if (!isTime(at) || typeof instance !== "string") return undefined;
  return {
    at,
    instance,
    last_scan_at: isTime(last_scan_at) ? last_scan_at : null,
    last_error: parseError(last_error),
  };
}

function parseError(value: unknown): TalliedError | null {
  if (!isRecord(value)) return null;
  const { at, what, message } = value;
  if (!isTime(at) || typeof what !== "string" || typeof message !== "string") return null;
  return { at, what, message };
}
