import type { Outcome } from "../inbox-schema/verdict.ts";
import type { JobEvent } from "./events.ts";

/**
 * The life of one job, as the watcher that holds it sees it:
 *
 *   queued --claimed--> claimed --start--> running --judged--> judged
 *     ^                  |  |  |              |
 *     +---- requeued ----+  |  +--- judged ---|-------------> judged    evidence, expired, or a verdict was there already
 *     +---- requeued -------|-----------------+                         stopped: the attempt is given back
 *                           +------ dead -----------------> dead        unusable, or tried 3 times
 *
 * Where a job lies tells its state, so a crash loses nothing and no state is kept anywhere else: `inbox/<id>.json` is queued,
 * `claimed/<instance>/<id>.json` is claimed, an `<id>.run.json` beside it running, `outbox/<id>.json` judged, `dead/` dead.
 * A claim that another instance took away is lost: that instance believed us dead and answers for the job now.
 */
export type JobState =
  | { readonly at: "queued" }
  | { readonly at: "claimed" }
  | { readonly at: "running"; readonly attempt: number }
  | { readonly at: "judged"; readonly outcome: Outcome | null }
  | { readonly at: "dead"; readonly code: string }
  | { readonly at: "lost" };

const allowedFrom: Readonly<Record<JobEvent["event"], readonly JobState["at"][]>> = {
  "job:claimed": ["queued"],
  "job:start": ["claimed"],
  "attempt:failed": ["running"],
  "job:requeued": ["claimed", "running"],
  "job:judged": ["claimed", "running"],
  "job:duplicate": ["claimed", "running"],
  "job:dead": ["claimed", "running"],
  "job:lost": ["claimed", "running"],
};

/** The next state. Throws on an event that cannot happen in this state: that is a mistake in the watcher. */
export function advance(state: JobState, event: JobEvent): JobState {
  const expected = allowedFrom[event.event];
  if (!expected.includes(state.at)) {
    throw new Error(
      `expected ${event.event} of job ${event.id} when ${expected.join(" or ")}, got it when ${state.at}`,
    );
  }
  return getNext(state, event);
}

function getNext(state: JobState, event: JobEvent): JobState {
  if (event.event === "job:claimed") return { at: "claimed" };
  if (event.event === "job:start") return { at: "running", attempt: event.attempt };
  if (event.event === "job:requeued") return { at: "queued" };
  if (event.event === "job:judged") return { at: "judged", outcome: event.outcome };
  if (event.event === "job:duplicate") return { at: "judged", outcome: null };
  if (event.event === "job:dead") return { at: "dead", code: event.code };
  return event.event === "job:lost" ? { at: "lost" } : state;
}
