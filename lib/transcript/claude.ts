import type { Adapter } from "./adapter.ts";
import { parseResult } from "./claude-result.ts";
import { parseTaskEnds } from "./claude-task-end.ts";
import type { Entry, EntryBase } from "./entry.ts";
import { findText, getRows, getText, isRow, parseRow, type Row } from "./row.ts";

/** Tools whose `input.command` is a command of a POSIX shell. */
const SHELL_TOOLS: readonly string[] = ["Bash"];

/** How texts begin that the client files as typed by the user, and no person typed (seen with 2.0.64 to 2.1.229). */
const NOT_TYPED =
  /^(?:<local-command|<bash-|<system|<task-notification|<ci-monitor-event|Stop hook feedback|\[Request interrupted|Operation stopped by hook)/;

/** How the client writes a block that holds a result. */
const RESULT_MARK = '"type":"tool_result"';

/** How the client files a slash command that a person invoked, with its parts in either order (seen with 2.1.20 to 2.1.197). */
const INVOKED =
  /^\s*(?:<command-message>[^<]*<\/command-message>\s*)?<command-name>\s*\/?([^<\s]+)\s*<\/command-name>\s*(?:<command-message>[^<]*<\/command-message>\s*)?(?:<command-args>([\s\S]*)<\/command-args>)?/;

const EMPTY_LINE = /^\uFEFF?[ \t\r]*$/;

/** How a compaction summary begins; versions before `isCompactSummary` have only the text. */
const COMPACT_SUMMARY = /^This session is being continued from a previous conversation/;

/**
 * Transcripts of Claude Code, as measured with 2.1.197. The client writes them with `JSON.stringify`: the names below
 * stand in a line as they are, and within a string their quotes are escaped, so that quoted output never looks like a
 * row. No row holds a prompt beside a result.
 */
export const claude: Adapter = {
  name: "claude",
  parseLine: parseClaudeLine,
  rules: [
    ...SHELL_TOOLS.map((tool) => ({ all: [`"${tool}"`, '"tool_use"'], commandAt: '"command"' })),
    { all: ['"tool_result"'], awaitedAt: '"tool_use_id"' },
    { all: ["task-notification"], whilePending: true },
    { all: ['"queued_command"'] },
    { all: ['"user"'], none: RESULT_MARK },
  ],
  replyRules: [{ all: ['"assistant"'] }],
};

// Entries are written `{ ..., ...base }`: with the spread first, V8 takes some twenty times longer (measured with Node 20.20).

/** The entries of one line of a Claude Code transcript, none for an empty line; undefined when it is no JSON object. */
export function parseClaudeLine(line: string): readonly Entry[] | undefined {
  const row = parseRow(line);
  if (row !== undefined) return parseEntries(row, line.includes(RESULT_MARK));
  return EMPTY_LINE.test(line) ? [] : undefined;
}

function parseEntries(row: Row, holdsResult: boolean): readonly Entry[] {
  const base = parseBase(row);
  const entries = parseKnownRow(row, base, holdsResult);
  return entries.length > 0 ? entries : [{ kind: "other", type: findText(row["type"]) ?? "", ...base }];
}

function parseBase(row: Row): EntryBase {
  const rowId = findText(row["uuid"]);
  const at = findText(row["timestamp"]);
  const sidechain =
    row["isSidechain"] === true || row["is_sidechain"] === true || findText(row["agentId"]) !== undefined;
  if (rowId !== undefined && at !== undefined) return { rowId, at, sidechain };
  return { ...(rowId === undefined ? {} : { rowId }), ...(at === undefined ? {} : { at }), sidechain };
}

function parseKnownRow(row: Row, base: EntryBase, holdsResult: boolean): readonly Entry[] {
  const message = isRow(row["message"]) ? row["message"] : {};
  switch (row["type"] ?? message["role"]) {
    case "user":
      return parseUserRow(row, message, base, holdsResult);
    case "assistant":
      return parseAssistantRow(row, message, base);
    case "attachment":
      return parseAttachment(row["attachment"], base);
    case "queue-operation":
      return row["operation"] === "enqueue" ? parseTaskEnds(getText(row["content"]), base) : [];
    case "system":
      return row["subtype"] === "compact_boundary" ? [{ kind: "compaction", ...base }] : [];
    default:
      return [];
  }
}

function parseUserRow(row: Row, message: Row, base: EntryBase, holdsResult: boolean): readonly Entry[] {
  const blocks = getRows(message["content"]);
  const results = blocks.filter((block) => block["type"] === "tool_result");
  // Text beside results is the client's own (a reminder, an interruption), never typed.
  if (holdsResult || results.length > 0)
    return results.flatMap((block) => parseResult(block, row["toolUseResult"], base));
  const text = getText(message["content"]);
  if (row["isCompactSummary"] === true || COMPACT_SUMMARY.test(text)) return [{ kind: "compaction", ...base }];
  return parsePrompt(text, row, blocks, base);
}

/** What stands where a prompt would: typed by a person, or the notice that a background command ended. */
function parsePrompt(text: string, source: Row, blocks: readonly Row[], base: EntryBase): readonly Entry[] {
  if (source["isMeta"] === true) return [];
  const origin = isRow(source["origin"]) ? source["origin"]["kind"] : undefined;
  if (origin === "task-notification" || text.startsWith("<task-notification>")) return parseTaskEnds(text, base);
  if ((origin !== undefined && origin !== "human") || NOT_TYPED.test(text)) return [];
  const isPicture = blocks.some((block) => block["type"] === "image");
  if (text.trim() === "" && !isPicture) return [];
  const [, command, given = ""] = INVOKED.exec(text) ?? [];
  if (command === undefined) return [{ kind: "human", text, ...base }];
  return [{ kind: "human", text: `/${command} ${given}`.trim(), command, ...base }];
}

/** A prompt typed while a turn runs is in no user row, only in an attachment; so is the end of a background command. */
function parseAttachment(attachment: unknown, base: EntryBase): readonly Entry[] {
  if (!isRow(attachment) || attachment["type"] !== "queued_command") return [];
  const text = getText(attachment["prompt"]);
  if (attachment["commandMode"] === "task-notification") return parseTaskEnds(text, base);
  if (attachment["commandMode"] !== "prompt") return [];
  const entries = parsePrompt(text, attachment, getRows(attachment["prompt"]), base);
  return entries.map((entry) => (entry.kind === "human" ? { ...entry, queued: true } : entry));
}

function parseAssistantRow(row: Row, message: Row, base: EntryBase): readonly Entry[] {
  // An API error or a placeholder stands in the assistant's place; the assistant did not write it.
  if (row["isApiErrorMessage"] === true || message["model"] === "<synthetic>") return [];
  const content = message["content"];
  if (typeof content === "string") return parseReply(content, base);
  return getRows(content).flatMap((block) => {
    if (block["type"] === "text") return parseReply(block["text"], base);
    return block["type"] === "tool_use" ? parseCall(block, row["cwd"], base) : [];
  });
}

function parseReply(text: unknown, base: EntryBase): readonly Entry[] {
  return typeof text === "string" && text.trim() !== "" ? [{ kind: "reply", text, ...base }] : [];
}

function parseCall(block: Row, cwd: unknown, base: EntryBase): readonly Entry[] {
  const callId = findText(block["id"]);
  const input = isRow(block["input"]) ? block["input"] : {};
  const command = findText(input["command"]);
  if (callId === undefined || command === undefined || !SHELL_TOOLS.includes(findText(block["name"]) ?? "")) return [];
  const background = input["run_in_background"] === true;
  if (typeof cwd === "string") return [{ kind: "call", callId, command, cwd, background, ...base }];
  return [{ kind: "call", callId, command, background, ...base }];
}
