import * as z from "zod";
import { id, jobHash, mode, text, time, transcriptKey, withoutForbiddenKeys } from "./fields.ts";

/** The newest verdict format this build writes and reads. */
export const VERDICT_SCHEMA = 1;
/** Reasons are cut to this many characters (UTF-16 code units, as `String.length` counts). */
export const MAX_REASON = 300;
/** A report is cut to this many characters (UTF-16 code units). */
export const MAX_REPORT = 600;

/** `on_hit` is cut to this many characters (UTF-16 code units); delivery shows less. */
export const MAX_ON_HIT = 4000;
/** An answer longer than this, in bytes of UTF-8, loses the keys that do not fit. */
export const MAX_ANSWER_BYTES = 64 * 1024;

const aString = "a string";
const reason = z.string("a string of at most 300 characters").max(MAX_REASON, "a string of at most 300 characters");
const label = z.string(aString).optional();

const attempt = z.looseObject(
  {
    runner: text.describe("The runner's name."),
    ok: z.boolean("true or false").describe("It gave a usable answer."),
    reason: reason.describe("Why it failed; what it said when it did not."),
    duration_ms: z.number("a number, 0 or more").nonnegative("a number, 0 or more").describe("How long it took."),
  },
  "an object",
);

/** What became of a job. Read files with `parseVerdict`. */
export const verdict = z
  .looseObject({
    schema: z.literal(VERDICT_SCHEMA, "1").describe("The verdict format."),
    id: id.describe("The job's id, and the file's name without .json."),
    hook: z.string(aString).describe("Who asked, copied from the job."),
    transcript: z.string(aString).describe("The transcript the verdict belongs to, copied from the job."),
    transcript_key: transcriptKey.describe("Where it is delivered."),
    harness: label,
    session_id: label,
    turn_id: label,
    rule_id: label,
    outcome: z
      .enum(["hit", "clean", "unchecked"], '"hit", "clean" or "unchecked"')
      .describe(
        "unchecked: nobody could answer; it is never the same as clean. Treat an outcome you do not know as it.",
      ),
    on_hit: z.string(aString).describe("What the agent is told on a hit: the first 4000 characters of the job's."),
    reason: reason.describe("Why the outcome is what it is."),
    report: z
      .string("a string of at most 600 characters")
      .max(MAX_REPORT, "a string of at most 600 characters")
      .optional()
      .describe(
        "The answer's own words, added to what the agent is told. Control characters and known kinds of secrets are removed.",
      ),
    runner: z
      .string("a string or null")
      .nullable()
      .describe("Who answered: a runner's name, `evidence`, or null when nobody did."),
    mode: mode.describe("How the question was asked."),
    job_hash: jobHash
      .optional()
      .describe(
        "The first 16 hex digits of the SHA-1 of the job file's text: what else comes under the id is another job.",
      ),
    answer: z
      .record(z.string(), z.unknown(), "an object or null")
      .nullable()
      .describe(
        "The JSON object that decided the outcome, without keys that do not fit into 64 KiB, or null when nobody answered.",
      ),
    attempts: z.array(attempt, "an array of attempts").describe("Every runner tried, in order."),
    created_at: time.optional().describe("When the job was made."),
    expires_at: time.optional().describe("The job's own, if it had one: the verdict is kept until then at least."),
    started_at: time.optional().describe("When the first runner was started."),
    finished_at: time.describe("When the verdict was made."),
  })
  .meta(withoutForbiddenKeys);

export type Verdict = z.output<typeof verdict>;
export type Attempt = z.output<typeof attempt>;
export type Outcome = Verdict["outcome"];
