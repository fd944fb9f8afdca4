import type { Job } from "../inbox-schema/job.ts";
import { parseObject } from "../inbox-schema/problem.ts";
import type { Verdict } from "../inbox-schema/verdict.ts";
import { shortHash } from "../lib/io/transcript-key.ts";

export interface Dropped {
  readonly job: Job;
  /** The whole file. */
  readonly text: string;
  readonly transcriptKey: string;
}

/**
 * Whether a dropped job is the one that a verdict of its id is about: its text is the same, or it names its id itself and comes from
 * the same rule of the same transcript, as hooks derive ids from what they ask. Verdicts of older builds tell the hook and transcript alone.
 */
export function isSameJob({ job, text, transcriptKey }: Dropped, verdict: Verdict): boolean {
  if (verdict.job_hash === shortHash(text)) return true;
  if (job.hook !== verdict.hook || transcriptKey !== verdict.transcript_key) return false;
  return verdict.job_hash === undefined || (namesItself(text) && job.rule_id === verdict.rule_id);
}

function namesItself(text: string): boolean {
  const parsed = parseObject(text);
  return parsed.ok && Object.hasOwn(parsed.value, "id");
}
