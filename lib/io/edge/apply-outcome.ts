import { groupByOnce, type OnceGroup } from "../../outcome/group-once.ts";
import type { Advice, Harness, Hook, HookEvent, HookOutcome, JobDraft, Once } from "../../hook.ts";
import { toPlainLine } from "../../plain-line.ts";
import type { NonceOf } from "../../outcome/render-prompt.ts";
import { fillMessage } from "../../outcome/render-message.ts";
import { stampJob } from "../../outcome/stamp-job.ts";
import { crashAt } from "../crash-point.ts";
import { enqueueJob } from "../enqueue.ts";
import { createJobId } from "./job-id.ts";
import { appendObservation } from "./observed-log.ts";
import { createMark, createUnsaidMark, getMark, isMarked, removeMark, type Mark } from "./once.ts";
import type { StatePaths } from "../paths.ts";

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

const nothing: Applied = { said: [], errors: [], marks: [] };

/** What came of an outcome: a part that could not be written down is said all the same. */
export interface Applied {
  /** To be said now. */
  readonly said: readonly string[];
  readonly errors: readonly unknown[];
  /** Made for what is to be said: to be settled once it is, and taken back when it could not be. */
  readonly marks: readonly Mark[];
}

/**
 * Queues what the hook asks, marks what it says and gives the texts that are to be said now. The job comes first: after a crash in between, a
 * later turn queues it again (and meets it) and says what was not said. Where a job or a mark cannot be written, its text is said nevertheless,
 * and again at the next turn. Throws only for a message that the hook does not have.
 */
export function applyOutcome(hook: Hook, outcome: HookOutcome, place: Place): Applied {
  const parts = groupByOnce(outcome).map((group) => applyGroup(hook, group, place));
  const owned = (outcome.remember ?? []).flatMap((key) => remember(getHookMark(hook.id, { key }, place), place.now));
  return {
    said: parts.flatMap(({ said }) => said),
    errors: [...parts.flatMap(({ errors }) => errors), ...owned],
    marks: parts.flatMap(({ marks }) => marks),
  };
}

function applyGroup(hook: Hook, group: OnceGroup, place: Place): Applied {
  const mark = group.once === undefined ? undefined : getHookMark(hook.id, group.once, place);
  if (mark !== undefined && isMarked(mark, place.now)) return nothing;
  const said = group.advice.map((advice) => renderAdvice(hook, advice));
  try {
    for (const job of group.jobs) queue(hook, job, place);
    if (mark === undefined) return { said, errors: [], marks: [] };
    if (!createUnsaidMark(mark, place.now)) return nothing;
    crashAt("E1 marked");
    return { said, errors: [], marks: [mark] };
  } catch (error) {
    return { said, errors: [error], marks: [] };
  }
}

function remember(mark: Mark, now: Date): unknown[] {
  try {
    createMark(mark, now);
    return [];
  } catch (error) {
    return [error];
  }
}

/** Logs what the hook would have said and asked, each once as in earnest; says and queues nothing. Throws the system's error. */
export function observeOutcome(hook: Hook, outcome: HookOutcome, place: Place): void {
  // Marks of their own: a hook that is set to advise later has said nothing yet.
  const markOf = (once: Once): Mark => getHookMark(`observe:${hook.id}`, once, place);
  const made: Mark[] = [];
  const isNew = (once: Once): boolean => {
    const mark = markOf(once);
    if (!createMark(mark, place.now)) return false;
    made.push(mark);
    return true;
  };
  try {
    const groups = groupByOnce(outcome).filter(({ once }) => once === undefined || isNew(once));
    for (const key of outcome.remember ?? []) createMark(markOf({ key }), place.now);
    if (groups.length > 0) appendObservation(place.paths.observedLog, observe(hook, groups, place));
  } catch (error) {
    // A later turn counts it.
    made.forEach(removeMark);
    throw error;
  }
}

function observe({ id }: Hook, groups: readonly OnceGroup[], { event, transcriptKey, now }: Place) {
  const drafts = groups.flatMap(({ jobs }) => jobs);
  return {
    at: now.toISOString(),
    hook: id,
    event,
    transcript_key: transcriptKey,
    messages: groups.flatMap(({ advice }) => advice.map(({ messageId }) => messageId)),
    jobs: drafts.map(({ ruleId }) => ruleId),
    questions: drafts.filter((draft) => !("answer" in draft)).length,
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
  return toPlainLine(`${hook.id}: ${fillMessage(message, data)}`);
}
