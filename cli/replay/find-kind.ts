import type { Entry } from "../../lib/transcript/entry.ts";

/** What a file turned out to be, told by the rows that were seen of it. */
export interface FileKind {
  /** `undefined` stands for a broken line. */
  row(entries: readonly Entry[] | undefined): void;
  /** What it is instead of the main conversation of a session; undefined when it is one. */
  findOther(): string | undefined;
}

const spoken: readonly Entry["kind"][] = ["human", "reply", "call"];

/** Looks at rows until it is clear what they belong to. */
export function createFileKind(): FileKind {
  let lines = 0;
  let broken = 0;
  let main = false;
  let subagent = false;
  let whole = false;
  return {
    row(entries) {
      lines += entries?.length === 0 ? 0 : 1;
      if (entries === undefined) broken++;
      for (const entry of entries ?? []) {
        if (entry.kind === "subagent") whole = true;
        if (spoken.includes(entry.kind)) {
          if (entry.sidechain) subagent = true;
          else main = true;
        }
      }
    },
    findOther() {
      if (main && !whole) return undefined;
      if (subagent || whole) return "the file of a sub-agent, whose runs are its own; name the session's file";
      if (lines === 0) return "an empty file; name a session's file";
      if (broken === lines) return `no JSON object in any of ${lines} lines; name a session's file`;
      return "rows in which nobody says or runs anything; name a session's file";
    },
  };
}
