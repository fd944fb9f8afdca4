import type { Outcome } from "../../inbox-schema/verdict.ts";
import type { JudgeEvent } from "../events.ts";

/** What a watcher did since it started. */
export interface Tally {
  readonly counts: Readonly<Record<Outcome | "dead" | "requeued", number>>;
  readonly lastError: TalliedError | null;
}

export interface TalliedError {
  /** ISO 8601. */
  readonly at: string;
  readonly what: string;
  readonly message: string;
}

export const emptyTally: Tally = { counts: { hit: 0, clean: 0, unchecked: 0, dead: 0, requeued: 0 }, lastError: null };

/** The tally after one more event. */
export function addToTally({ counts, lastError }: Tally, event: JudgeEvent, at: string): Tally {
  if (event.event === "watcher:error") return { counts, lastError: { at, what: event.what, message: event.message } };
  const key = getCounted(event);
  return key === undefined ? { counts, lastError } : { counts: { ...counts, [key]: counts[key] + 1 }, lastError };
}

function getCounted(event: JudgeEvent): keyof Tally["counts"] | undefined {
  if (event.event === "job:judged") return event.outcome;
  if (event.event === "job:dead") return "dead";
  return event.event === "job:requeued" ? "requeued" : undefined;
}
