import { findScriptCalls } from "./codex-script.ts";
import type { CallEntry, Entry, EntryBase, PollEntry } from "./entry.ts";
import { findText, isRow, parseRow, type Row } from "./row.ts";

/** Tools that take one command: `exec_command` since 0.5x, the others in older and other set-ups. */
const SHELL_TOOLS: readonly string[] = ["exec_command", "shell", "shell_command", "local_shell", "container.exec"];

/** What the agent asks of a shell in a `function_call`, none for a call of another tool. */
export function parseFunctionCall(payload: Row, base: EntryBase): readonly Entry[] {
  const callId = findText(payload["call_id"]);
  const name = findText(payload["name"]) ?? "";
  const given = parseRow(findText(payload["arguments"]) ?? "");
  if (callId === undefined || given === undefined) return [];
  if (name === "write_stdin") return toPoll(callId, "session", given["session_id"], base);
  if (name === "wait") return toPoll(callId, "cell", given["cell_id"], base);
  if (!SHELL_TOOLS.includes(name)) return [];
  return toCall(callId, given["cmd"] ?? given["command"], given["workdir"], base);
}

/** The older `local_shell_call`, which is a row of its own make. */
export function parseLocalShellCall(payload: Row, base: EntryBase): readonly Entry[] {
  const callId = findText(payload["call_id"]) ?? findText(payload["id"]);
  const action = isRow(payload["action"]) ? payload["action"] : {};
  return callId === undefined ? [] : toCall(callId, action["command"], action["working_directory"], base);
}

/** What a code-mode script asks of shells. */
export function parseScript(payload: Row, base: EntryBase): readonly Entry[] {
  const callId = findText(payload["call_id"]);
  if (callId === undefined || payload["name"] !== "exec") return [];
  const calls = findScriptCalls(findText(payload["input"]) ?? "");
  return calls.flatMap(({ command, cwd, session, part }): readonly (CallEntry | PollEntry)[] => {
    const shared = { ...(part === undefined ? {} : { part }), ...base };
    if (session !== undefined) return [{ kind: "poll", callId, taskId: `session ${session}`, ...shared }];
    if (command === undefined) return [];
    const where = cwd === undefined ? {} : { cwd };
    const own = part === undefined ? { callId } : { callId: `${callId}#${part.index + 1}`, awaits: callId };
    return [{ kind: "call", ...own, command, ...where, background: false, source: "script", ...shared }];
  });
}

/** The line that a shell was given, of a command as Codex writes it: a text, or the words of `bash -lc LINE` or of a program. */
export function findLine(command: unknown): string | undefined {
  if (typeof command === "string") return findText(command);
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === "string");
  const [shell = "", flag = "", line] = words;
  if (/(?:^|[/\\])(?:ba|z|da|k)?sh(?:\.exe)?$/.test(shell) && /^-l?i?c$/.test(flag)) return findText(line);
  return findText(words.map(quote).join(" "));
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function toCall(callId: string, command: unknown, workdir: unknown, base: EntryBase): readonly Entry[] {
  const line = findLine(command);
  const cwd = findText(workdir);
  if (line === undefined) return [];
  if (cwd === undefined) return [{ kind: "call", callId, command: line, background: false, ...base }];
  return [{ kind: "call", callId, command: line, cwd, background: false, ...base }];
}

function toPoll(callId: string, kind: "session" | "cell", id: unknown, base: EntryBase): readonly Entry[] {
  return typeof id === "string" || typeof id === "number"
    ? [{ kind: "poll", callId, taskId: `${kind} ${id}`, ...base }]
    : [];
}
