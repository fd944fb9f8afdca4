import { isRecord, showValue } from "./describe.ts";
import { findPosition, parseJson, type Position } from "./json-text.ts";
import { describeFailure } from "./problem.ts";
import { settings, type Settings } from "./settings.ts";

/** What a settings file turned out to be; the position is the offending value's. */
export type ParsedSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly reason: string; readonly position: Position | undefined };

/** Reads the whole settings file's text, as plain JSON: no comments, since hooks read it with `JSON.parse`. Never throws. */
export function parseSettingsFile(text: string): ParsedSettings {
  const json = parseJson(text);
  if (!json.ok) return json;
  if (!isRecord(json.value)) {
    const reason = `expected the file to hold one JSON object, got ${showValue(json.value)}`;
    return { ok: false, reason, position: findPosition(text, []) };
  }
  const parsed = settings.safeParse(json.value);
  if (parsed.success) return { ok: true, settings: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  return {
    ok: false,
    reason: describeFailure(parsed.error, json.value),
    position: findPosition(text, path),
  };
}
