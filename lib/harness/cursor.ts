import { findText, isRow } from "../transcript/row.ts";
import { findTexts, nameKind } from "./fields.ts";
import type { ParsedPayload, Payload } from "./payload.ts";
import type { Reply } from "./reply.ts";

/** Cursor's names and, where it runs the hooks in Claude Code's settings, the ones those stand under. */
const events: ReadonlyMap<string | undefined, Payload["event"]> = new Map([
  ["stop", "Stop"],
  ["Stop", "Stop"],
  ["beforeSubmitPrompt", "UserPromptSubmit"],
  ["UserPromptSubmit", "UserPromptSubmit"],
  ["afterAgentResponse", "Reply"],
]);

/** Whether a transcript is a sub-agent's: they lie in a folder of their own. */
export function isCursorSubagentFile(path: string): boolean {
  return /[\\/]subagents[\\/][^\\/]+$/.test(path);
}

/**
 * The whole output of each of our hooks. Cursor takes anything but JSON for a fault; what its answers could say would send a message in the
 * person's name, or keep back a prompt.
 */
export const cursorAnswer = "{}\n";

/** Whether a payload is Cursor's: with third-party hooks on, it runs Claude Code's hooks too and sends them what it sends its own. */
export function isCursorPayload(value: unknown): boolean {
  return isRow(value) && (findText(value["cursor_version"]) ?? findText(value["conversation_id"])) !== undefined;
}

/**
 * What Cursor sends a hook on stdin: keys as documented (cursor.com/docs/hooks) and as published from sessions of 3.3 to 3.8 and of its command
 * line's 2026.08; no client was at hand. `cwd` may be empty and `transcript_path` null. A turn that was stopped or failed is no event.
 * Total: any value, no throw.
 */
export function parseCursorPayload(value: unknown, eventName?: string): ParsedPayload {
  if (!isRow(value)) return { ok: false, reason: `expected a JSON object, got ${nameKind(value)}` };
  const texts = findTexts({
    sessionId: [value["conversation_id"], value["session_id"]],
    turnId: [value["generation_id"]],
    transcriptPath: [value["transcript_path"]],
    cwd: [value["cwd"], value["workspace_roots"]].flat(),
    prompt: [value["prompt"]],
    reply: [value["text"]],
  });
  const event = events.get(findText(value["hook_event_name"]) ?? eventName);
  const { status } = value;
  return {
    ok: true,
    payload: {
      harness: "cursor",
      event: event === "Stop" && status !== undefined && status !== "completed" ? undefined : event,
      ...texts,
      // `loop_count` tells of messages that hooks have sent; no hook of ours sends one.
      stopHookActive: false,
      subagent: isCursorSubagentFile(texts.transcriptPath ?? ""),
    },
  };
}

/** The person hears nothing from a hook of Cursor's: its log of hooks keeps stderr. The answer is given before a hook is run. */
export function formatCursorStop(said: readonly string[]): Reply {
  return { stdout: "", stderr: said.map((text) => `${text}\n`).join("") };
}
