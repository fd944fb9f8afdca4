import { appendFileSync, renameSync, statSync } from "node:fs";
import type { JudgeEvent, Listener } from "../events.ts";

type Level = "info" | "warn" | "error";

/** A log of this size becomes `judge.log.1`, so both together stay bounded. */
const MAX_LOG_BYTES = 10 * 1024 * 1024;

const levels: Readonly<Record<JudgeEvent["event"], Level>> = {
  "job:claimed": "info",
  "job:start": "info",
  "attempt:failed": "warn",
  "job:judged": "info",
  "job:duplicate": "info",
  "job:requeued": "warn",
  "job:dead": "error",
  "job:lost": "warn",
  "watcher:ready": "info",
  "watcher:stopping": "info",
  "watcher:stop": "info",
  "watcher:reloaded": "info",
  "watcher:error": "error",
  "watcher:recovered": "info",
  "watcher:note": "info",
  "janitor:reclaimed": "warn",
};

/** One event as a line of the log: `{"at":"...","level":"info","event":"job:claimed","id":"..."}`. */
function formatEvent(event: JudgeEvent, at: Date): string {
  return JSON.stringify({ at: at.toISOString(), level: levels[event.event], ...event });
}

/** Appends every event to the log, and prints it where `echo` is given. Throws, and says which log, when it cannot be written. */
export function createLogListener(path: string, now: () => Date, echo?: (line: string) => void): Listener {
  return (event) => {
    const line = formatEvent(event, now());
    echo?.(line);
    try {
      rotate(path);
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
    } catch (error) {
      throw new Error(`expected to write ${path}, got ${String(error)}; make room there`, { cause: error });
    }
  };
}

/** Two watchers may both rotate at the same moment; then a short log becomes the old one, which loses no running job. */
function rotate(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size >= MAX_LOG_BYTES) renameSync(path, `${path}.1`);
}
