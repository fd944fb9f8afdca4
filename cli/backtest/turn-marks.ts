import type { Harness } from "../../lib/hook.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { findText, getText, isRow, parseRow, type Row } from "../../lib/transcript/row.ts";

/**
 * What a row does to the turn before it. `starts`: the next turn begins here, so that one is over and the harness has fired Stop. `ends`: it is
 * over with this row. `breaks`: an interruption or a compaction, with which nothing fires and what was said so far is no last word.
 */
export type TurnMark = "starts" | "ends" | "breaks";

/** What Cursor writes of a turn that came to its end; a hook is sent no other. */
const CURSOR_DONE = "success";

const INTERRUPTED = /^\s*\[Request interrupted/;

/**
 * The mark of a parsed row; undefined for most. Claude Code writes no row at Stop: every text that stands where a prompt would begins a turn, also
 * the notice that a background command has ended (seen with 2.0.64 to 2.1.229). Codex writes `task_complete` and, for an interruption,
 * `turn_aborted` (0.118 to 0.171). Cursor writes `turn_ended` and how (published rows of 3.8 to 3.20).
 */
export function findTurnMark(harness: Harness, line: string, entries: readonly Entry[]): TurnMark | undefined {
  const [entry] = entries;
  if (entry === undefined || entry.sidechain) return undefined;
  if (entry.kind === "compaction") return "breaks";
  if (entry.kind === "human") return entry.queued === true ? undefined : "starts";
  if (harness === "codex") return entry.kind === "other" ? findCodexMark(line) : undefined;
  if (harness === "cursor") return entry.kind === "other" ? findCursorMark(line) : undefined;
  return entry.kind === "other" || entry.kind === "task-end" ? findClaudeMark(line) : undefined;
}

function findCodexMark(line: string): TurnMark | undefined {
  const type = getPart(parseRow(line), "payload")["type"];
  if (type === "task_complete") return "ends";
  return type === "turn_aborted" ? "breaks" : undefined;
}

function findCursorMark(line: string): TurnMark | undefined {
  const row = parseRow(line);
  if (row?.["type"] !== "turn_ended") return undefined;
  return row["status"] === CURSOR_DONE ? "ends" : "breaks";
}

function findClaudeMark(line: string): TurnMark | undefined {
  const row = line.includes('"user"') ? parseRow(line) : undefined;
  if (row?.["type"] !== "user" || row["isMeta"] === true) return undefined;
  const text = getText(getPart(row, "message")["content"]);
  if (text.trim() === "") return undefined;
  return INTERRUPTED.test(text) ? "breaks" : "starts";
}

/** The folder that Claude Code says a row was written in. */
export function findRowFolder(line: string): string | undefined {
  return findText(parseRow(line)?.["cwd"]);
}

function getPart(row: Row | undefined, key: string): Row {
  const part = row?.[key];
  return isRow(part) ? part : {};
}
