import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { readLines } from "../../lib/io/transcript/read-lines.ts";
import type { Harness } from "../../lib/hook.ts";
import type { Adapter } from "../../lib/transcript/adapter.ts";
import { claude } from "../../lib/transcript/claude.ts";
import { codex } from "../../lib/transcript/codex.ts";
import { cursor } from "../../lib/transcript/cursor.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { isRow, parseRow } from "../../lib/transcript/row.ts";

/** Row types of Codex's session files (`rollout-*.jsonl`); Claude Code writes none of them. */
const codexTypes: readonly unknown[] = ["session_meta", "response_item", "event_msg", "turn_context"];
/** Who speaks in a row of Cursor's; Claude Code says it within the message alone. */
const cursorRoles: readonly unknown[] = ["user", "assistant"];

/**
 * Visits every line of a transcript, parsed; `undefined` for a broken one. The first row tells whose transcript it is, which is given back. Throws
 * when it is no readable file.
 */
export function readRows(path: string, visit: (entries: readonly Entry[] | undefined) => void): Harness | undefined {
  let adapter: Adapter | undefined;
  const visitLine = (line: string): void => {
    adapter ??= findAdapter(line);
    visit((adapter ?? claude).parseLine(line));
  };
  // A named pipe would hold it up until somebody writes.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is no file");
    const { tail } = readLines(fd, 0, stat.size, {
      line: (bytes, start, end) => visitLine(bytes.toString("utf8", start, end)),
      oversized: () => visit(undefined),
    });
    if (tail.length > 0) visitLine(tail.toString("utf8"));
    return adapter?.name;
  } finally {
    closeSync(fd);
  }
}

/** Whose transcript the row begins; undefined when it is no JSON object. */
export function findAdapter(line: string): Adapter | undefined {
  const row = parseRow(line);
  if (row === undefined) return undefined;
  if (codexTypes.includes(row["type"]) && isRow(row["payload"])) return codex;
  return cursorRoles.includes(row["role"]) && isRow(row["message"]) ? cursor : claude;
}
