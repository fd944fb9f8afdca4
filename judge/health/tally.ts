import type { Outcome } from "../../inbox-schema/verdict.ts";
import type { JudgeEvent } from "../events.ts";

/** What a watcher did since it started, and what is wrong now. */
export interface Tally {
  readonly counts: Readonly<Record<Outcome | "dead" | "requeued", number>>;
  readonly lastError: TalliedError | null;
  /** The oldest first. */
  readonly problems: readonly Problem[];
}

export interface TalliedError {
  /** ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly message: string;
  /** Since when it works again; absent: it has not since, or was no lasting error. */
  readonly over_at?: string;
}

/** Something that failed and has not worked since. */
export interface Problem {
  /** ISO 8601. */
  readonly since: string;
  readonly what: string;
  /** How it failed the last time. */
  readonly message: string;
}

export const emptyTally: Tally = {
  counts: { hit: 0, clean: 0, unchecked: 0, dead: 0, requeued: 0 },
  lastError: null,
  problems: [],
};

/** The tally after one more event. */
export function addToTally(tally: Tally, event: JudgeEvent, at: string): Tally {
  if (event.event === "watcher:error") {
    const { what, message } = event;
    const lastError = { at, what, message };
    return { ...tally, lastError, ...(event.lasting && { problems: addProblem(tally.problems, lastError) }) };
  }
  if (event.event === "watcher:recovered") {
    const { lastError, problems } = tally;
    return {
      ...tally,
      lastError: lastError?.what === event.what ? { ...lastError, over_at: at } : lastError,
      problems: problems.filter(({ what }) => what !== event.what),
    };
  }
  const key = getCounted(event);
  return key === undefined ? tally : { ...tally, counts: { ...tally.counts, [key]: tally.counts[key] + 1 } };
}

function addProblem(problems: readonly Problem[], { at, what, message }: TalliedError): readonly Problem[] {
  if (!problems.some((problem) => problem.what === what)) return [...problems, { since: at, what, message }];
  return problems.map((problem) => (problem.what === what ? { ...problem, message } : problem));
}

function getCounted(event: JudgeEvent): keyof Tally["counts"] | undefined {
  if (event.event === "job:judged") return event.outcome;
  if (event.event === "job:dead") return "dead";
  return event.event === "job:requeued" ? "requeued" : undefined;
}
