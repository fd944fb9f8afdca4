import { findText, type Row } from "../transcript/row.ts";

/** Spellings of the reply that clients and wrappers around them have used; the first that holds text wins. */
const replyKeys = ["last_assistant_message", "last-assistant-message", "lastAssistantMessage"];

/** The reply that a payload holds: empty when the client says that there is none, absent when it does not tell. */
export function findReply(row: Row): { readonly reply?: string } {
  const sent = replyKeys.map((key) => row[key]).filter((value) => value !== undefined);
  return sent.length === 0 ? {} : { reply: sent.map(findText).find((text) => text !== undefined) ?? "" };
}

/** For each name the first of its values that is a text; names without one are left out. */
export function findTexts<Name extends string>(
  candidates: Record<Name, readonly unknown[]>,
): { [name in Name]?: string } {
  const texts: { [name in Name]?: string } = {};
  for (const name in candidates) {
    const text = candidates[name].map(findText).find((each) => each !== undefined);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** Wrappers have sent flags as strings. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === "true" || value === "1";
}

/** What kind of value came where an object was expected. */
export function nameKind(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
