import type { Adapter } from "./adapter.ts";
import type { Entry, EntryBase } from "./entry.ts";
import { findText, getText, isRow, parseRow } from "./row.ts";

const EMPTY_LINE = /^\uFEFF?[ \t\r]*$/;
const base: EntryBase = { sidechain: false };

/** Around what a person typed; beside it stand the time and what the client adds. */
const TYPED = /<user_query>\s*([\s\S]*?)\s*<\/user_query>/;
const ADDED = /^\s*<[a-z_]+>/;
/** Stands for thoughts, alone or behind a text. */
const THOUGHTS = /\s*\[REDACTED\]\s*$/;

/**
 * Transcripts of Cursor's agent (`~/.cursor/projects/<folder>/agent-transcripts/<id>/<id>.jsonl`), after published rows of 3.8 to 3.20; no client
 * was at hand. They hold prompts, replies and calls without ids, and neither results nor exit codes nor times: no check can be followed
 * in them, so a call is nothing that a fold could use. The plain-text files of older versions are nothing but broken lines.
 */
export const cursor: Adapter = {
  name: "cursor",
  parseLine: parseCursorLine,
  rules: [{ all: ['"user"'] }],
  replyRules: [{ all: ['"assistant"'] }],
};

/** The entries of one line, none for an empty line; undefined when it is no JSON object. */
export function parseCursorLine(line: string): readonly Entry[] | undefined {
  const row = parseRow(line);
  if (row === undefined) return EMPTY_LINE.test(line) ? [] : undefined;
  const { role, type, message } = row;
  const text = getText(isRow(message) ? message["content"] : undefined);
  const entry = role === "user" ? parsePrompt(text) : role === "assistant" ? parseReply(text) : undefined;
  return [entry ?? { kind: "other", type: findText(type) ?? findText(role) ?? "", ...base }];
}

function parsePrompt(text: string): Entry | undefined {
  const typed = TYPED.exec(text)?.[1] ?? (ADDED.test(text) ? "" : text.trim());
  return typed === "" ? undefined : { kind: "human", text: typed, ...base };
}

function parseReply(text: string): Entry | undefined {
  const written = text.replace(THOUGHTS, "");
  return written.trim() === "" ? undefined : { kind: "reply", text: written, ...base };
}
