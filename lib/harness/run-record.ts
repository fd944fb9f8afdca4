import type { HookError } from "./render-error.ts";
import { parseRow, type Row } from "../transcript/row.ts";

/** A time as `toISOString` writes it. */
const TIME = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}\.\d{3}Z$/;

/** What is kept of the runs of one event of one harness: counts and durations, nothing that was said. */
export interface RunRecord {
  readonly harness: string;
  readonly event: string;
  /** The latest run, ISO 8601. */
  readonly at: string;
  /** Of the latest run, without the start of Node. */
  readonly duration_ms: number;
  /** Since then `runs` and `errors` are counted, ISO 8601. */
  readonly since: string;
  readonly runs: number;
  /** Runs that met an error. */
  readonly errors: number;
  readonly last_error: RunError | null;
}

/** What a person knows an event as. */
export function nameEvent({ event }: Pick<RunRecord, "event">): string {
  if (event === "Notice") return "notify";
  return event === "other" ? "other events" : event;
}

/** What went wrong, by names alone. */
export interface RunError {
  readonly at: string;
  /** A hook's id, or the part of the edge that met it. */
  readonly hook: string;
  /** The system's code or the error's name, such as `ENOSPC` or `TypeError`. */
  readonly name: string;
}

/** One run of the hook process. */
export interface Run {
  readonly harness: string;
  readonly event: string;
  readonly at: Date;
  readonly durationMs: number;
  readonly errors: readonly HookError[];
}

/** The record with one more run. */
export function addRun(before: RunRecord | undefined, { harness, event, at, durationMs, errors }: Run): RunRecord {
  const time = at.toISOString();
  const [first] = errors;
  return {
    harness,
    event,
    at: time,
    duration_ms: Math.round(durationMs),
    since: before?.since ?? time,
    runs: (before?.runs ?? 0) + 1,
    errors: (before?.errors ?? 0) + (first === undefined ? 0 : 1),
    last_error:
      first === undefined ? (before?.last_error ?? null) : { at: time, hook: first.hook, name: nameError(first) },
  };
}

/** Undefined for a text that is no such record. */
export function parseRunRecord(text: string): RunRecord | undefined {
  const { harness, event, at, duration_ms, since, runs, errors, last_error } = parseRow(text) ?? {};
  if (typeof harness !== "string" || typeof event !== "string" || !isTime(at) || !isTime(since)) return undefined;
  if (!isCount(duration_ms) || !isCount(runs) || !isCount(errors)) return undefined;
  return { harness, event, at, duration_ms, since, runs, errors, last_error: parseRunError(last_error) };
}

function parseRunError(value: unknown): RunError | null {
  const { at, hook, name }: Row = typeof value === "object" && value !== null ? { ...value } : {};
  return isTime(at) && typeof hook === "string" && typeof name === "string" ? { at, hook, name } : null;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && TIME.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** Never its message, which may quote a path or a text; what is no mere name may be one. */
function nameError({ error }: HookError): string {
  if (!(error instanceof Error)) return "Error";
  const name = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return /^\w{1,40}$/.test(name) ? name : "Error";
}
