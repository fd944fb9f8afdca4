import { getMonotonicMs } from "../../lib/io/monotonic.ts";
import { isSystemError } from "../../lib/io/error-code.ts";
import { createBackoff } from "./backoff.ts";
import type { Claim, Claims } from "../claim.ts";
import type { EventBus } from "../events.ts";
import type { Complaints } from "../health/complaints.ts";
import type { Waiting } from "../inbox/inbox.ts";
import { createFailingFiles } from "./failing-files.ts";
import { abandon, finishDying, processJob, putBack, type JobEffects } from "../process-job.ts";

/** Claims files and works on them; whatever fails in between loses no job. */
export interface JobWorker {
  /** Claims the file and sees it to its end. Never rejects. */
  work(waiting: Waiting): Promise<void>;
  /** It failed a short while ago. */
  isResting(name: string): boolean;
  /** What failed and is still to be done, with how often it failed. */
  listFailed(): readonly { readonly name: string; readonly count: number }[];
  /** Forgets what failed and is not coming back: neither waiting nor being worked on nor to be put back. */
  forgetGone(isThere: (name: string) => boolean): void;
  /** Tries once more to put back what could not be put back. */
  retryStranded(): void;
}

/** A claim that is still to be given up. */
interface Stranded {
  readonly cause: unknown;
  /** Its job needs nothing more; the lock is still there. */
  readonly isOver: boolean;
}

export interface JobWorkerOptions {
  readonly claims: Claims;
  readonly effects: JobEffects;
  readonly bus: EventBus;
  readonly complaints: Complaints;
}

export function createJobWorker({ claims, effects, bus, complaints }: JobWorkerOptions): JobWorker {
  const backoff = createBackoff();
  const failing = createFailingFiles(complaints);
  const stranded = new Map<Claim, Stranded>();

  async function work(waiting: Waiting): Promise<void> {
    let claim: Claim | undefined;
    let isOver = false;
    try {
      claim = claims.take(waiting);
      if (claim === undefined) return;
      bus.emit({ event: "job:claimed", id: claim.id });
      await claims.lock(claim);
      await processJob(claim, effects);
      isOver = true;
      await claims.release(claim);
      backoff.clear(waiting.name);
      failing.worked(waiting.name);
    } catch (error) {
      report(waiting.name, error);
      if (claim !== undefined) await rescue(claim, { cause: error, isOver });
    }
  }

  async function retry(claim: Claim, what: Stranded): Promise<void> {
    const failure = await rescue(claim, what);
    if (failure !== undefined) report(claim.name, failure.error);
  }

  async function rescue(claim: Claim, { cause, isOver }: Stranded): Promise<{ readonly error: unknown } | undefined> {
    stranded.delete(claim);
    let isSettled = isOver;
    try {
      if (!isSettled) settle(claim, cause);
      isSettled = true;
      await claims.release(claim);
      return undefined;
    } catch (error) {
      stranded.set(claim, { cause, isOver: isSettled });
      return { error };
    }
  }

  function settle(claim: Claim, cause: unknown): void {
    if (finishDying(claim, effects)) return;
    if (!effects.isOurs(claim)) bus.emit({ event: "job:lost", id: claim.id });
    else if (isSystemError(cause)) putBack(claim, "the system failed, not the job", effects);
    else abandon(claim, cause, effects);
  }

  function report(name: string, error: unknown): void {
    backoff.add(name, getMonotonicMs());
    failing.failed(name, error);
  }

  return {
    work,
    isResting: (name) => backoff.isOn(name, getMonotonicMs()),
    listFailed: () => backoff.list(),
    forgetGone(isThere) {
      const left = new Set([...stranded.keys()].map(({ name }) => name));
      const isKept = (name: string) => left.has(name) || isThere(name);
      backoff.forget(isKept);
      failing.forget(isKept);
    },
    retryStranded() {
      const now = getMonotonicMs();
      // A list of its own: what fails again is there again.
      const due = [...stranded].filter(([claim]) => !backoff.isOn(claim.name, now));
      for (const [claim, what] of due) void retry(claim, what);
    },
  };
}
