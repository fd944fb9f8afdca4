import type { RanStep } from "../../../lib/cases/story.ts";
import type { ToolResult } from "./claude-rows.ts";

/** What comes back for a command that did not run to its end. */
export const refusals = {
  refused: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
  interrupted: "[Request interrupted by user for tool use]",
} as const;

/** A started background command, by the ids of its call and of the client's task. */
export interface ClaudeTask {
  readonly callId: string;
  readonly taskId: string;
}

/** The result of a command that has ended. */
export function getResult({ output = "", exitCode = 0, isError = exitCode !== 0 }: Omit<RanStep, "ran">): ToolResult {
  if (!isError) {
    const toolUseResult = { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    return { content: output, isError, toolUseResult };
  }
  // A failing result without an exit code is what sub-agents and older clients may leave: there is no second field then.
  if (exitCode === 0) return { content: output, isError };
  const content = `Exit code ${exitCode}${output === "" ? "" : `\n${output}`}`;
  return { content, isError, toolUseResult: `Error: ${content}` };
}

/** The result of a command that did not run to its end: `why` is all that came back. */
export function getRefusal(why: string): ToolResult {
  return { content: why, isError: true, toolUseResult: `Error: ${why}` };
}

/** The result of any tool but a shell. */
export function getToolResult(output: string): ToolResult {
  return { content: output, toolUseResult: { type: "text", file: { content: output } } };
}

/** The result that a command gets when it is left running. */
export function movedToBackground(taskId: string): ToolResult {
  return {
    content: `Command running in background with ID: ${taskId}. Output is being written to: /tmp/tasks/${taskId}.output. You will be notified when it completes.`,
    isError: false,
    toolUseResult: { stdout: "", stderr: "", interrupted: false, isImage: false, backgroundTaskId: taskId },
  };
}

/** How the client tells the agent that a background command has ended. */
export function getEndNotice({ callId, taskId }: ClaudeTask, exitCode: number): string {
  const end = exitCode === 0 ? "completed (exit code 0)" : `failed with exit code ${exitCode}`;
  return [
    "<task-notification>",
    `<task-id>${taskId}</task-id>`,
    `<tool-use-id>${callId}</tool-use-id>`,
    `<output-file>/tmp/tasks/${taskId}.output</output-file>`,
    `<status>${exitCode === 0 ? "completed" : "failed"}</status>`,
    `<summary>Background command "a check" ${end}</summary>`,
    "</task-notification>",
  ].join("\n");
}

/** A slash command as Claude Code 2.1.197 files it; `<command-args>` stands there only with something in it. */
export function getInvocation(name: string, args?: string): string {
  const lines = [`<command-message>${name}</command-message>`, `<command-name>/${name}</command-name>`];
  return [...lines, ...(args === undefined ? [] : [`<command-args>${args}</command-args>`])].join("\n");
}
