import { appendText } from "../../lib/io/append-text.ts";
import { redactRecord } from "../../lib/redact/redact-secrets.ts";
import { rotateFile } from "../../lib/io/rotate-file.ts";
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

/** One event as a line of the log: `{"at":"...","level":"info","event":"job:claimed","id":"..."}`, redacted: messages quote what others said. */
function formatEvent(event: JudgeEvent, at: Date): string {
  return JSON.stringify({ at: at.toISOString(), level: levels[event.event], ...redactRecord(event) });
}

/** Appends every event to the log, and prints it where `echo` is given. Throws, and says which log, when it cannot be written. */
export function createLogListener(path: string, now: () => Date, echo?: (line: string) => void): Listener {
  return (event) => {
    const line = formatEvent(event, now());
    echo?.(line);
    try {
      rotateFile(path, MAX_LOG_BYTES);
      appendText(path, `${line}\n`);
    } catch (error) {
      throw new Error(`expected to write ${path}, got ${String(error)}; make room there`, { cause: error });
    }
  };
}
