import { cutReason } from "../inbox-schema/describe.ts";
import { readEnvelope } from "../inbox-schema/envelope.ts";
import type { Job } from "../inbox-schema/job.ts";
import type { Verdict } from "../inbox-schema/verdict.ts";
import type { AskResult } from "./ask.ts";
import { MAX_ATTEMPTS } from "./attempts.ts";
import type { Claim } from "./claim.ts";
import { superseded, type Death, type DeathCause } from "./dead.ts";
import type { JobEvent } from "./events.ts";
import { getExpiry } from "./expiry.ts";
import type { Published } from "./publish-patiently.ts";
import { isQuestion } from "./schedule.ts";
import type { JobFile } from "./job-file.ts";
import { createVerdict, unchecked, type Findings } from "./verdict.ts";

/** Everything that the steps of a job do to the world. */
export interface JobEffects {
  now(): Date;
  emit(event: JobEvent): void;
  read(claim: Claim): JobFile;
  hasVerdict(id: string): boolean;
  countAttempts(id: string): number;
  addAttempt(id: string): void;
  refundAttempt(id: string): void;
  /** Asks the runners, or weighs the evidence that the job brings. */
  ask(job: Job, claim: Claim): Promise<AskResult>;
  /** Whether the claim is still ours to answer for. */
  isOurs(claim: Claim): boolean;
  getTranscriptKey(transcript: string): string;
  publish(verdict: Verdict): Promise<Published>;
  /** Sees to it that the verdict that is there is delivered. */
  requeueDelivery(id: string): void;
  /** Puts the claim back into the inbox. False: another file of its name is there now. */
  requeue(claim: Claim): boolean;
  bury(claim: Claim, cause: DeathCause): Death;
  /** Removes the claim and what was kept for it. */
  drop(claim: Claim): void;
}

/** Takes one claimed job to its end: judged, dead, or back in the inbox. */
export async function processJob(claim: Claim, effects: JobEffects): Promise<void> {
  const file = effects.read(claim);
  if (file.is === "gone") return lose(claim, effects);
  if (file.is === "half-written") return putBack(claim, "half-written", effects);
  if (file.is === "bad") return die(claim, file, effects);
  const { job } = file;
  if (effects.hasVerdict(job.id)) return dropDuplicate(claim, effects);
  const expiry = getExpiry(job, claim.waiting.droppedAt);
  if (effects.now().getTime() >= expiry) {
    return judgeUnasked(claim, job, unchecked(describeExpiry(expiry, claim.waiting.cap)), effects);
  }
  if (job.answer !== undefined) return judgeUnasked(claim, job, await effects.ask(job, claim), effects);
  if (!isQuestion(claim.waiting)) return putBack(claim, "changed since it was seen, it needs a slot", effects);
  if (effects.countAttempts(job.id) >= MAX_ATTEMPTS) return giveUp(claim, job, effects);
  return askAndJudge(claim, job, effects);
}

async function askAndJudge(claim: Claim, job: Job, effects: JobEffects): Promise<void> {
  effects.addAttempt(job.id);
  const startedAt = effects.now();
  const { id, hook, mode = "default" } = job;
  effects.emit({ event: "job:start", id, hook, mode, attempt: effects.countAttempts(id) });
  let end: "over" | "stopped";
  try {
    end = await askAndPublish(claim, job, effects, startedAt);
  } catch (error) {
    // Not the job's doing, such as a full disk: it may be tried as often as before.
    effects.refundAttempt(id);
    throw error;
  }
  if (end === "over") return;
  if (effects.isOurs(claim)) effects.refundAttempt(id);
  stop(claim, effects);
}

async function askAndPublish(
  claim: Claim,
  job: Job,
  effects: JobEffects,
  startedAt: Date,
): Promise<"over" | "stopped"> {
  const { id } = job;
  const asked = await effects.ask(job, claim);
  for (const { ok, runner, duration_ms } of asked.attempts) {
    if (!ok) effects.emit({ event: "attempt:failed", id, runner, duration_ms });
  }
  return asked.aborted ? "stopped" : judge(claim, job, asked, effects, startedAt);
}

async function judgeUnasked(claim: Claim, job: Job, findings: Findings, effects: JobEffects): Promise<void> {
  if ((await judge(claim, job, findings, effects)) === "stopped") stop(claim, effects);
}

function stop(claim: Claim, effects: JobEffects): void {
  if (effects.isOurs(claim)) putBack(claim, "the watcher is stopping", effects);
  else lose(claim, effects);
}

/** `stopped`: the verdict could not be written before the watcher has to end; nothing is decided. */
async function judge(
  claim: Claim,
  job: Job,
  findings: Findings,
  effects: JobEffects,
  startedAt?: Date,
): Promise<"over" | "stopped"> {
  if (!effects.isOurs(claim)) {
    lose(claim, effects);
    return "over";
  }
  const key = job.transcript_key ?? effects.getTranscriptKey(job.transcript);
  const verdict = createVerdict(job, key, findings, { ...(startedAt && { startedAt }), finishedAt: effects.now() });
  const published = await effects.publish(verdict);
  if (published === "stopped") return "stopped";
  effects.drop(claim);
  const { id, hook, outcome, runner } = verdict;
  effects.emit(
    published === "first" ? { event: "job:judged", id, hook, outcome, runner } : { event: "job:duplicate", id },
  );
  return "over";
}

/** Also what finishes a job whose watcher died between verdict and clean-up. */
function dropDuplicate(claim: Claim, effects: JobEffects): void {
  effects.requeueDelivery(claim.id);
  effects.drop(claim);
  effects.emit({ event: "job:duplicate", id: claim.id });
}

/** Puts the claim back into the inbox. */
export function putBack(claim: Claim, reason: string, effects: JobEffects): void {
  if (effects.requeue(claim)) return effects.emit({ event: "job:requeued", id: claim.id, reason });
  die(claim, superseded, effects);
}

function giveUp(claim: Claim, job: Job, effects: JobEffects): void {
  const reason = `tried ${MAX_ATTEMPTS} times, and each time the watcher ended before there was an answer`;
  die(claim, { code: "attempts", reason, envelope: readEnvelope(job, job.id) }, effects);
}

/** An error in our own code would come again for ever: the job goes where it can be looked at. */
export function abandon(claim: Claim, error: unknown, effects: JobEffects): void {
  const file = effects.read(claim);
  const envelope = file.is === "job" ? readEnvelope(file.job, claim.id) : file.is === "bad" ? file.envelope : {};
  die(claim, { code: "internal", reason: cutReason(`the judge failed: ${String(error)}`), envelope }, effects);
}

function die(claim: Claim, cause: DeathCause, effects: JobEffects): void {
  const { code, file } = effects.bury(claim, cause);
  effects.emit({ event: "job:dead", id: claim.id, code, file });
}

function lose(claim: Claim, effects: JobEffects): void {
  effects.emit({ event: "job:lost", id: claim.id });
}

function describeExpiry(expiry: number, cap: string | undefined): string {
  const moment = new Date(expiry).toISOString();
  if (cap === undefined) return `expired: it was not judged before ${moment}`;
  return `cap: ${cap} were used up until this one expired at ${moment}`;
}
