import { closeSync, constants, fstatSync, openSync, type BigIntStats } from "node:fs";
import { setImmediate as nextTick } from "node:timers/promises";
import { mayCheck, mayMoveTree } from "../../lib/commands/prefilter.ts";
import { findChecks, findTreeMoves, getVerdicts } from "../../lib/commands/verifier.ts";
import type { Harness } from "../../lib/hook.ts";
import { isCursorSubagentFile } from "../../lib/harness/cursor.ts";
import { getShape } from "../../lib/io/transcript/fold-lines.ts";
import { readLines } from "../../lib/io/transcript/read-lines.ts";
import { createRowFilter, type RowFilter } from "../../lib/io/transcript/row-filter.ts";
import type { Adapter, RowRule } from "../../lib/transcript/adapter.ts";
import type { Digest } from "../../lib/transcript/digest.ts";
import { createFold } from "../../lib/transcript/fold.ts";
import { findAdapter } from "../replay/read-rows.ts";
import { createTurnFinder, type SessionKind, type Turn, type TurnFinder } from "./turn-finder.ts";

/** What was read of a file. */
export interface Reading {
  readonly kind: SessionKind;
  readonly harness: Harness;
  readonly rows: number;
  /** Lines that are no JSON objects, or longer than any that a harness writes. */
  readonly broken: number;
}

/** Hears of a turn when it is over. */
export type OnTurn = (harness: Harness, turn: Turn) => void;

/** Rows that end a turn and that no fold needs. */
const endRules: Readonly<Record<Harness, readonly RowRule[]>> = {
  claude: [],
  codex: [{ all: ['"task_complete"'] }, { all: ['"turn_aborted"'] }],
  cursor: [{ all: ['"turn_ended"'] }],
};

/** So many bytes are read in one go; in between a signal is heard. */
const SLICE_BYTES = 256 * 1024;

const fold = createFold({ findChecks, getVerdicts, findTreeMoves });

/**
 * Reads a transcript once from start to end, a line at a time, and tells each turn when it is over. Only lines that may hold a prompt, a reply, a
 * check or the result of one are parsed. Rejects with the system's error, with an Error where the path is no file, and once `signal` is aborted.
 */
export async function readTurns(path: string, onTurn: OnTurn, signal?: AbortSignal): Promise<Reading> {
  // A named pipe would hold it up until somebody writes.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (!stat.isFile()) throw new Error("it is no file");
    const reading = await readOpened(fd, stat, onTurn, signal);
    const isSubagent = reading.harness === "cursor" && isCursorSubagentFile(path);
    return isSubagent && reading.kind === "session" ? { ...reading, kind: "sub-agent" } : reading;
  } finally {
    closeSync(fd);
  }
}

async function readOpened(
  fd: number,
  { size }: BigIntStats,
  onTurn: OnTurn,
  signal: AbortSignal | undefined,
): Promise<Reading> {
  let reader: LineReader | undefined;
  let passed = 0; // broken lines before the first row
  const read = (bytes: Buffer, start: number, end: number): void => {
    if (reader === undefined) {
      const adapter = findAdapter(bytes.toString("utf8", start, end));
      if (adapter === undefined) passed += 1;
      else reader = createLineReader(adapter, onTurn);
    }
    reader?.line(bytes, start, end);
  };
  const oversized = (): void => void (reader === undefined ? (passed += 1) : reader.finder.pass(true));
  const slice = { skipping: false, budget: SLICE_BYTES, getExtraCost: () => 0 };
  let part = readLines(fd, 0, Number(size), { line: read, oversized }, slice);
  while (!part.complete) {
    await nextTick();
    signal?.throwIfAborted();
    const { offset, skipping } = part;
    part = readLines(fd, offset, Number(size), { line: read, oversized }, { ...slice, skipping });
  }
  const { tail } = part;
  if (tail.length > 0) read(tail, 0, tail.length);
  if (reader === undefined) return { kind: "other", harness: "claude", rows: passed, broken: passed };
  const { finder, harness }: LineReader = reader;
  finder.end();
  const { rows, broken } = finder.digest;
  return { kind: finder.getKind(), harness, rows: rows + passed, broken: broken + passed };
}

interface LineReader {
  readonly harness: Harness;
  readonly finder: TurnFinder;
  line(bytes: Buffer, start: number, end: number): void;
}

function createLineReader(adapter: Adapter, onTurn: OnTurn): LineReader {
  const finder = createTurnFinder(adapter.name, fold, (turn) => onTurn(adapter.name, turn));
  const mayMatter = createFilter(adapter);
  let calls: Digest["pending"] = [];
  let pending: ReadonlySet<string> = new Set();
  return {
    harness: adapter.name,
    finder,
    line(bytes, start, end) {
      if (!mayMatter(bytes, start, end, pending)) return finder.pass(getShape(bytes, start, end) === "broken");
      const line = bytes.toString("utf8", start, end);
      finder.row(adapter.parseLine(line), line);
      const next = finder.digest.pending;
      if (next === calls) return;
      calls = next;
      pending = new Set(next.flatMap(({ callId, awaits }) => (awaits === undefined ? [callId] : [callId, awaits])));
    },
  };
}

function createFilter({ name, rules, replyRules }: Adapter): RowFilter {
  return createRowFilter(
    [...replyRules, ...endRules[name], ...rules],
    (command) => mayCheck(command) || mayMoveTree(command),
  );
}
