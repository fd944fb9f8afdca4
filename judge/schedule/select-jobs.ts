import type { Waiting } from "../inbox/inbox.ts";

export interface Load {
  readonly now: number;
  /** Jobs that ask a model at the same time, at most. */
  readonly concurrency: number;
  /** Asking now, in either mode. */
  readonly asking: number;
  /** Of these, in investigate mode. */
  readonly investigating: number;
  /** How many more that need no slot may be taken. */
  readonly freeLeft: number;
  /** How many more may start before a cap is reached. */
  readonly startsLeft: number;
}

export interface Selection {
  /** To be claimed now, in this order. */
  readonly chosen: readonly Waiting[];
  /** Could have a slot, were it not for a cap. */
  readonly capped: readonly Waiting[];
}

/** Needs no slot and counts against no cap: it is decided without asking anyone. */
export function isFree(waiting: Waiting, now: number): boolean {
  return waiting.kind === "evidence" || waiting.kind === "bad" || (isQuestion(waiting) && waiting.expiresAt <= now);
}

export function isQuestion(waiting: Waiting): boolean {
  return waiting.kind === "default" || waiting.kind === "investigate";
}

/**
 * Which of the waiting files to claim. `waiting` comes oldest first, and so do the chosen ones, those that need no slot before all
 * others. One slot is never given to investigate; where there is only one, investigate gets it when no default job waits.
 */
export function selectJobs(waiting: readonly Waiting[], load: Load): Selection {
  const chosen = waiting.filter((job) => isFree(job, load.now)).slice(0, Math.max(0, load.freeLeft));
  const capped: Waiting[] = [];
  const questions = waiting.filter((job) => isQuestion(job) && !isFree(job, load.now));
  const defaultWaits = questions.some((job) => job.kind === "default");
  const maxInvestigating = load.concurrency > 1 ? load.concurrency - 1 : defaultWaits ? 0 : 1;
  let { asking, investigating, startsLeft } = load;
  for (const job of questions) {
    const isDeep = job.kind === "investigate";
    if (asking >= load.concurrency || (isDeep && investigating >= maxInvestigating)) continue;
    if (startsLeft <= 0) {
      capped.push(job);
      continue;
    }
    chosen.push(job);
    asking += 1;
    startsLeft -= 1;
    if (isDeep) investigating += 1;
  }
  return { chosen, capped };
}
