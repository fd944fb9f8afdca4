import type { Entry } from "../../lib/transcript/entry.ts";

/** What a file turned out to be, told by the rows that were seen of it. */
export interface FileKind {
  /** `undefined` stands for a broken line. */
  row(entries: readonly Entry[] | undefined): void;
  /** What it is instead of the main conversation of a session; undefined when it is one. */
  findOther(): string | undefined;
}

const spoken: readonly Entry["kind"][] = ["human", "reply", "call"];

/** Row types of Codex's session files (`rollout-*.jsonl`); Claude Code writes none of them. */
const codexTypes: readonly string[] = ["session_meta", "response_item", "event_msg", "turn_context"];

/** Looks at rows until it is clear what they belong to. */
export function createFileKind(): FileKind {
  let lines = 0;
  let broken = 0;
  let main = false;
  let subagent = false;
  let codex = false;
  return {
    row(entries) {
      lines += entries?.length === 0 ? 0 : 1;
      if (entries === undefined) broken++;
      for (const entry of entries ?? []) {
        if (spoken.includes(entry.kind)) {
          if (entry.sidechain) subagent = true;
          else main = true;
        } else if (entry.kind === "other" && codexTypes.includes(entry.type)) codex = true;
      }
    },
    findOther() {
      if (main) return undefined;
      if (subagent) return "the file of a sub-agent, whose runs are its own; name the session's file";
      if (codex) return "a Codex rollout, which is not read yet; name a file of Claude Code";
      if (lines === 0) return "an empty file; name a session's file";
      if (broken === lines) return `no JSON object in any of ${lines} lines; name a session's file`;
      return "rows in which nobody says or runs anything; name a session's file";
    },
  };
}
