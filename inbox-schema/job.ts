import { z } from "zod";

/** The newest job format this build writes and reads. */
export const JOB_SCHEMA = 1;
/** A prompt may be 1 MiB at most, in bytes of UTF-8. */
export const MAX_PROMPT_BYTES = 1024 * 1024;

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const text = z.string().min(1);

const common = {
  schema: z.literal(1).default(1),
  id: id.optional(),
  hook: text,
  transcript: text,
  transcript_key: z.string().regex(/^[0-9a-f]{16}$/).optional(),
  hit_if_all_true: z.array(z.string()).default([]),
  on_hit: text,
  quoted: z.array(z.string()).optional(),
  texts: z.array(z.string()).optional(),
  mode: z.enum(["default", "investigate"]).optional(),
  timeout_seconds: z.number().positive().optional(),
  cwd: z.string().optional(),
  harness: z.string().optional(),
  session_id: z.string().optional(),
  turn_id: z.string().optional(),
  rule_id: z.string().optional(),
  created_at: z.iso.datetime().optional(),
  expires_at: z.iso.datetime().optional(),
};

/** A job that a model is asked: `prompt` must ask for one line of JSON. */
export const questionJob = z.looseObject({ ...common, prompt: text, answer: z.undefined().optional() });
/** A job whose hook already has the evidence: no runner is run. */
export const evidenceJob = z.looseObject({
  ...common,
  answer: z.record(z.string(), z.unknown()),
  prompt: z.undefined().optional(),
});
export const job = z.union([questionJob, evidenceJob]);

/** A job as it stands in a file, before defaults. */
export type JobInput = z.input<typeof job>;
/** A parsed job. */
export type Job = z.output<typeof job>;
export type Mode = "default" | "investigate";
