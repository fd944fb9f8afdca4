import type { z } from "zod";
import { describeIssue, isRecord, showValue } from "./describe.ts";
import { FORBIDDEN_KEYS } from "./fields.ts";
import { parseJson, showPosition } from "./json-text.ts";

/** Why a file was refused. The words are stable: `dead/` and other programs hold them. */
export type ErrorCode = "invalid_json" | "not_an_object" | "unsupported_schema" | "invalid" | "too_large";

export interface Problem {
  readonly code: ErrorCode;
  /** What was expected and what came. */
  readonly reason: string;
  /** What to do about it. */
  readonly fix: string;
}

type ObjectText =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly problem: Problem };

/** Gives the one JSON object that a file must hold. Never throws. */
export function parseObject(text: string): ObjectText {
  const json = parseJson(text);
  if (!json.ok) {
    const reason = `${json.reason}${showPosition(json.position)}`;
    return { ok: false, problem: { code: "invalid_json", reason, fix: "correct it" } };
  }
  if (isRecord(json.value)) return { ok: true, value: json.value };
  const reason = `expected the file to hold one JSON object, got ${showValue(json.value)}`;
  return { ok: false, problem: { code: "not_an_object", reason, fix: "correct it" } };
}

/** Own keys only: `JSON.parse` makes `__proto__` one, and a reader that copies it would set a prototype. */
export function findForbiddenKey(value: unknown, place: string): Problem | undefined {
  const key = isRecord(value) ? FORBIDDEN_KEYS.find((name) => Object.hasOwn(value, name)) : undefined;
  if (key === undefined) return undefined;
  return { code: "invalid", reason: `expected no key named \`${key}\` ${place}, got one`, fix: "rename the key" };
}

/** A whole number that is not ours is a format to come (or gone), not a mistake in the file. */
export function findSchemaProblem(schema: unknown, known: number): Problem | undefined {
  if (!Number.isInteger(schema) || schema === known) return undefined;
  const reason = `expected \`schema\` to be ${known}, got ${showValue(schema)}`;
  return { code: "unsupported_schema", reason, fix: `update catstack or write the file in format ${known}` };
}

/** The first complaint of a failed parse of `input`. */
export function describeFailure(error: z.ZodError, input: unknown): string {
  const [issue] = error.issues;
  return issue === undefined ? "expected the format of the README, got something else" : describeIssue(issue, input);
}

/** Whether arrays and objects nest deeper than `limit` levels. Does not recurse, so that no depth can overflow it. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < limit; depth++) level = level.flatMap(getItems);
  return level.some((item) => typeof item === "object" && item !== null);
}

function getItems(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
