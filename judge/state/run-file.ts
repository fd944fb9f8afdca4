import { join } from "node:path";
import { parseObject } from "../../inbox-schema/problem.ts";
import { parseIdentity, type ProcessIdentity } from "../../lib/io/process-identity.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { isTime } from "../../lib/io/time.ts";

/** A runner that was started for a job, as `<id>.run.json` beside the claim tells it. The process leads its own group. */
export interface Run extends ProcessIdentity {
  readonly id: string;
  readonly hook: string;
  readonly mode: string;
  /** Its name; absent in the record of an older version. */
  readonly runner?: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** How long this one runner may take. */
  readonly limitSeconds: number;
}

export function getRunPath(dir: string, id: string): string {
  return join(dir, `${id}.run.json`);
}

export function writeRun(dir: string, run: Run): void {
  replaceFile(getRunPath(dir, run.id), `${JSON.stringify(run)}\n`);
}

/** Undefined when no runner was recorded, or only a broken record is left. */
export function readRun(dir: string, id: string): Run | undefined {
  const text = findSmallText(getRunPath(dir, id));
  return text === undefined ? undefined : parseRun(text);
}

function parseRun(text: string): Run | undefined {
  const identity = parseIdentity(text);
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { id, hook, mode, runner, startedAt, limitSeconds } = parsed.value;
  if (identity === undefined || typeof id !== "string" || typeof hook !== "string") return undefined;
  if (typeof mode !== "string" || !isTime(startedAt) || typeof limitSeconds !== "number") return undefined;
  return { ...identity, id, hook, mode, ...(typeof runner === "string" && { runner }), startedAt, limitSeconds };
}
