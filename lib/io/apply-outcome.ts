import { groupByOnce, type OnceGroup } from "../group-once.ts";
import type { Advice, Harness, Hook, HookEvent, HookOutcome, JobDraft, Once } from "../hook.ts";
import type { NonceOf } from "../render-prompt.ts";
import { fillMessage } from "../render-message.ts";
import { stampJob } from "../stamp-job.ts";
import { enqueueJob } from "./enqueue.ts";
import { createJobId } from "./job-id.ts";
import { appendObservation } from "./observed-log.ts";
import { createMark, getMark, isMarked, type Mark } from "./once.ts";
import type { StatePaths } from "./paths.ts";

/** The session a hook ran for, and where what it decided is written. */
export interface Place {
  readonly harness: Harness;
  readonly event: HookEvent;
  /** Absolute. */
  readonly transcript: string;
  /** The same file, symbolic links resolved. */
  readonly realTranscript: string;
  readonly transcriptKey: string;
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly now: Date;
  readonly paths: StatePaths;
  /** See `getMarkerDirs`. */
  readonly markerDirs: ReadonlyMap<string, string>;
  readonly nonceOf: NonceOf;
}

const DAY_MS = 86_400_000;

/**
 * Queues what the hook asks, marks what it says and gives the texts that are to be said now. The job comes first: after a crash in between, the
 * next turn queues it again (and meets it) and says what was not said. Throws the system's error.
 */
export function applyOutcome(hook: Hook, outcome: HookOutcome, place: Place): readonly string[] {
  const said = groupByOnce(outcome).flatMap((group) => {
    const mark = group.once === undefined ? undefined : getHookMark(hook.id, group.once, place);
    if (mark !== undefined && isMarked(mark, place.now)) return [];
    for (const job of group.jobs) queue(hook, job, place);
    if (mark !== undefined && !createMark(mark, place.now)) return [];
    return group.advice.map((advice) => renderAdvice(hook, advice));
  });
  for (const key of outcome.remember ?? []) createMark(getHookMark(hook.id, { key }, place), place.now);
  return said;
}

/** Logs what the hook would have said and asked, each once as in earnest; says and queues nothing. Throws the system's error. */
export function observeOutcome(hook: Hook, outcome: HookOutcome, place: Place): void {
  // Marks of their own: a hook that is set to advise later has said nothing yet.
  const markOf = (once: Once): Mark => getHookMark(`observe:${hook.id}`, once, place);
  const groups = groupByOnce(outcome).filter(({ once }) => once === undefined || createMark(markOf(once), place.now));
  for (const key of outcome.remember ?? []) createMark(markOf({ key }), place.now);
  if (groups.length > 0) appendObservation(place.paths.observedLog, observe(hook, groups, place));
}

function observe({ id }: Hook, groups: readonly OnceGroup[], { event, transcriptKey, now }: Place) {
  return {
    at: now.toISOString(),
    hook: id,
    event,
    transcript_key: transcriptKey,
    messages: groups.flatMap(({ advice }) => advice.map(({ messageId }) => messageId)),
    jobs: groups.flatMap(({ jobs }) => jobs.map(({ ruleId }) => ruleId)),
  };
}

function getHookMark(hook: string, once: Once, { realTranscript, paths, markerDirs }: Place): Mark {
  return getMark({ hook, transcript: realTranscript, onceDir: paths.once, markerDirs }, once);
}

function queue(hook: Hook, draft: JobDraft, place: Place): void {
  const { harness, transcript, transcriptKey, sessionId, turnId, now, nonceOf } = place;
  const origin = { hook: hook.id, ruleId: draft.ruleId, transcriptKey, once: draft.once };
  const job = stampJob(draft, {
    id: createJobId(origin, now),
    hook: hook.id,
    harness,
    transcript,
    transcriptKey,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(turnId === undefined ? {} : { turnId }),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + DAY_MS).toISOString(),
    nonceOf,
  });
  enqueueJob(job, place.paths);
}

function renderAdvice(hook: Hook, { messageId, data }: Advice): string {
  const message = hook.messages[messageId];
  if (message === undefined) throw new Error(`expected a message ${messageId} in hook ${hook.id}, got none; add it`);
  return `${hook.id}: ${fillMessage(message, data)}`;
}
