import type { z } from "zod";
import { showValue } from "./describe.ts";
import { toEnvelope, type JobEnvelope } from "./envelope.ts";
import { ID_PATTERN } from "./fields.ts";
import { evidenceJob, JOB_SCHEMA, MAX_JOB_BYTES, MAX_PROMPT_BYTES, questionJob, type Job } from "./job.ts";
import { salvageKeys } from "./json-text.ts";
import { describeFailure, findForbiddenKey, findSchemaProblem, isDeeperThan, parseObject } from "./problem.ts";
import type { ErrorCode, Problem } from "./problem.ts";

/** What a job file turned out to be. `reason` (300 characters at most) is for the person who wrote the file. */
export type ParsedJob =
  | { readonly ok: true; readonly job: Job }
  | { readonly ok: false; readonly code: ErrorCode; readonly reason: string; readonly envelope: JobEnvelope };

/** Anything deeper could overflow the stack of whoever writes it out again. */
const MAX_DEPTH = 64;
/** An oversized file of up to this many characters is still searched for the transcript its verdict belongs to. */
const MAX_SALVAGED = 8 * 1024 * 1024;

const idRule = "1 to 64 letters, digits, `_` or `-`";
const required = new Set(["hook", "transcript", "prompt", "answer", "on_hit"]);

/**
 * Reads a job file's text; `stem` is the file's name without `.json`. Never throws.
 * Unknown keys are kept. A file read while it was being written is `invalid_json`.
 */
export function parseJob(text: string, stem: string): ParsedJob {
  if (getByteSize(text) > MAX_JOB_BYTES) {
    const salvaged = text.length > MAX_SALVAGED ? {} : salvageKeys(text);
    return refuse(describeSize("the file", MAX_JOB_BYTES, text), salvaged, stem);
  }
  const parsed = parseObject(text);
  if (!parsed.ok) return refuse(parsed.problem, salvageKeys(text), stem);
  const problem = findEarlyProblem(parsed.value, stem);
  return problem === undefined ? parseFields(parsed.value, stem) : refuse(problem, parsed.value, stem);
}

/** First stage: what must hold before the fields of a format can be judged. */
function findEarlyProblem(value: Record<string, unknown>, stem: string): Problem | undefined {
  return (
    findForbiddenKey(value, "at the top level") ??
    findForbiddenKey(value["answer"], "in `answer`") ??
    findDepthProblem(value) ??
    findSchemaProblem(value["schema"], JOB_SCHEMA) ??
    findIdProblem(value, stem)
  );
}

/** Second stage: format 1. The branch of the union is chosen here, so that the reason speaks of the right one. */
function parseFields(value: Record<string, unknown>, stem: string): ParsedJob {
  const asks = Object.hasOwn(value, "prompt");
  if (asks === Object.hasOwn(value, "answer")) return refuse(describeChoice(asks), value, stem);
  const parsed = (asks ? questionJob : evidenceJob).safeParse(value);
  if (!parsed.success) return refuse(describeField(parsed.error, value), value, stem);
  const { data } = parsed;
  if (data.prompt !== undefined && getByteSize(data.prompt) > MAX_PROMPT_BYTES) {
    return refuse(describeSize("`prompt`", MAX_PROMPT_BYTES, data.prompt), value, stem);
  }
  return { ok: true, job: { ...data, id: stem } };
}

function findIdProblem(value: Record<string, unknown>, stem: string): Problem | undefined {
  if (!Object.hasOwn(value, "id")) {
    if (ID_PATTERN.test(stem)) return undefined;
    const reason = `expected the file's name without .json to be ${idRule}, as the job has no \`id\`, got ${showValue(stem)}`;
    return { code: "invalid", reason, fix: "rename the file" };
  }
  const { id } = value;
  if (typeof id !== "string" || !ID_PATTERN.test(id)) {
    const reason = `expected \`id\` to be ${idRule}, got ${showValue(id)}`;
    return { code: "invalid", reason, fix: "leave it out, as the file's name is the id" };
  }
  if (id === stem) return undefined;
  const reason = `expected \`id\` to be the file's name without .json, ${showValue(stem)}, got ${showValue(id)}`;
  return { code: "invalid", reason, fix: "leave it out or rename the file" };
}

function findDepthProblem(value: unknown): Problem | undefined {
  if (!isDeeperThan(value, MAX_DEPTH)) return undefined;
  const reason = `expected arrays and objects to nest at most ${MAX_DEPTH} levels deep, got more`;
  return { code: "invalid", reason, fix: "flatten it" };
}

function describeChoice(both: boolean): Problem {
  return both
    ? { code: "invalid", reason: "expected either `prompt` or `answer`, got both", fix: "leave one out" }
    : {
        code: "invalid",
        reason: "expected `prompt` (a question for a model) or `answer` (evidence that needs none), got neither",
        fix: "add one",
      };
}

function describeField(error: z.ZodError, value: Record<string, unknown>): Problem {
  const key = String(error.issues[0]?.path[0]);
  const fix = required.has(key) ? "correct it" : "correct it or leave it out";
  return { code: "invalid", reason: describeFailure(error, value), fix: Object.hasOwn(value, key) ? fix : "add it" };
}

function describeSize(what: string, limit: number, text: string): Problem {
  const reason = `expected ${what} to be at most ${limit} bytes of UTF-8, got ${getByteSize(text)}`;
  return { code: "too_large", reason, fix: "shorten it" };
}

function refuse({ code, reason, fix }: Problem, value: Record<string, unknown>, stem: string): ParsedJob {
  return {
    ok: false,
    code,
    reason: `${reason}; ${fix}`,
    envelope: toEnvelope(value, stem),
  };
}

/** Bytes of UTF-8; of a huge text at least this many, so that nothing huge is copied. */
function getByteSize(text: string): number {
  return text.length > MAX_SALVAGED ? text.length : new TextEncoder().encode(text).length;
}
