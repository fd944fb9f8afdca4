import { parseCodexOutput } from "./codex-output.ts";
import type { CommandOutput, EntryBase, ResultEntry, ToldPart } from "./entry.ts";
import { findText, getRows, isRow, parseRow } from "./row.ts";

/** How the output of a tool that ran begins. Without it, the call was refused, aborted or never reached the tool. */
const RAN = /^(?:Chunk ID: |Wall time|Exit code: |Script |\{)/;
const GOES_ON = /^(?:Process running with (session) ID|Script running with (cell) ID) (\S+)$/m;
const OUTPUT = "Output:\n";
/** A script that ended in an error, or was ended: what it printed may be a part of what it was to print. */
const BROKEN_OFF = /^Script (?:failed|terminated)$/m;
/** How the models print the id of a command that goes on, in a text of its own. */
const SESSION = /^\W*session[ _-]?id\W{0,4}(\d{1,18})\W*$/i;
const CUT_SESSION = /^\{"chunk_id":"[^"]*",[^{]{0,200}?"session_id":(\d{1,18}),/;
const SCRIPT_HEAD = "Script completed\nWall time 0.0 seconds\nOutput:\n";

/** The result under one call's id: `output` is a text, or a head and the texts that a script printed. */
export function parseCodexResult(callId: string, output: unknown, base: EntryBase): ResultEntry {
  const texts = getTexts(output);
  const [head = ""] = texts;
  const status = head.slice(0, findBody(head));
  const [, session, cell, id] = GOES_ON.exec(status) ?? [];
  const parts = getPrinted(texts).map(parsePart);
  const own = parseCodexOutput(joinTexts(texts, parts));
  const goesOn = id === undefined ? parts.at(-1)?.taskId !== undefined : true;
  const broken = !RAN.test(head) || BROKEN_OFF.test(status) || (own.running && !goesOn);
  return {
    kind: "result",
    callId,
    output: toOutput(own.text, own.exitCode, broken),
    ...(id === undefined ? {} : { taskId: `${session ?? cell} ${id}` }),
    piece: true,
    ...(parts.length === 0 ? {} : { parts }),
    ...base,
  };
}

/** A negative status is none of the command's: it was not started, or ended from outside. */
export function toOutput(text: string, exitCode: number | undefined, interrupted: boolean): CommandOutput {
  if (interrupted || (exitCode ?? 0) < 0) return { text, interrupted: true };
  return exitCode === undefined ? { text } : { text, exitCode };
}

function getTexts(output: unknown): readonly string[] {
  if (typeof output === "string") return [output];
  if (isRow(output)) return getTexts(output["content"]);
  return getRows(output).map((block) => findText(block["text"]) ?? "");
}

function findBody(head: string): number {
  const at = head.indexOf(OUTPUT);
  return at === -1 ? head.length : at + OUTPUT.length;
}

/** What a script printed, text by text. A whole result in one text holds them a line each. */
function getPrinted(texts: readonly string[]): readonly string[] {
  const [head = ""] = texts;
  if (!head.startsWith("Script ")) return [];
  const body = head.slice(findBody(head));
  return [...(body === "" ? [] : body.replace(/\n$/, "").split("\n")), ...texts.slice(1)];
}

/** One text: the session's id alone is no output. */
function joinTexts(texts: readonly string[], parts: readonly ToldPart[]): string {
  const last = texts.length > 1 && parts.at(-1)?.taskId !== undefined && SESSION.test(texts.at(-1) ?? "");
  const [head = "", ...more] = last ? texts.slice(0, -1) : texts;
  return head + more.join("\n");
}

function parsePart(text: string): ToldPart {
  const session = SESSION.exec(text)?.[1];
  if (session !== undefined) return { output: { text: "" }, taskId: `session ${session}`, isRecord: false };
  const row = text.startsWith("{") ? parseRow(text) : undefined;
  const id = row === undefined ? CUT_SESSION.exec(text)?.[1] : row["session_id"];
  const read = parseCodexOutput(SCRIPT_HEAD + text);
  const isRecord = row === undefined ? text.startsWith('{"chunk_id":"') : isRecordRow(row);
  const output = toOutput(read.text, read.exitCode, false);
  const isId = (typeof id === "number" || typeof id === "string") && (isRecord || row === undefined);
  return isId && read.exitCode === undefined ? { output, taskId: `session ${id}`, isRecord } : { output, isRecord };
}

function isRecordRow(row: Readonly<Record<string, unknown>>): boolean {
  return typeof row["output"] === "string" && (row["exit_code"] !== undefined || row["session_id"] !== undefined);
}
