import type { JobInput } from "../../inbox-schema/job.ts";
import type { JobDraft } from "../hook.ts";
import { redactRecord, redactSecrets } from "../redact/redact-secrets.ts";
import { renderPrompt, type NonceOf } from "./render-prompt.ts";

/** What a job is given by the process edge: a draft has no id, no time and no place. */
export interface Stamp {
  readonly id: string;
  readonly hook: string;
  readonly harness: string;
  /** Absolute. */
  readonly transcript: string;
  readonly transcriptKey: string;
  readonly sessionId?: string;
  readonly turnId?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from then on nobody is asked any more. */
  readonly expiresAt: string;
  readonly nonceOf: NonceOf;
}

/** The job file's content for a draft, known kinds of secrets taken out. Pure: equal drafts with equal stamps make equal jobs. */
export function stampJob(draft: JobDraft, stamp: Stamp): JobInput & { readonly id: string } {
  return {
    schema: 1,
    id: stamp.id,
    hook: stamp.hook,
    rule_id: draft.ruleId,
    harness: stamp.harness,
    transcript: stamp.transcript,
    transcript_key: stamp.transcriptKey,
    ...(stamp.sessionId === undefined ? {} : { session_id: stamp.sessionId }),
    ...(stamp.turnId === undefined ? {} : { turn_id: stamp.turnId }),
    created_at: stamp.createdAt,
    expires_at: stamp.expiresAt,
    on_hit: redactSecrets(draft.onHit),
    ...stampQuestion(draft, stamp.nonceOf),
  };
}

function stampQuestion(draft: JobDraft, nonceOf: NonceOf) {
  if ("answer" in draft) return { hit_if_all_true: [...draft.hitIfAllTrue], answer: redactRecord(draft.answer) };
  const { prompt, hitIfAllTrue, texts } = renderPrompt(draft, nonceOf);
  const { quoted, mode, timeoutSeconds, cwd } = draft;
  return {
    prompt,
    hit_if_all_true: [...hitIfAllTrue],
    texts: [...texts],
    ...(quoted === undefined ? {} : { quoted: [...quoted] }),
    ...(mode === undefined ? {} : { mode }),
    ...(timeoutSeconds === undefined ? {} : { timeout_seconds: timeoutSeconds }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}
