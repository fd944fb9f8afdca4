import type { z } from "zod";
import { MAX_REASON } from "./verdict.ts";

/** Short enough that no reason outgrows `MAX_REASON`. */
const MAX_SHOWN = 60;

/** A JSON object: not null and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value from a foreign file in a form that is safe and short to print: `-5 (number)`, `"x" (string)`, `nothing`. */
export function showValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 1 ? "an array of 1 item" : `an array of ${value.length} items`;
  if (typeof value === "string") return `${showText(JSON.stringify(value))} (string)`;
  if (typeof value === "number" || typeof value === "boolean") return `${value} (${typeof value})`;
  return "an object";
}

/** At most 60 characters for a text; what a terminal would hide, or would obey, is spelled as `\u{...}`. */
export function showText(text: string): string {
  const start = text.slice(0, MAX_SHOWN + 1);
  const shown = start.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
  return cutText(shown, MAX_SHOWN);
}

/** A reason cut to what a verdict holds (`MAX_REASON`), never within a surrogate pair. */
export function cutReason(reason: string): string {
  return cutText(reason, MAX_REASON);
}

/** "expected `attempts[0].ok` to be true or false, got nothing", from the first complaint of a failed parse of `input`. */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  return `expected \`${showPath(issue.path)}\` to be ${issue.message}, got ${showValue(getAt(input, issue.path))}`;
}

/** What stands at a path of keys and indexes; undefined where the path leaves the value. */
function getAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[String(key)];
    else return undefined;
  }
  return value;
}

function showPath(path: readonly PropertyKey[]): string {
  const joined = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return showText(joined.replace(/^\./, ""));
}

/** Ends in `…` when something was cut, and never in half of a surrogate pair. */
function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
