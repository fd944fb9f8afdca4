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
  /** How many of one hook, by the short hash of its name. */
  readonly hookStartsLeft: (hook: string) => number;
}

export interface JobSelection {
  /** To be claimed now, in this order. */
  readonly chosen: readonly Waiting[];
  /** Could have a slot, were it not for a cap. */
  readonly capped: readonly Waiting[];
}

/** Needs no slot and counts against no cap: it is decided without asking anyone. */
export function isFree(waiting: Waiting, now: number): boolean {
  if (isQuestion(waiting)) return waiting.expiresAt <= now || waiting.shed !== undefined;
  return waiting.kind === "evidence" || waiting.kind === "bad";
}

export function isQuestion(waiting: Waiting): boolean {
  return waiting.kind === "default" || waiting.kind === "investigate";
}

/**
 * The oldest of more questions than may wait, `limit` of them at most, in the order of `waiting`: what they ask about is furthest back. With
 * `maxWaiting` 0 any number may wait.
 */
export function selectShed(waiting: readonly Waiting[], maxWaiting: number, now: number, limit: number): Waiting[] {
  const questions = maxWaiting === 0 ? [] : waiting.filter((job) => isQuestion(job) && !isFree(job, now));
  const tooMany = Math.max(0, questions.length - maxWaiting);
  const shed = `shed: more than ${maxWaiting} questions waited, and this was one of the oldest`;
  return questions.slice(0, Math.min(tooMany, Math.max(0, limit))).map((job) => ({ ...job, shed }));
}

/**
 * Which of the waiting files to claim. `waiting` comes oldest first, and so do the chosen ones, those that need no slot before all
 * others. One slot is never given to investigate; where there is only one, investigate gets it when no default job waits.
 */
export function selectJobs(waiting: readonly Waiting[], load: Load): JobSelection {
  const chosen = waiting.filter((job) => isFree(job, load.now)).slice(0, Math.max(0, load.freeLeft));
  const capped: Waiting[] = [];
  const questions = waiting.filter((job) => isQuestion(job) && !isFree(job, load.now));
  const defaultWaits = questions.some((job) => job.kind === "default");
  const maxInvestigating = load.concurrency > 1 ? load.concurrency - 1 : defaultWaits ? 0 : 1;
  let { asking, investigating, startsLeft } = load;
  const chosenOf = new Map<string, number>();
  for (const job of questions) {
    const isDeep = job.kind === "investigate";
    if (asking >= load.concurrency || (isDeep && investigating >= maxInvestigating)) continue;
    const ofHook = chosenOf.get(job.hook) ?? 0;
    if (startsLeft <= 0 || ofHook >= load.hookStartsLeft(job.hook)) {
      capped.push(job);
      continue;
    }
    chosen.push(job);
    chosenOf.set(job.hook, ofHook + 1);
    asking += 1;
    startsLeft -= 1;
    if (isDeep) investigating += 1;
  }
  return { chosen, capped };
}
