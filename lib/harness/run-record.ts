import type { HookError } from "./render-error.ts";
import { parseRow, type Row } from "../transcript/row.ts";

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
  if (typeof harness !== "string" || typeof event !== "string" || typeof at !== "string" || typeof since !== "string")
    return undefined;
  if (typeof duration_ms !== "number" || typeof runs !== "number" || typeof errors !== "number") return undefined;
  return { harness, event, at, duration_ms, since, runs, errors, last_error: parseRunError(last_error) };
}

function parseRunError(value: unknown): RunError | null {
  const { at, hook, name }: Row = typeof value === "object" && value !== null ? { ...value } : {};
  return typeof at === "string" && typeof hook === "string" && typeof name === "string" ? { at, hook, name } : null;
}

/** Never its message, which may quote a path or a text. */
function nameError({ error }: HookError): string {
  if (!(error instanceof Error)) return "Error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
