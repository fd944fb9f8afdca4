import { ID_PATTERN, mode, transcriptKey } from "./fields.ts";
import type { Mode } from "./job.ts";

const textKeys = ["hook", "transcript", "on_hit", "harness", "session_id", "turn_id", "rule_id"] as const;

/** What a verdict about a refused job can still say. */
export type JobEnvelope = {
  /** The file's stem, when it is a usable id. Never the `id` within a refused file: that may be another job's. */
  id?: string;
  transcript_key?: string;
  mode?: Mode;
} & { [key in (typeof textKeys)[number]]?: string };

/** As long as the longest path; a longer text in a refused file is left out. */
const MAX_TEXT = 4096;

/** Takes from a refused file what can be trusted to be a value of the right kind; everything else is absent. */
export function toEnvelope(value: Readonly<Record<string, unknown>>, stem: string): JobEnvelope {
  const envelope: JobEnvelope = ID_PATTERN.test(stem) ? { id: stem } : {};
  for (const key of textKeys) {
    const text = value[key];
    if (typeof text === "string" && text !== "" && text.length <= MAX_TEXT) envelope[key] = text;
  }
  const parsedKey = transcriptKey.safeParse(value["transcript_key"]);
  if (parsedKey.success) envelope.transcript_key = parsedKey.data;
  const parsedMode = mode.safeParse(value["mode"]);
  if (parsedMode.success) envelope.mode = parsedMode.data;
  return envelope;
}
