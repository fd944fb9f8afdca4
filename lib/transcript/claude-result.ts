import type { CommandOutput, EntryBase, ResultEntry } from "./entry.ts";
import { findText, getText, isRow, type Row } from "./row.ts";

/** First line of a failed command's result, before its output. */
const EXIT_LINE = /^Exit code (\d+)(?:\r?\n|$)/;

/** What `toolUseResult` says of a failed command. */
const ERROR_EXIT = /^Error: Exit code (\d+)/;

/** First words when a command goes to the background: asked for, sent there by the person, or after its timeout. */
const MOVED =
  /^Command (?:running in background with ID: |was manually backgrounded by user with ID: |(?:did not complete [^\n]*|was )?moved to the background (?:\(|with )ID: )([\w-]+)/;

/** How the result of a call begins that did not run, or not to its end (seen with 2.0.64 to 2.1.229). */
const NOT_RUN: readonly RegExp[] = [
  /^The user doesn't want to (?:proceed with this tool use|take this action)/,
  /^<tool_use_error>/, // a parallel call failed, or the call's input was refused
  /^(?:Sibling tool call errored|Cancelled: parallel tool call)/,
  /^\[Request interrupted by user/,
  /^This (?:Bash )?command (?:requires approval|contains multiple operations\. The following parts? requires? approval)/,
  /^Permission to use \S+ (?:with command [\s\S]*)?has been denied/,
  /^Permission for this (?:action|command) (?:has been|was) denied/,
  /^\S+ (?:is|are) temporarily unavailable, so auto mode cannot determine the safety/,
  /^This session is isolated in the worktree /,
];

/**
 * The result that a `tool_result` block holds; none when it names no call. `toolUseResult` is the row's own field of that
 * name: an object for a run that went well, `Error: ...` for a failed one, absent in rows of sub-agents.
 */
export function parseResult(block: Row, toolUseResult: unknown, base: EntryBase): readonly ResultEntry[] {
  const callId = findText(block["tool_use_id"]);
  if (callId === undefined) return [];
  const taskId = findTaskId(getText(block["content"]), toolUseResult);
  const output = readOutput(block, toolUseResult);
  if (taskId !== undefined) return [{ kind: "result", callId, output, taskId, ...base }];
  return [{ kind: "result", callId, output, ...base }];
}

function findTaskId(text: string, toolUseResult: unknown): string | undefined {
  if (isRow(toolUseResult)) return findText(toolUseResult["backgroundTaskId"]);
  return MOVED.exec(text)?.[1];
}

function readOutput(block: Row, toolUseResult: unknown): CommandOutput {
  const content = getText(block["content"]);
  const isError = block["is_error"];
  // Without the failure bit a line `Exit code 3` is the command's own output.
  const exitLine = isError === true ? EXIT_LINE.exec(content) : null;
  const exitCode = isError === true ? findExitCode(exitLine, toolUseResult) : undefined;
  const text = content.slice(exitLine?.[0].length ?? 0);
  return {
    text,
    ...(typeof isError === "boolean" ? { isError } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(isNotRun(text, exitCode, isError, toolUseResult) ? { interrupted: true } : {}),
  };
}

function findExitCode(exitLine: RegExpExecArray | null, toolUseResult: unknown): number | undefined {
  const digits = exitLine?.[1] ?? (typeof toolUseResult === "string" ? ERROR_EXIT.exec(toolUseResult)?.[1] : undefined);
  const code = Number(digits);
  return Number.isSafeInteger(code) ? code : undefined;
}

function isNotRun(text: string, exitCode: number | undefined, isError: unknown, toolUseResult: unknown): boolean {
  if (isRow(toolUseResult)) return toolUseResult["interrupted"] === true;
  if (isError === false) return false;
  // A command that ran and failed shows its exit code in both places; without one it was refused, by whomever.
  if (isError === true && exitCode === undefined && typeof toolUseResult === "string") return true;
  return NOT_RUN.some((pattern) => pattern.test(text));
}
