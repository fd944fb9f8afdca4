import { setTimeout as delay } from "node:timers/promises";
import { isSystemError } from "../lib/io/error-code.ts";
import type { JudgeEvent } from "./events.ts";

/** `first`: this verdict is the one of its id. `duplicate`: there was one already, and it stays. `stopped`: none was written. */
export type Published = "first" | "duplicate" | "stopped";

export interface PublishPatience {
  readonly id: string;
  /** Says that the watcher cannot wait any longer. */
  readonly signal: AbortSignal;
  readonly emit: (event: JudgeEvent) => void;
}

/** Somebody may make room, mount the disk writable again or give a right back: so long a verdict is kept in memory before the job is given back. */
const PATIENCE_MS = 10 * 60 * 1000;

/**
 * Calls `publish` until it works. Rejects with the system's error when that stays, and at once when it is not the system's: our own mistake
 * would come again. Until then it is a lasting problem of the watcher.
 */
export async function publishPatiently(
  publish: () => boolean,
  { id, signal, emit }: PublishPatience,
): Promise<Published> {
  const what = `writing the verdict on ${id}`;
  const deadline = performance.now() + PATIENCE_MS;
  let hasFailed = false;
  try {
    for (let waitMs = 1000; ; waitMs = Math.min(2 * waitMs, 30_000)) {
      try {
        return publish() ? "first" : "duplicate";
      } catch (error) {
        if (!isSystemError(error) || performance.now() > deadline) throw error;
        if (!hasFailed) emit({ event: "watcher:error", what, message: String(error), lasting: true });
        hasFailed = true;
      }
      // Only the signal ends it early.
      await delay(waitMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return "stopped";
    }
  } finally {
    // Written, or given back: then the job's own failure is told.
    if (hasFailed) emit({ event: "watcher:recovered", what });
  }
}
