import { closeSync } from "node:fs";
import { join, sep } from "node:path";
import type { Harness } from "../../lib/hook.ts";
import { openRegular, readAt } from "../../lib/io/open-regular.ts";
import { getHome, type Env } from "../../lib/io/paths.ts";
import type { Adapter } from "../../lib/transcript/adapter.ts";
import { parseRow } from "../../lib/transcript/row.ts";
import { findTranscripts, selectExisting, type TranscriptFile } from "../backtest/find-transcripts.ts";
import type { TranscriptFacts } from "./checks/transcripts.ts";

/** So much of a file's end is looked at. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Row types of each harness, as seen with Claude Code 2.0 to 2.1.229 and Codex 0.171; rows of Cursor have none. */
const knownTypes: Readonly<Record<Harness, readonly unknown[]>> = {
  claude: [
    "user",
    "assistant",
    "attachment",
    "system",
    "queue-operation",
    "last-prompt",
    "summary",
    "progress",
    "file-history-snapshot",
  ],
  codex: [
    "session_meta",
    "turn_context",
    "world_state",
    "response_item",
    "event_msg",
    "token_usage_record",
    "compacted",
  ],
  cursor: [undefined, "user", "assistant"],
};

/** Where a harness keeps its sessions. */
function getSessionsDir(harness: Harness, env: Env): string {
  if (harness === "claude") return join(env["CLAUDE_CONFIG_DIR"] || join(getHome(env), ".claude"), "projects");
  if (harness === "codex") return join(env["CODEX_HOME"] || join(getHome(env), ".codex"), "sessions");
  return join(getHome(env), ".cursor", "projects");
}

/** How the newest session of a harness reads. Never throws. */
export function readNewestTranscript(adapter: Adapter, env: Env): TranscriptFacts {
  const harness = adapter.name;
  const dirs = selectExisting([getSessionsDir(harness, env)]);
  const files = findTranscripts(dirs).files.filter((file) => isSession(file, harness));
  const newest = files.reduce<TranscriptFile | undefined>(
    (best, file) => (best === undefined || file.changedAt > best.changedAt ? file : best),
    undefined,
  );
  if (newest === undefined) return { harness, newest: undefined };
  const { path, changedAt } = newest;
  try {
    return { harness, newest: { path, changedAt, ...countRows(readEnd(path), adapter) } };
  } catch (error) {
    return { harness, newest: { path, changedAt, unreadable: error instanceof Error ? error.message : String(error) } };
  }
}

/** Sub-agents have files of their own. */
function isSession({ path }: TranscriptFile, harness: Harness): boolean {
  if (harness === "cursor")
    return path.includes(`${sep}agent-transcripts${sep}`) && !path.includes(`${sep}subagents${sep}`);
  return !path.includes(`${sep}subagents${sep}`);
}

/** Whole lines alone. */
function readEnd(path: string): string {
  const opened = openRegular(path);
  if (opened === "nothing" || opened === "other") throw new Error("it is no file");
  const { fd, stats } = opened;
  try {
    const start = Math.max(0, stats.size - MAX_BYTES);
    const text = readAt(fd, start, stats.size - start).toString("utf8");
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    closeSync(fd);
  }
}

function countRows(text: string, adapter: Adapter): { rows: number; broken: number; known: number; spoken: number } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const types = lines.flatMap((line) => {
    const row = parseRow(line);
    return row === undefined ? [] : [row["type"]];
  });
  const entries = lines.map((line) => adapter.parseLine(line) ?? []);
  return {
    rows: lines.length,
    broken: lines.length - types.length,
    known: types.filter((type) => knownTypes[adapter.name].includes(type)).length,
    spoken: entries.filter((row) => row.some(({ kind }) => ["human", "reply", "call"].includes(kind))).length,
  };
}
