import * as z from "zod";
import { id, mode, text, time, transcriptKey, withoutForbiddenKeys } from "./fields.ts";

/** The newest job format this build writes and reads. */
export const JOB_SCHEMA = 1;
/** A prompt may be 1 MiB at most, in bytes of UTF-8. JSON Schema counts characters, so only the parser can check it. */
export const MAX_PROMPT_BYTES = 1024 * 1024;
/** A job file may be 1.5 MiB at most: the longest prompt and room for what JSON escapes in it. */
export const MAX_JOB_BYTES = 1.5 * 1024 * 1024;

const strings = z.array(z.string("a string"), "an array of strings");
const label = z.string("a string").optional();

const common = {
  schema: z.literal(JOB_SCHEMA, "1 or absent").default(JOB_SCHEMA).describe("The job format. Absent means 1."),
  id: id.optional().describe("The file's name without .json. Best left out: the file's name is the id."),
  hook: text.describe("Who asks: a hook's id, or any name for a script of yours. Shown with the verdict."),
  transcript: text.describe("Path of the session transcript the verdict belongs to."),
  transcript_key: transcriptKey
    .optional()
    .describe("Where the verdict is delivered. Leave it out: the judge computes it from `transcript`."),
  hit_if_all_true: strings
    .default([])
    .describe("Keys of the answer that must all be JSON true for a hit. Empty: any answer is a hit."),
  on_hit: text.describe("What the agent is told on a hit."),
  quoted: strings
    .optional()
    .describe("Keys of the answer whose string must occur in one of `texts`, else that attempt fails."),
  texts: strings.optional().describe("The texts being judged, for the check of `quoted`."),
  mode: mode
    .optional()
    .describe("investigate: the runner may read files below `cwd`. Absent or default: it sees the prompt alone."),
  timeout_seconds: z
    .number("a number above 0")
    .positive("a number above 0")
    .optional()
    .describe("Investigate only: seconds for one runner. 60 if absent, 600 at most."),
  cwd: z
    .string("a string")
    .optional()
    .describe("Investigate only: absolute path of an existing folder to read. Otherwise an empty temporary folder."),
  harness: label.describe("Provenance: claude, codex, cursor or another agent program."),
  session_id: label.describe("Provenance: the agent session."),
  turn_id: label.describe("Provenance: the turn in that session."),
  rule_id: label.describe("Provenance: the rule within the hook."),
  created_at: time.optional().describe("When the job was made, such as 2026-01-31T09:30:00Z."),
  expires_at: time
    .optional()
    .describe("From then on nobody is asked and the verdict is unchecked. Absent: 24 hours after the job was made."),
};

/** A job that a model is asked. */
export const questionJob = z.looseObject({
  ...common,
  prompt: text.describe("The question. It must ask for one line of JSON. 1 MiB of UTF-8 at most."),
  answer: z.never().optional().describe("Never beside `prompt`."),
});

/** A job whose hook already has the evidence: no runner is run. */
export const evidenceJob = z.looseObject({
  ...common,
  answer: z
    .record(z.string(), z.unknown(), "an object")
    .meta({ description: "The evidence itself: no model is asked.", ...withoutForbiddenKeys }),
  prompt: z.never().optional().describe("Never beside `answer`."),
});

/** Either `prompt` or `answer`, never both. Read files with `parseJob`: it says what is wrong in words for a person. */
export const job = z.union([questionJob, evidenceJob]).meta({ type: "object", ...withoutForbiddenKeys });

/** A job as it stands in a file, before defaults. */
export type JobInput = z.input<typeof job>;
/** The names that a job's keys have; a file may hold others. */
export const jobKeys: readonly string[] = Object.keys(questionJob.shape);

/** A parsed job: defaults filled in, `id` always there, unknown keys kept. */
export type Job = z.output<typeof job> & { id: string };
export type Mode = z.output<typeof mode>;
