import { createHash } from "node:crypto";
import { join } from "node:path";
import { isRecord } from "../../inbox-schema/describe.ts";
import type { Mode } from "../../inbox-schema/job.ts";
import { parseObject } from "../../inbox-schema/problem.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makePrivateDir, replaceFile } from "../../lib/io/publish-file.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { describeCall } from "../runners/identify.ts";
import { toRunnerPrompt } from "../runners/prompt.ts";
import type { Answer, Runner } from "../runners/runner.ts";
import { isTime } from "../../lib/io/time.ts";

/** What a model once said, and who asked it. What it means for a job is decided anew. */
export interface EarlierAnswer {
  readonly runner: string;
  readonly answer: Answer;
  /** ISO 8601. */
  readonly at: string;
}

/** An answer is given again for so long. */
export const ANSWER_AGE_MS = 24 * 60 * 60 * 1000;

/**
 * The name of a question's answer: 64 hex digits, of the prompt as it is sent and of everyone who would be asked, with all arguments (those
 * of codex name the model and its provider). Undefined for investigate, whose answer depends on files. Pure.
 */
export function findAnswerKey(prompt: string, mode: Mode, runners: readonly Runner[]): string | undefined {
  if (mode === "investigate") return undefined;
  const asked = [toRunnerPrompt(prompt), mode, runners.map((runner) => describeCall(runner, mode))];
  return createHash("sha256").update(JSON.stringify(asked)).digest("hex");
}

/**
 * An answer of the last 24 hours. One of the future, from before a clock was set back, is none, and neither is what cannot be read:
 * then the model is asked.
 */
export function findAnswer(paths: StatePaths, key: string, now: Date): EarlierAnswer | undefined {
  const earlier = parseAnswerFile(findText(getAnswerPath(paths, key)));
  if (earlier === undefined) return undefined;
  const age = now.getTime() - Date.parse(earlier.at);
  return age >= 0 && age < ANSWER_AGE_MS ? earlier : undefined;
}

/** Keeps an answer, in place of an older one. Throws the system's error. */
export function writeAnswer(paths: StatePaths, key: string, answer: EarlierAnswer): void {
  makePrivateDir(paths.answers);
  replaceFile(getAnswerPath(paths, key), `${JSON.stringify(answer)}\n`);
}

function getAnswerPath(paths: StatePaths, key: string): string {
  return join(paths.answers, `${key}.json`);
}

function findText(path: string): string {
  try {
    return findSmallText(path) ?? "";
  } catch {
    return "";
  }
}

function parseAnswerFile(text: string): EarlierAnswer | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { runner, answer, at } = parsed.value;
  return typeof runner === "string" && isRecord(answer) && isTime(at) ? { runner, answer, at } : undefined;
}
