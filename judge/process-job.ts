import { cutReason } from "../inbox-schema/describe.ts";
import { toEnvelope } from "../inbox-schema/envelope.ts";
import type { Job } from "../inbox-schema/job.ts";
import type { ParsedVerdict } from "../inbox-schema/parse-verdict.ts";
import type { Verdict } from "../inbox-schema/verdict.ts";
import type { AskResult } from "./question/ask.ts";
import { MAX_ATTEMPTS } from "./state/attempts.ts";
import type { Claim } from "./claim.ts";
import { superseded, type Death, type DeathCause } from "./dead/bury.ts";
import type { JobEvent } from "./events.ts";
import { getExpiry } from "./inbox/expiry.ts";
import { shortHash } from "../lib/io/transcript-key.ts";
import type { Published } from "./publish-patiently.ts";
import { isQuestion } from "./schedule/select-jobs.ts";
import { isSameJob } from "./duplicate.ts";
import type { JobFile, LoadedJob } from "./inbox/job-file.ts";
import { createVerdict, unchecked, type Findings } from "./verdict.ts";

/** Everything that the steps of a job do to the world. */
export interface JobEffects {
  /** For tests of recovery: the process may die here. */
  crashAt(step: "C5 expired"): void;
  now(): Date;
  emit(event: JobEvent): void;
  read(claim: Claim): JobFile;
  /** Not ok: one of a newer format. What is no verdict at all is moved out of the way. */
  findVerdict(id: string): ParsedVerdict | undefined;
  countAttempts(id: string): number;
  addAttempt(id: string): void;
  refundAttempt(id: string): void;
  /** What is to be said of a question without asking anyone; undefined: somebody has to be asked. */
  findUnasked(job: Job): Findings | undefined;
  /** Counts a job that is about to be asked; gives the cap that forbids it, in words. */
  reserveStart(job: Job): string | undefined;
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
  /** Goes on with a burial that failed half-way; undefined when none was begun. */
  finishDeath(claim: Claim): Death | undefined;
  /** Removes the claim and what was kept for it. */
  drop(claim: Claim): void;
}

/** Takes one claimed job to its end: judged, dead, or back in the inbox. */
export async function processJob(claim: Claim, effects: JobEffects): Promise<void> {
  const file = effects.read(claim);
  if (file.is === "gone") return lose(claim, effects);
  if (file.is === "half-written") return putBack(claim, "half-written", effects);
  if (file.is === "bad") return die(claim, toCause(file), effects);
  const { job } = file;
  const verdict = effects.findVerdict(job.id);
  if (verdict !== undefined) return meetVerdict(claim, file, verdict, effects);
  const expiry = getExpiry(job, claim.waiting.droppedAt);
  if (effects.now().getTime() >= expiry) {
    effects.crashAt("C5 expired");
    return judgeUnasked(claim, file, unchecked(describeExpiry(expiry, claim.waiting.hold)), effects);
  }
  if (job.answer !== undefined) return judgeUnasked(claim, file, await effects.ask(job, claim), effects);
  if (!isQuestion(claim.waiting)) return putBack(claim, "changed since it was seen, it needs a slot", effects);
  if (claim.waiting.shed !== undefined) return judgeUnasked(claim, file, unchecked(claim.waiting.shed), effects);
  const known = effects.findUnasked(job);
  if (known !== undefined) return judgeUnasked(claim, file, known, effects);
  if (effects.countAttempts(job.id) >= MAX_ATTEMPTS) return giveUp(claim, file, effects);
  const cap = effects.reserveStart(job);
  if (cap !== undefined) return putBack(claim, `cap: ${cap} were used up by another watcher`, effects);
  return askAndJudge(claim, file, effects);
}

async function askAndJudge(claim: Claim, file: LoadedJob, effects: JobEffects): Promise<void> {
  const { job } = file;
  effects.addAttempt(job.id);
  const startedAt = effects.now();
  const { id, hook, mode = "default" } = job;
  effects.emit({ event: "job:start", id, hook, mode, attempt: effects.countAttempts(id) });
  const asked = await askOrRefund(job, claim, effects);
  for (const { ok, runner, duration_ms } of asked.attempts) {
    if (!ok) effects.emit({ event: "attempt:failed", id, runner, duration_ms });
  }
  // An answer that cannot be written for good was paid for: its attempt stays counted, or it would be paid for without end.
  const end = asked.aborted ? "stopped" : await judge(claim, file, asked, effects, startedAt);
  if (end === "over") return;
  if (effects.isOurs(claim)) effects.refundAttempt(id);
  stop(claim, effects);
}

async function askOrRefund(job: Job, claim: Claim, effects: JobEffects): Promise<AskResult> {
  try {
    return await effects.ask(job, claim);
  } catch (error) {
    // Not the job's doing, such as a full disk: it may be tried as often as before.
    if (effects.isOurs(claim)) effects.refundAttempt(job.id);
    throw error;
  }
}

async function judgeUnasked(claim: Claim, file: LoadedJob, findings: Findings, effects: JobEffects): Promise<void> {
  if ((await judge(claim, file, findings, effects)) === "stopped") stop(claim, effects);
}

function stop(claim: Claim, effects: JobEffects): void {
  if (effects.isOurs(claim)) putBack(claim, "the watcher is stopping", effects);
  else lose(claim, effects);
}

/** `stopped`: the verdict could not be written before the watcher has to end; nothing is decided. */
async function judge(
  claim: Claim,
  file: LoadedJob,
  findings: Findings,
  effects: JobEffects,
  startedAt?: Date,
): Promise<"over" | "stopped"> {
  if (!effects.isOurs(claim)) {
    lose(claim, effects);
    return "over";
  }
  const { job } = file;
  const origin = { transcriptKey: getKey(job, effects), jobHash: shortHash(file.text) };
  const verdict = createVerdict(job, origin, findings, { ...(startedAt && { startedAt }), finishedAt: effects.now() });
  const published = await effects.publish(verdict);
  if (published === "stopped") return "stopped";
  if (published === "duplicate") {
    const found = effects.findVerdict(job.id);
    if (found !== undefined) meetVerdict(claim, file, found, effects);
    else putBack(claim, "the verdict that came before this one is gone", effects);
    return "over";
  }
  effects.drop(claim);
  const { id, hook, outcome, runner } = verdict;
  effects.emit({ event: "job:judged", id, hook, outcome, runner });
  return "over";
}

/** The id has its verdict. What was judged goes, also when its watcher died before it could clean up; another job is kept. */
function meetVerdict(claim: Claim, file: LoadedJob, found: ParsedVerdict, effects: JobEffects): void {
  const { job, text } = file;
  const { id } = job;
  if (found.ok && isSameJob({ job, text, transcriptKey: getKey(job, effects) }, found.verdict)) {
    effects.requeueDelivery(id);
    effects.drop(claim);
    return effects.emit({ event: "job:duplicate", id });
  }
  const reason = `expected an id that is new, got ${id}, under which another job was judged already; rename the file and drop it again`;
  die(claim, { code: "id_taken", reason, envelope: toEnvelope(job, id), jobHash: shortHash(text) }, effects);
}

function getKey(job: Job, effects: JobEffects): string {
  return job.transcript_key ?? effects.getTranscriptKey(job.transcript);
}

function toCause(refusal: Omit<DeathCause, "jobHash"> & { readonly text?: string | undefined }): DeathCause {
  const { code, reason, envelope, text } = refusal;
  return { code, reason, envelope, ...(text !== undefined && { jobHash: shortHash(text) }) };
}

/** Puts the claim back into the inbox. */
export function putBack(claim: Claim, reason: string, effects: JobEffects): void {
  if (effects.requeue(claim)) return effects.emit({ event: "job:requeued", id: claim.id, reason });
  die(claim, superseded, effects);
}

function giveUp(claim: Claim, { job, text }: LoadedJob, effects: JobEffects): void {
  const reason = `tried ${MAX_ATTEMPTS} times, and each time the watcher ended before there was a verdict, or could not write it`;
  die(claim, { code: "attempts", reason, envelope: toEnvelope(job, job.id), jobHash: shortHash(text) }, effects);
}

/** An error in our own code would come again for ever: the job goes where it can be looked at. */
export function abandon(claim: Claim, error: unknown, effects: JobEffects): void {
  const file = effects.read(claim);
  const envelope = file.is === "job" ? toEnvelope(file.job, claim.id) : file.is === "bad" ? file.envelope : {};
  const text = "text" in file ? file.text : undefined;
  die(
    claim,
    toCause({ code: "internal", reason: cutReason(`the judge failed: ${String(error)}`), envelope, text }),
    effects,
  );
}

function die(claim: Claim, cause: DeathCause, effects: JobEffects): void {
  // Whoever took it for a dead watcher's decides: there may be no folder any more in which this could be written down.
  if (!effects.isOurs(claim)) return lose(claim, effects);
  tellDeath(claim, effects.bury(claim, cause), effects);
}

/** A job whose death has begun has its verdict: it lives no more, whatever failed. False: none has. */
export function finishDying(claim: Claim, effects: JobEffects): boolean {
  const death = effects.finishDeath(claim);
  if (death !== undefined) tellDeath(claim, death, effects);
  return death !== undefined;
}

function tellDeath({ id }: Claim, { code, file }: Death, effects: JobEffects): void {
  effects.emit({ event: "job:dead", id, code, file });
}

function lose(claim: Claim, effects: JobEffects): void {
  effects.emit({ event: "job:lost", id: claim.id });
}

function describeExpiry(expiry: number, hold: string | undefined): string {
  const moment = new Date(expiry).toISOString();
  if (hold === undefined) return `expired: it was not judged before ${moment}`;
  return `${hold} until this one expired at ${moment}`;
}
