import { isRow, parseRow } from "../../lib/transcript/row.ts";
import type { Asking, Firing, HookFailure, SessionResult } from "./firing.ts";

/** The result that a file of the cache holds; undefined when it is none, or `of` says that it is of something else. */
export function parseSessionResult(text: string, of: string): SessionResult | undefined {
  const row = parseRow(text);
  return row?.["of"] === of && isSessionResult(row["result"]) ? row["result"] : undefined;
}

function isSessionResult(value: unknown): value is SessionResult {
  if (!isRow(value)) return false;
  const { kind, harness, rows, broken, turns, firings, failures } = value;
  return (
    [kind, harness].every(isString) &&
    [rows, broken].every(isNumber) &&
    isListOf(turns, isTimeOrNull) &&
    isListOf(firings, isFiring) &&
    isListOf(failures, isFailure)
  );
}

function isFiring(value: unknown): value is Firing {
  if (!isRow(value)) return false;
  const { hook, turn, at, rules, says, asks, things } = value;
  return (
    isString(hook) &&
    isNumber(turn) &&
    isTimeOrNull(at) &&
    [rules, says, things].every((list) => isListOf(list, isString)) &&
    isListOf(asks, isAsking)
  );
}

function isAsking(value: unknown): value is Asking {
  return isRow(value) && isString(value["mode"]) && isString(value["about"]);
}

function isFailure(value: unknown): value is HookFailure {
  return isRow(value) && isString(value["hook"]) && isNumber(value["turn"]) && isString(value["message"]);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isTimeOrNull(value: unknown): boolean {
  return value === null || isString(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
