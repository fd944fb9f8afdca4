import { errorCode } from "../../lib/io/publish-file.ts";
import { createBackoff } from "./backoff.ts";
import type { Claim, Claims } from "../claim.ts";
import type { EventBus } from "../events.ts";
import type { Waiting } from "../inbox/inbox.ts";
import { abandon, processJob, putBack, type JobEffects } from "../process-job.ts";

/** Claims files and works on them; whatever fails in between loses no job. */
export interface JobWorker {
  /** Claims the file and sees it to its end. Never rejects. */
  work(waiting: Waiting): Promise<void>;
  /** It failed a short while ago. */
  isResting(name: string, now: number): boolean;
  /** What failed and is still to be done, with how often it failed. */
  listFailed(): readonly { readonly name: string; readonly count: number }[];
  /** Forgets what failed and is not coming back: neither waiting nor being worked on nor to be put back. */
  forgetGone(isThere: (name: string) => boolean): void;
  /** Tries once more to put back what could not be put back. */
  retryStranded(now: number): void;
}

export function createJobWorker(claims: Claims, effects: JobEffects, bus: EventBus): JobWorker {
  const backoff = createBackoff();
  const stranded = new Map<Claim, unknown>();

  async function work(waiting: Waiting): Promise<void> {
    let claim: Claim | undefined;
    try {
      claim = claims.take(waiting);
      if (claim === undefined) return;
      bus.emit({ event: "job:claimed", id: claim.id });
      await claims.lock(claim);
      await processJob(claim, effects);
      await claims.release(claim);
      backoff.clear(waiting.name);
    } catch (error) {
      report(waiting.name, error);
      if (claim !== undefined) await rescue(claim, error);
    }
  }

  async function rescue(claim: Claim, cause: unknown): Promise<void> {
    stranded.delete(claim);
    if (!effects.isOurs(claim)) return;
    try {
      if (isSystemError(cause)) putBack(claim, "the system failed, not the job", effects);
      else abandon(claim, cause, effects);
      await claims.release(claim);
    } catch (error) {
      stranded.set(claim, cause);
      report(claim.name, error);
    }
  }

  function report(name: string, error: unknown): void {
    backoff.add(name, effects.now().getTime());
    bus.emit({ event: "watcher:error", what: `job file ${name}`, message: String(error) });
  }

  return {
    work,
    isResting: (name, now) => backoff.isOn(name, now),
    listFailed: () => backoff.list(),
    forgetGone(isThere) {
      const left = new Set([...stranded.keys()].map(({ name }) => name));
      backoff.forget((name) => left.has(name) || isThere(name));
    },
    retryStranded(now) {
      for (const [claim, cause] of stranded) if (!backoff.isOn(claim.name, now)) void rescue(claim, cause);
    },
  };
}

/** A full disk, a permission: not a mistake in our own code, which would come again for ever. */
function isSystemError(error: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errorCode(error) ?? "");
}
