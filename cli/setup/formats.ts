import type { HookFormat } from "./hook-entries.ts";
import { getLauncher, getWrappedLauncher } from "./launcher.ts";

/** `settings.json` of Claude Code. One with comments is kept as it is, though 2.1.197 does not read it: that is told in a note. */
export const claudeFormat: HookFormat = {
  dialect: "comments",
  events: ["Stop", "UserPromptSubmit"],
  shape: "groups",
  needed: {},
  getCommand: () => getLauncher("claude"),
};

/** `hooks.json` of Codex (0.171), which reads it as JSON without comments; `timeout` is in seconds. */
export const codexFormat: HookFormat = {
  dialect: "strict",
  events: ["Stop", "UserPromptSubmit"],
  shape: "groups",
  needed: {},
  getCommand: () => getWrappedLauncher("codex"),
};

/** `hooks.json` of Cursor, as its documentation has it (cursor.com/docs/agent/hooks); `timeout` is in seconds. */
export const cursorFormat: HookFormat = {
  dialect: "comments",
  events: ["beforeSubmitPrompt", "afterAgentResponse", "stop"],
  shape: "commands",
  needed: { version: 1 },
  getCommand: (event) => getWrappedLauncher("cursor", event),
};
