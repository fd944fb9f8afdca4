import type { Harness } from "../hook.ts";
import { parseClaudePayload } from "./claude.ts";
import { parseCodexPayload } from "./codex.ts";
import { isCursorPayload, parseCursorPayload } from "./cursor.ts";
import type { ParsedPayload } from "./payload.ts";

/** What a hook that was installed for `harness` was sent. Cursor may be the one who sent it. Total: any value, no throw. */
export function parsePayload(harness: Harness, value: unknown, eventName?: string): ParsedPayload {
  if (harness === "codex") return parseCodexPayload(value, eventName);
  const isCursors = harness === "cursor" || isCursorPayload(value);
  return isCursors ? parseCursorPayload(value, eventName) : parseClaudePayload(value, eventName);
}
