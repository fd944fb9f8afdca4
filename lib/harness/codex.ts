import { findText, isRow } from "../transcript/row.ts";
import { findReply, findTexts, isSet, nameKind } from "./fields.ts";
import type { ParsedPayload } from "./payload.ts";
import { type Reply, silence } from "./reply.ts";

/**
 * What Codex sends a hook on stdin (keys as seen with 0.171). A session without a rollout (`--ephemeral`) has a null as its
 * path. Total: any value, no throw.
 */
export function parseCodexPayload(value: unknown, eventName?: string): ParsedPayload {
  if (!isRow(value)) return { ok: false, reason: `expected a JSON object, got ${nameKind(value)}` };
  const event = findText(value["hook_event_name"]) ?? eventName;
  return {
    ok: true,
    payload: {
      harness: "codex",
      event: event === "Stop" || event === "UserPromptSubmit" ? event : undefined,
      ...findTexts({
        sessionId: [value["session_id"]],
        turnId: [value["turn_id"]],
        transcriptPath: [value["transcript_path"]],
        cwd: [value["cwd"]],
        prompt: [value["prompt"]],
      }),
      ...findReply(value),
      stopHookActive: isSet(value["stop_hook_active"]),
      subagent: findText(value["agent_id"]) !== undefined,
    },
  };
}

/** The payload, where Codex started us as its `notify` program: it is the last argument, and nothing comes on stdin. */
export function findCodexNotice(args: readonly string[]): string | undefined {
  const last = args.length > 1 ? args.at(-1) : undefined;
  return last?.trimStart().startsWith("{") === true ? last : undefined;
}

/**
 * What Codex gives its `notify` program after a turn (keys as seen with 0.171). It names the thread, not its transcript. Total: any value, no throw.
 */
export function parseCodexNotice(value: unknown): ParsedPayload {
  if (!isRow(value)) return { ok: false, reason: `expected a JSON object, got ${nameKind(value)}` };
  return {
    ok: true,
    payload: {
      harness: "codex",
      event: value["type"] === "agent-turn-complete" ? "Notice" : undefined,
      ...findTexts({ sessionId: [value["thread-id"]], turnId: [value["turn-id"]], cwd: [value["cwd"]] }),
      ...findReply(value),
      stopHookActive: false,
      subagent: false,
    },
  };
}

/**
 * What a Stop hook prints: `systemMessage`, which the person reads in the interactive screen ("Hook · TEXT") and nowhere under `codex exec`; stderr
 * reaches nobody. Any other key or a text that is no JSON is reported as a failed hook, and a decision makes the agent go on, without end
 * (measured with 0.171).
 */
export function formatCodexStop(said: readonly string[]): Reply {
  if (said.length === 0) return silence;
  const text = said.join("\n");
  return { stdout: `${JSON.stringify({ systemMessage: text })}\n`, stderr: `${text}\n` };
}
