import type { Adapter } from "./adapter.ts";
import { parseFunctionCall, parseLocalShellCall, parseScript } from "./codex-call.ts";
import { parseRecord, SCRIPT_ID } from "./codex-record.ts";
import { parseCodexResult } from "./codex-result.ts";
import type { Entry, EntryBase } from "./entry.ts";
import { findText, getRows, isRow, parseRow, type Row } from "./row.ts";

const EMPTY_LINE = /^\uFEFF?[ \t\r]*$/;

/** How texts begin that stand where a prompt would, and no person typed. */
const NOT_TYPED = /^\s*<(?:environment_context|user_instructions|hook_prompt|turn_aborted|subagent_notification)\b/;

/**
 * Rollouts of Codex, as seen with 0.118 to 0.171. The client writes them as compact JSON: the names below stand in a line as they are, and
 * within a string their quotes are escaped. Up to 0.147 prompts and replies are `user_message` and `agent_message`, later items; the same
 * texts stand in `response_item` messages too, beside what the client adds, and are not looked at there.
 */
export const codex: Adapter = {
  name: "codex",
  parseLine: parseCodexLine,
  // Every text more is one more search through the whole file: few, and some rows that do not matter are parsed.
  rules: [
    { all: ['"function_call"'], commandAt: '"arguments"', nested: true },
    { all: ['"custom_tool_call"', '"exec"'], commandAt: '"input"', nested: true },
    { all: ["write_stdin"], whilePending: true },
    { all: ['"wait"'], whilePending: true },
    { all: ['"local_shell_call"'] },
    { all: ['_call_output"'], awaitedAt: '"call_id"' },
    { all: ['"CommandExecution"'], awaitedAt: '"id"' },
    { all: ['"CommandExecution"', `"${SCRIPT_ID}`] },
    { all: ['"exec_command_end"'], awaitedAt: '"call_id"' },
    { all: ['"exec_command_end"', `"${SCRIPT_ID}`] },
    { all: ['"user_message"'] },
    { all: ['"UserMessage"'] },
    { all: ['"turn_context"'] },
    { all: ['"session_meta"'] },
  ],
  replyRules: [{ all: ['"agent_message"'] }, { all: ['"AgentMessage"'] }],
};

/** The entries of one line of a Codex rollout, none for an empty line; undefined when it is no JSON object. */
export function parseCodexLine(line: string): readonly Entry[] | undefined {
  const row = parseRow(line);
  if (row === undefined) return EMPTY_LINE.test(line) ? [] : undefined;
  const at = findText(row["timestamp"]);
  const base: EntryBase = at === undefined ? { sidechain: false } : { at, sidechain: false };
  const payload = isRow(row["payload"]) ? row["payload"] : {};
  const entries = parseKnownRow(row["type"], payload, base);
  return entries.length > 0 ? entries : [{ kind: "other", type: findText(row["type"]) ?? "", ...base }];
}

function parseKnownRow(type: unknown, payload: Row, base: EntryBase): readonly Entry[] {
  switch (type) {
    case "session_meta":
      return isSubagent(payload) ? [{ kind: "subagent", ...base }] : parseFolder(payload["cwd"], base);
    case "turn_context":
      return parseFolder(payload["cwd"], base);
    case "response_item":
      return parseResponseItem(payload, base);
    case "event_msg":
      return parseEvent(payload, base);
    case "compacted":
      return [{ kind: "compaction", ...base }];
    default:
      return [];
  }
}

function isSubagent({ source, thread_source: thread }: Row): boolean {
  return thread === "subagent" || source === "subagent" || (isRow(source) && source["subagent"] !== undefined);
}

function parseFolder(cwd: unknown, base: EntryBase): readonly Entry[] {
  return typeof cwd === "string" && cwd !== "" ? [{ kind: "folder", cwd, ...base }] : [];
}

function parseResponseItem(payload: Row, base: EntryBase): readonly Entry[] {
  switch (payload["type"]) {
    case "function_call":
      return parseFunctionCall(payload, base);
    case "local_shell_call":
      return parseLocalShellCall(payload, base);
    case "custom_tool_call":
      return parseScript(payload, base);
    case "function_call_output":
    case "custom_tool_call_output": {
      const callId = findText(payload["call_id"]);
      return callId === undefined ? [] : [parseCodexResult(callId, payload["output"], base)];
    }
    default:
      return [];
  }
}

function parseEvent(payload: Row, base: EntryBase): readonly Entry[] {
  switch (payload["type"]) {
    case "user_message":
      return parsePrompt(payload["message"], hasItems(payload["images"]) || hasItems(payload["local_images"]), base);
    case "agent_message":
      return parseReply(payload["message"], base);
    case "exec_command_end":
      return parseRecord(payload, payload["call_id"], base);
    case "item_completed":
      return isRow(payload["item"]) ? parseItem(payload["item"], base) : [];
    default:
      return [];
  }
}

function parseItem(item: Row, base: EntryBase): readonly Entry[] {
  switch (item["type"]) {
    case "UserMessage": {
      const blocks = getRows(item["content"]);
      return parsePrompt(
        joinTexts(blocks),
        blocks.some(({ type }) => type !== "text" && type !== "Text"),
        base,
      );
    }
    case "AgentMessage":
      return parseReply(joinTexts(getRows(item["content"])), base);
    case "CommandExecution":
      return parseRecord(item, item["id"], base);
    default:
      return [];
  }
}

function parsePrompt(text: unknown, hasPicture: boolean, base: EntryBase): readonly Entry[] {
  if (typeof text !== "string" || NOT_TYPED.test(text) || (text.trim() === "" && !hasPicture)) return [];
  return [{ kind: "human", text, ...base }];
}

function parseReply(text: unknown, base: EntryBase): readonly Entry[] {
  return typeof text === "string" && text.trim() !== "" ? [{ kind: "reply", text, ...base }] : [];
}

function joinTexts(blocks: readonly Row[]): string {
  return blocks
    .map(({ text }) => findText(text))
    .filter((text) => text !== undefined)
    .join("\n");
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
