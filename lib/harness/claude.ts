import type { HookEvent } from "../hook.ts";
import { findText, isRow } from "../transcript/row.ts";
import { findReply, findTexts, isSet, nameKind } from "./fields.ts";
import { type Reply, silence } from "./reply.ts";
import type { ParsedPayload } from "./payload.ts";

/**
 * What Claude Code sends a hook on stdin (keys as seen with 2.1.197). `eventName` is used where the payload names no event. Total: any
 * value, no throw.
 */
export function parseClaudePayload(value: unknown, eventName?: string): ParsedPayload {
  if (!isRow(value)) return { ok: false, reason: `expected a JSON object, got ${nameKind(value)}` };
  const event = findText(value["hook_event_name"]) ?? eventName;
  return {
    ok: true,
    payload: {
      harness: "claude",
      event: findEvent(event),
      ...findTexts({
        sessionId: [value["session_id"]],
        turnId: [value["prompt_id"]],
        transcriptPath: [value["transcript_path"], value["transcriptPath"]],
        cwd: [value["cwd"]],
        prompt: [value["prompt"]],
      }),
      ...findReply(value),
      stopHookActive: isSet(value["stop_hook_active"]),
      subagent: event === "SubagentStop" || findText(value["agent_id"]) !== undefined || isSet(value["isSidechain"]),
    },
  };
}

/**
 * What a Stop hook prints. stderr reaches nobody at exit 0 but logs; `systemMessage` reaches the person. Neither a decision nor
 * `additionalContext`: both would make the agent go on (measured with 2.1.197).
 */
export function formatClaudeStop(said: readonly string[]): Reply {
  if (said.length === 0) return silence;
  const text = said.join("\n");
  return { stdout: `${JSON.stringify({ systemMessage: text })}\n`, stderr: `${text}\n` };
}

/** What a UserPromptSubmit hook prints: `context` for the agent, `message` for the person; empty texts are left out. */
export function formatClaudePrompt(context: string, message: string): Reply {
  if (context === "" && message === "") return silence;
  const reply = {
    ...(message === "" ? {} : { systemMessage: message }),
    ...(context === ""
      ? {}
      : { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: context } }),
  };
  return { stdout: `${JSON.stringify(reply)}\n`, stderr: "" };
}

/** A prompt that the client typed itself to tell that a background command has ended: no person reads the answer's start. */
export function isTaskNotification(prompt: string | undefined): boolean {
  const text = prompt?.trim() ?? "";
  return text.startsWith("<task-notification>") && text.endsWith("</task-notification>");
}

function findEvent(name: string | undefined): HookEvent | undefined {
  return name === "Stop" || name === "UserPromptSubmit" ? name : undefined;
}
