import type { JobEnvelope } from "../inbox-schema/envelope.ts";
import { cutReason } from "../inbox-schema/describe.ts";
import type { Job } from "../inbox-schema/job.ts";
import { MAX_ANSWER_BYTES, MAX_ON_HIT, MAX_REASON, VERDICT_SCHEMA, type Verdict } from "../inbox-schema/verdict.ts";
import type { AskResult } from "./question/ask.ts";
import { cutText } from "../lib/cut-text.ts";
import { createUnseal } from "../lib/outcome/render-prompt.ts";
import { redactRecord, redactSecrets } from "../lib/redact/redact-secrets.ts";

/** The part of a verdict that is found out by asking. */
export type Findings = Omit<AskResult, "aborted">;

/** Nobody was asked. */
export function unchecked(reason: string): Findings {
  return { outcome: "unchecked", reason: cutReason(reason), runner: null, answer: null, attempts: [] };
}

export interface VerdictTimes {
  /** When the first runner was started; absent: nobody was asked. */
  readonly startedAt?: Date;
  readonly finishedAt: Date;
}

/** What a verdict says of its job that does not stand in it. */
export interface Origin {
  /** Where the verdict is delivered. */
  readonly transcriptKey: string;
  /** The short hash of the file's text; undefined where it could not be read. */
  readonly jobHash: string | undefined;
}

/** The verdict about a job. */
export function createVerdict(job: Job, origin: Origin, findings: Findings, times: VerdictTimes): Verdict {
  const { id, hook, transcript, on_hit, mode = "default" } = job;
  return {
    schema: VERDICT_SCHEMA,
    id,
    hook,
    transcript,
    transcript_key: origin.transcriptKey,
    ...pickProvenance(job),
    on_hit: cutText(on_hit, MAX_ON_HIT),
    mode,
    ...pickHash(origin),
    ...toVerdictPart(cutAnswer(redactAnswer(unsealAnswer(job, findings)))),
    ...(job.created_at !== undefined && { created_at: job.created_at }),
    ...(job.expires_at !== undefined && { expires_at: job.expires_at }),
    ...(times.startedAt && { started_at: times.startedAt.toISOString() }),
    finished_at: times.finishedAt.toISOString(),
  };
}

/** The verdict about a file that is no job: `unchecked`, with what can be known of it. */
export function createRefusalVerdict(
  id: string,
  envelope: JobEnvelope,
  origin: Origin,
  reason: string,
  finishedAt: Date,
): Verdict {
  return {
    schema: VERDICT_SCHEMA,
    id,
    hook: envelope.hook ?? "unknown",
    transcript: envelope.transcript ?? "",
    transcript_key: origin.transcriptKey,
    ...pickProvenance(envelope),
    on_hit: cutText(envelope.on_hit ?? "", MAX_ON_HIT),
    mode: envelope.mode ?? "default",
    ...pickHash(origin),
    ...toVerdictPart(unchecked(reason)),
    finished_at: finishedAt.toISOString(),
  };
}

/** Whatever was said by others is redacted here at the latest; reports and reasons were already, before they were cut. */
function toVerdictPart({ outcome, reason, report, runner, answer, attempts }: Findings) {
  return {
    outcome,
    reason: cutReason(redactSecrets(reason)),
    ...(report !== undefined && { report }),
    runner,
    answer,
    attempts: attempts.map((attempt) => ({ ...attempt, reason: cutReason(redactSecrets(attempt.reason)) })),
  };
}

/** The keys as the hook named them. Where an answer has one with its seal and one without, the first has decided. */
function unsealAnswer(job: Job, findings: Findings): Findings {
  const { answer } = findings;
  if (answer === null) return findings;
  const unseal = createUnseal(job);
  const decided = new Set(job.hit_if_all_true.filter((key) => unseal(key) !== key).map(unseal));
  const entries = Object.entries(answer).filter(([key]) => !decided.has(key));
  return { ...findings, answer: Object.fromEntries(entries.map(([key, value]) => [unseal(key), value])) };
}

function redactAnswer(findings: Findings): Findings {
  const { answer } = findings;
  return answer === null ? findings : { ...findings, answer: redactRecord(answer) };
}

/** What decided stays decided; of an answer that is too long, the keys go that are. */
function cutAnswer(findings: Findings): Findings {
  const { answer, reason } = findings;
  if (answer === null || countBytes(answer) <= MAX_ANSWER_BYTES) return findings;
  const kept: Record<string, unknown> = {};
  let room = MAX_ANSWER_BYTES - "{}".length;
  const entries = Object.entries(answer);
  for (const [key, value] of entries) {
    // As an object of one key: its braces are room for the comma.
    const size = countBytes({ [key]: value });
    if (size > room) continue;
    kept[key] = value;
    room -= size;
  }
  const note = `; of the answer's ${entries.length} keys only ${Object.keys(kept).length} fit into the verdict`;
  return { ...findings, answer: kept, reason: cutText(reason, MAX_REASON - note.length) + note };
}

function countBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function pickHash({ jobHash }: Origin): { job_hash?: string } {
  return jobHash === undefined ? {} : { job_hash: jobHash };
}

const provenance = ["harness", "session_id", "turn_id", "rule_id"] as const;

function pickProvenance(from: { readonly [key in (typeof provenance)[number]]?: string | undefined }): {
  [key in (typeof provenance)[number]]?: string;
} {
  const picked: { [key in (typeof provenance)[number]]?: string } = {};
  for (const key of provenance) {
    const value = from[key];
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}
