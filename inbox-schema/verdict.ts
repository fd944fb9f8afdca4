import { z } from "zod";

/** The newest verdict format this build writes and reads. */
export const VERDICT_SCHEMA = 1;
/** Reasons are cut to this many characters. */
export const MAX_REASON = 300;
/** A report is cut to this many characters. */
export const MAX_REPORT = 600;

export const attempt = z.looseObject({
  runner: z.string(),
  ok: z.boolean(),
  reason: z.string().max(MAX_REASON),
  duration_ms: z.number().nonnegative(),
});

export const verdict = z.looseObject({
  schema: z.literal(1),
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  hook: z.string(),
  transcript: z.string(),
  transcript_key: z.string().regex(/^[0-9a-f]{16}$/),
  harness: z.string().optional(),
  session_id: z.string().optional(),
  turn_id: z.string().optional(),
  rule_id: z.string().optional(),
  outcome: z.enum(["hit", "clean", "unchecked"]),
  on_hit: z.string(),
  reason: z.string().max(MAX_REASON),
  report: z.string().max(MAX_REPORT).optional(),
  /** Who answered: a runner's name, `evidence`, or null when nobody did. */
  runner: z.string().nullable(),
  mode: z.enum(["default", "investigate"]),
  answer: z.record(z.string(), z.unknown()).nullable(),
  attempts: z.array(attempt),
  created_at: z.iso.datetime().optional(),
  started_at: z.iso.datetime().optional(),
  finished_at: z.iso.datetime(),
});

export type Verdict = z.output<typeof verdict>;
export type Attempt = z.output<typeof attempt>;
export type Outcome = Verdict["outcome"];
