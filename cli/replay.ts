import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { findChecks } from "../lib/commands/find-checks.ts";
import { findTreeMoves } from "../lib/commands/tree-moves.ts";
import { getVerdicts } from "../lib/commands/get-verdicts.ts";
import type { Harness } from "../lib/hook.ts";
import type { CheckRun } from "../lib/transcript/digest.ts";
import { toPlainLine } from "../lib/plain-line.ts";
import { quoteForShell } from "../lib/quote-for-shell.ts";
import { describeState } from "./describe-error.ts";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { createFileKind } from "./replay/find-kind.ts";
import { createReplay } from "./replay/find-runs.ts";
import type { Replay, ReplayedFlip, ReplayedRun } from "./replay/find-runs.ts";
import { readRows } from "./replay/read-rows.ts";

/** Its rows hold calls without ids, and neither results nor exit codes (published rows of 3.8 to 3.20). */
const CURSOR =
  "one of Cursor, whose transcripts hold no command results: nothing tells whether a check passed; `catstack backtest` reads what was said";

/** What a digest keeps of a command or of evidence, in characters. */
const MAX_LINE = 200;

/**
 * `catstack replay`: every run of a check in a transcript, and the flips. 1 when a flip is open, or the file cannot be read or is no
 * session.
 */
export async function replay(args: readonly string[], io: CliIo): Promise<number> {
  const options = { json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) {
    throw new UsageError(`expected one transcript, got ${positionals.length} arguments`);
  }
  const path = resolve(io.cwd, name);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    const advice = `name a file, or use: catstack backtest ${quoteForShell(name)}`;
    throw new Failure(`expected a transcript at ${path}, got a folder; ${advice}`);
  }
  const found = createReplay({ findChecks, getVerdicts, findTreeMoves });
  const kind = createFileKind();
  let harness: Harness | undefined;
  try {
    harness = readRows(path, (entries) => {
      kind.row(entries);
      found.row(entries);
    });
  } catch (error) {
    throw new Failure(`expected a transcript at ${path}, ${describeState(error)}`, { cause: error });
  }
  const other = harness === "cursor" ? CURSOR : kind.findOther();
  if (other !== undefined) throw new Failure(`${path}: expected a session of Claude Code or Codex, got ${other}`);
  const { flips } = found;
  if (values.json) io.out(JSON.stringify(toJson(path, found)));
  else io.out(formatReplay(found, io.color));
  return flips.some(({ open }) => open) ? 1 : 0;
}

function toJson(transcript: string, { runs, flips, digest }: Replay): object {
  const { rows, broken, turns } = digest;
  return {
    transcript,
    rows,
    broken,
    turns,
    runs: runs.map(({ target, key, verdict, ...run }) => ({ ...toRunJson(run), target, key, verdict })),
    flips: flips.map(({ target, key, passed, failed, open }) => {
      const { target: as, ...pass } = passed;
      return { target, key, passed: { ...toRunJson(pass), target: as }, failed: toRunJson(failed), open };
    }),
  };
}

function toRunJson({ row, turn, at, callId, command, evidence }: CheckRun): object {
  return {
    row,
    turn,
    at: at ?? null,
    call_id: callId,
    command: clip(command, MAX_LINE),
    evidence: clip(evidence, MAX_LINE),
  };
}

/** Digests cut without a mark: what reaches the length was most likely longer. */
function clip(text: string, length: number): string {
  return text.length < length ? text : `${text.slice(0, length - 1)}…`;
}

function formatReplay({ runs, flips, digest }: Replay, color: boolean): string {
  const { rows, broken, turns } = digest;
  const counts = `${count(rows, "row")}${broken === 0 ? "" : ` (${broken} broken)`}, ${count(turns, "turn")}, ${count(runs.length, "run")} of checks`;
  const open = flips.filter((flip) => flip.open).length;
  return [
    ...(runs.length === 0 ? [] : [...formatRuns(runs, color), ""]),
    ...flips.map((flip) => formatFlip(flip, color)),
    ...(flips.length === 0 ? [] : [""]),
    `${counts}; ${count(flips.length, "flip")}${flips.length === 0 ? "" : `, ${open} open`}`,
  ].join("\n");
}

function formatRuns(runs: readonly ReplayedRun[], color: boolean): string[] {
  const width = Math.max(...runs.map(({ turn }) => String(turn).length), "turn".length);
  return [
    `${"time".padEnd(20)}  ${"turn".padStart(width)}  verdict  target`,
    ...runs.map(({ at, turn, verdict, target, evidence }) => {
      const word = paint(verdict.padEnd(7), verdict, color);
      const detail = evidence === "" ? "" : `  (${clip(toPlainLine(evidence), 61)})`;
      return `${toPlainLine(showTime(at)).padEnd(20)}  ${String(turn).padStart(width)}  ${word}  ${toPlainLine(target)}${detail}`;
    }),
  ];
}

function formatFlip({ target, passed, failed, open }: ReplayedFlip, color: boolean): string {
  const state = open ? paint("open", "fail", color) : "repaired later";
  const as = passed.target === target ? "" : ` as part of ${toPlainLine(passed.target)}`;
  return `flip: ${toPlainLine(target)} passed${as} in turn ${passed.turn} (row ${passed.row}), failed in turn ${failed.turn} (row ${failed.row}): ${state}`;
}

function paint(text: string, verdict: ReplayedRun["verdict"], color: boolean): string {
  if (!color || verdict === "unknown") return text;
  return `\u001B[${verdict === "pass" ? 32 : 31}m${text}\u001B[39m`;
}

/** To the second, in UTC as the harness wrote it. */
function showTime(at: string | undefined): string {
  return at === undefined ? "-" : at.replace(/\.\d+Z$/, "Z");
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? "" : "s"}`;
}
