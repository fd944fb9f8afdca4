import type { JobEnvelope } from "../inbox-schema/envelope.ts";
import { cutReason } from "../inbox-schema/describe.ts";
import type { Job } from "../inbox-schema/job.ts";
import { VERDICT_SCHEMA, type Verdict } from "../inbox-schema/verdict.ts";
import type { AskResult } from "./ask.ts";

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

/** The verdict about a job. `transcriptKey` is where it is delivered. */
export function createVerdict(job: Job, transcriptKey: string, findings: Findings, times: VerdictTimes): Verdict {
  const { id, hook, transcript, on_hit, mode = "default" } = job;
  return {
    schema: VERDICT_SCHEMA,
    id,
    hook,
    transcript,
    transcript_key: transcriptKey,
    ...pickProvenance(job),
    on_hit,
    mode,
    ...toVerdictPart(findings),
    ...(job.created_at !== undefined && { created_at: job.created_at }),
    ...(times.startedAt && { started_at: times.startedAt.toISOString() }),
    finished_at: times.finishedAt.toISOString(),
  };
}

/** The verdict about a file that is no job: `unchecked`, with what can be known of it. */
export function createRefusalVerdict(
  id: string,
  envelope: JobEnvelope,
  transcriptKey: string,
  reason: string,
  finishedAt: Date,
): Verdict {
  return {
    schema: VERDICT_SCHEMA,
    id,
    hook: envelope.hook ?? "unknown",
    transcript: envelope.transcript ?? "",
    transcript_key: transcriptKey,
    ...pickProvenance(envelope),
    on_hit: envelope.on_hit ?? "",
    mode: envelope.mode ?? "default",
    ...toVerdictPart(unchecked(reason)),
    finished_at: finishedAt.toISOString(),
  };
}

function toVerdictPart({ outcome, reason, report, runner, answer, attempts }: Findings) {
  return { outcome, reason, ...(report !== undefined && { report }), runner, answer, attempts: [...attempts] };
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
