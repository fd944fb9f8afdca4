import type { Harness, HookEvent } from "../hook.ts";

/** What a harness sent, in our words. Missing parts are absent, never empty, but for a reply. */
export interface Payload {
  readonly harness: Harness;
  /**
   * `Reply`: the agent's reply, told apart from the end of its turn (Cursor). `Notice`: the end of a turn, told to a program whose answer nobody reads
   * (Codex). Undefined for an event that no hook of ours listens to.
   */
  readonly event: HookEvent | "Reply" | "Notice" | undefined;
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly transcriptPath?: string;
  readonly cwd?: string;
  /** The assistant's last text (Stop, Reply): empty when it wrote none, absent when the client does not tell. */
  readonly reply?: string;
  /** What the person typed (UserPromptSubmit). */
  readonly prompt?: string;
  /** The turn was already continued by a Stop hook. */
  readonly stopHookActive: boolean;
  /** Sent from inside a sub-agent. */
  readonly subagent: boolean;
}

export type ParsedPayload =
  | { readonly ok: true; readonly payload: Payload }
  | { readonly ok: false; readonly reason: string };

/** The agent programs that may start us. */
export const harnesses: readonly Harness[] = ["claude", "codex", "cursor"];
