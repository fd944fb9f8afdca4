import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../lib/io/publish-file.ts";
import type { JudgeEvent } from "./events.ts";

/** `first`: this verdict is the one of its id. `duplicate`: there was one already, and it stays. `stopped`: none was written. */
export type Published = "first" | "duplicate" | "stopped";

export interface PublishPatience {
  readonly id: string;
  /** Says that the watcher cannot wait any longer. */
  readonly signal: AbortSignal;
  readonly emit: (event: JudgeEvent) => void;
}

/** A full disk may be emptied: so long a verdict is kept in memory before the job is given back. */
const PATIENCE_MS = 10 * 60 * 1000;

/** Calls `publish` until it works. Rejects with the system's error when that stays, and at once when it is not a passing one. */
export async function publishPatiently(
  publish: () => boolean,
  { id, signal, emit }: PublishPatience,
): Promise<Published> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let waitMs = 1000; ; waitMs = Math.min(2 * waitMs, 30_000)) {
    try {
      return publish() ? "first" : "duplicate";
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      const message = `the verdict on ${id} cannot be written (${String(error)}); trying again in ${waitMs / 1000} s`;
      emit({ event: "watcher:error", what: "outbox", message });
    }
    // Only the signal ends it early.
    await delay(waitMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return "stopped";
  }
}

/** Somebody may make room, or mount it writable again. */
function isPassing(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EMFILE", "ENFILE"].includes(errorCode(error) ?? "");
}
