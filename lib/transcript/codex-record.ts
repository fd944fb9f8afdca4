import { findLine } from "./codex-call.ts";
import { toOutput } from "./codex-result.ts";
import type { Entry, EntryBase } from "./entry.ts";
import { findText, type Row } from "./row.ts";

/** How the ids of commands begin that a script runs; no call in the transcript has them. */
export const SCRIPT_ID = "exec-";

/**
 * Codex's own record of a command that has ended: an item `CommandExecution` (0.171), or the older `exec_command_end` (up to 0.128), which
 * has the same fields. Under the id of a call it is that call's result.
 */
export function parseRecord(record: Row, id: unknown, base: EntryBase): readonly Entry[] {
  const callId = findText(id);
  // What is typed into a running command is recorded too.
  if (callId === undefined || record["source"] === "unified_exec_interaction") return [];
  const exitCode = record["exit_code"];
  const status = record["status"];
  const isOver = typeof exitCode === "number" && Number.isSafeInteger(exitCode);
  const interrupted = !isOver || (status !== undefined && status !== "completed" && status !== "failed");
  const text = findText(record["aggregated_output"]) ?? "";
  const output = toOutput(text, isOver ? exitCode : undefined, interrupted);
  const result = { kind: "result", callId, output, whole: true, ...base } as const;
  const command = findLine(record["command"]);
  if (!callId.startsWith(SCRIPT_ID) || command === undefined) return [result];
  const cwd = findFolder(record["cwd"]);
  const call = { kind: "call", callId, command, background: false, source: "record", ...base } as const;
  return [cwd === undefined ? call : { ...call, cwd }, result];
}

/** A path, or the `file:` address of one. */
function findFolder(cwd: unknown): string | undefined {
  const text = findText(cwd);
  if (text?.startsWith("file://") !== true) return text;
  const path = decodePath(text.slice("file://".length));
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
