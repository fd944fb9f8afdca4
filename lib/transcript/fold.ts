import type { Check, RunVerdict } from "../commands/check.ts";
import type { Reading } from "../commands/get-verdicts.ts";
import type { TreeMove } from "../commands/tree-moves.ts";
import {
  cutFolder,
  cutLine,
  cutPieces,
  cutText,
  findTime,
  isPlainId,
  MAX_CHECK_JSON,
  MAX_CHECKS_A_CALL,
  MAX_COMMAND,
  MAX_INVOKED,
  MAX_PENDING_CALLS,
  MAX_PENDING_CHECKS,
  MAX_REPLIES,
  MAX_SETTLED,
} from "./bounds.ts";
import { type Digest, emptyDigest, type Fold, type PendingCall, type CheckRun, type TargetState } from "./digest.ts";
import type {
  CallEntry,
  CommandOutput,
  Entry,
  HumanEntry,
  PollEntry,
  ResultEntry,
  TaskEndEntry,
  Told,
} from "./entry.ts";
import { bookRun, forgetFailures } from "./targets.ts";
import { type Moved, moveTree } from "./tree.ts";

const TO_THE_SECOND = "2026-01-01T00:00:00".length;

/** The verifier library, as the fold needs it. */
export interface FoldDeps {
  readonly findChecks: (command: string, cwd?: string) => readonly Check[];
  /** One reading a check, in the same order. */
  readonly getVerdicts: (checks: readonly Check[], output: CommandOutput) => readonly Reading[];
  readonly findTreeMoves: (command: string, cwd?: string) => readonly TreeMove[];
}

/**
 * The step from one digest to the next: pure, never changes what it is given, and bounded (`MAX_DIGEST_BYTES`). Calls and
 * results are paired by id alone. Entries of sub-agents change nothing.
 */
export function createFold(deps: FoldDeps): Fold {
  return (digest, entry) => (entry.sidechain || digest.subagent === true ? digest : foldEntry(digest, entry, deps));
}

/** Folds one line: counts it, then folds its entries; `undefined` stands for a broken line. */
export function foldRow(fold: Fold, digest: Digest, entries: readonly Entry[] | undefined): Digest {
  const broken = digest.broken + (entries === undefined ? 1 : 0);
  return (entries ?? []).reduce(fold, { ...digest, rows: digest.rows + 1, broken });
}

function foldEntry(digest: Digest, entry: Entry, deps: FoldDeps): Digest {
  switch (entry.kind) {
    case "human":
      return foldHuman(digest, entry);
    case "reply":
      return { ...digest, replies: [...digest.replies, cutText(entry.text)].slice(-MAX_REPLIES) };
    case "call":
      return foldCall(digest, entry, deps);
    case "result":
      return foldResult(digest, entry, deps);
    case "poll":
      return foldPoll(digest, entry);
    case "task-end":
      return foldTaskEnd(digest, entry, deps);
    case "folder":
      return { ...digest, cwd: cutFolder(entry.cwd) };
    case "subagent":
      return { ...emptyDigest, rows: digest.rows, broken: digest.broken, subagent: true };
    case "compaction": // shortens what the model remembers, not what happened: an earlier pass may still be quoted
    case "other":
      break;
  }
  return digest;
}

function foldHuman({ invoked: before = [], promptedAt, ...digest }: Digest, entry: HumanEntry): Digest {
  const goesOn = entry.queued === true || (entry.command !== undefined && isSameSecond(promptedAt, entry.at));
  const command = entry.command === undefined ? [] : [cutLine(entry.command)];
  const invoked = goesOn ? [...before, ...command].slice(-MAX_INVOKED) : command;
  const at = goesOn ? promptedAt : findTime(entry.at);
  return {
    ...digest,
    turns: digest.turns + 1,
    lastHuman: cutText(entry.text),
    ...(invoked.length === 0 ? {} : { invoked }),
    ...(at === undefined ? {} : { promptedAt: at }),
  };
}

/** Commands that were typed in one line are filed one after another in the same second, as no answered prompt is. */
function isSameSecond(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one.slice(0, TO_THE_SECOND) === other?.slice(0, TO_THE_SECOND);
}

function foldCall(digest: Digest, entry: CallEntry, deps: FoldDeps): Digest {
  if (entry.source === "record") return followCall(withRecords(digest), entry, deps);
  return entry.source === "script" && digest.recorded === true ? digest : followCall(digest, entry, deps);
}

/** A command that is recorded is told twice: by its record, and in what its program prints. The record is exact. */
function withRecords(digest: Digest): Digest {
  return { ...digest, recorded: true, pending: digest.pending.filter(({ script }) => script !== true) };
}

function followCall(digest: Digest, entry: CallEntry, { findChecks, findTreeMoves }: FoldDeps): Digest {
  const { callId, command, awaits, part, source } = entry;
  // A resumed session may hold the same row twice.
  if (digest.settled.includes(callId) || digest.pending.some((call) => call.callId === callId)) return digest;
  if (!isPlainId(callId) || !isPlainId(awaits ?? callId) || command.length > MAX_COMMAND) return digest;
  const folder = getFolder(digest, entry);
  const checks = findChecks(command, folder);
  const moves = findTreeMoves(command, folder);
  const { trees, ...moved } = moveTree(digest.tree, moves, checks.length);
  const after = leaveTree(digest, moved);
  if (checks.length === 0 || checks.length > MAX_CHECKS_A_CALL || checks.some(isOversized))
    return moves.length === 0 ? after : { ...after, settled: withSettled(after, callId) };
  const call: PendingCall = {
    callId,
    command: cutLine(command),
    checks,
    ...(awaits === undefined ? {} : { awaits }),
    ...(part === undefined ? {} : { part }),
    ...(source === "script" ? { script: true } : {}),
    ...(trees === undefined ? {} : { trees }),
  };
  return { ...after, pending: boundPending([...digest.pending, call]) };
}

/** Whether a move has succeeded is not waited for: one that was refused most often costs a comparison. */
function leaveTree(digest: Digest, { tree, restored }: Omit<Moved, "trees">): Digest {
  if (tree === digest.tree && !restored) return digest;
  const { tree: _, ...rest } = digest;
  const targets = restored ? forgetFailures(digest.targets) : digest.targets;
  return { ...rest, targets, ...(tree === undefined ? {} : { tree }) };
}

const ABSOLUTE = /^(?:[/\\~]|[A-Za-z]:)/;

function getFolder({ cwd: base }: Digest, { cwd }: CallEntry): string | undefined {
  if (base === undefined || base === "" || (cwd !== undefined && ABSOLUTE.test(cwd))) return cwd;
  return cwd === undefined ? base : `${base}/${cwd}`;
}

function isOversized(check: Check): boolean {
  return JSON.stringify(check).length > MAX_CHECK_JSON;
}

/** The newest calls, as many as the bounds allow. */
function boundPending(pending: readonly PendingCall[]): readonly PendingCall[] {
  let checks = 0;
  const first = pending.findLastIndex((call) => (checks += call.checks.length) > MAX_PENDING_CHECKS) + 1;
  return pending.slice(Math.max(first, pending.length - MAX_PENDING_CALLS));
}

function foldResult(digest: Digest, entry: ResultEntry, deps: FoldDeps): Digest {
  return digest.pending
    .filter((call) => isAwaitedBy(call, entry))
    .reduce((next, call) => foldTold(next, call, entry, deps), digest);
}

function isAwaitedBy({ callId, awaits }: PendingCall, entry: ResultEntry): boolean {
  return entry.callId === (entry.whole === true ? callId : (awaits ?? callId));
}

function foldTold(digest: Digest, call: PendingCall, entry: ResultEntry, deps: FoldDeps): Digest {
  const { output, taskId } = getTold(call, entry);
  const text = entry.piece === true ? (call.text ?? "") + output.text : output.text;
  if (taskId === undefined) return settle(digest, call, { ...output, text }, entry.at, deps);
  if (!isPlainId(taskId)) return digest;
  const { part, ...whole } = call;
  const going: PendingCall = part === undefined || taskId === entry.taskId ? call : whole;
  const next: PendingCall = { ...going, taskId, began: call.began ?? digest.rows };
  const moved: PendingCall = entry.piece === true ? { ...next, awaits: "", text: cutPieces(text) } : next;
  return { ...digest, pending: digest.pending.map((other) => (other === call ? moved : other)) };
}

/** Where the pieces of a result cannot be told apart, nothing is known of any. While the program runs, none has its piece yet. */
function getTold({ part }: PendingCall, { output, taskId, parts = [] }: ResultEntry): Told {
  if (taskId !== undefined) return { output: part === undefined ? output : { text: "" }, taskId };
  if (part === undefined) {
    const goesOn = parts.at(-1)?.taskId;
    return goesOn === undefined ? { output } : { output, taskId: goesOn };
  }
  const isClear = parts.length === part.count && (part.inOrder || parts.every(({ isRecord }) => isRecord));
  return (isClear ? parts[part.index] : undefined) ?? { output: { text: "", interrupted: true } };
}

function foldPoll(digest: Digest, { callId, taskId, part }: PollEntry): Digest {
  if (!isPlainId(callId) || digest.pending.every((call) => call.taskId !== taskId)) return digest;
  const asked = { awaits: callId, ...(part === undefined ? {} : { part }) };
  return {
    ...digest,
    pending: digest.pending.map((call) => (call.taskId === taskId ? { ...call, ...asked } : call)),
  };
}

/** A background command has ended. The harness tells it several times; the first time counts. */
function foldTaskEnd(digest: Digest, entry: TaskEndEntry, deps: FoldDeps): Digest {
  const call = digest.pending.find(({ callId, taskId }) => taskId === entry.taskId || callId === entry.callId);
  return call === undefined ? digest : settle(digest, call, getTaskOutput(entry), entry.at, deps);
}

/** What a background command printed is in a file of its own, which may be gone: its exit code is all there is. */
function getTaskOutput({ status, exitCode }: TaskEndEntry): CommandOutput {
  if (exitCode !== undefined && status !== "stopped") return { text: "", exitCode };
  return status === "completed" ? { text: "" } : { text: "", interrupted: true };
}

/** Books a result for good: a copy of the call or of the result changes nothing afterwards. */
function settle(
  digest: Digest,
  call: PendingCall,
  output: CommandOutput,
  at: string | undefined,
  deps: FoldDeps,
): Digest {
  const time = findTime(at);
  const run: Omit<CheckRun, "evidence"> = {
    row: digest.rows,
    ...(call.began === undefined ? {} : { began: call.began }),
    turn: digest.turns,
    ...(time === undefined ? {} : { at: time }),
    callId: call.callId,
    command: call.command,
  };
  return {
    ...digest,
    pending: digest.pending.filter((other) => other !== call),
    settled: withSettled(digest, call.callId),
    targets: judgeCall(call, output, deps).reduce(
      (targets, { check, tree, verdict, evidence }) =>
        bookRun(targets, { ...getPlace(check, tree), target: check.target }, verdict, {
          ...run,
          evidence: cutLine(evidence),
        }),
      digest.targets,
    ),
  };
}

function withSettled({ settled }: Digest, callId: string): readonly string[] {
  return [...settled, callId].slice(-MAX_SETTLED);
}

function getPlace({ settings }: Check, tree: string): Pick<TargetState, "tree" | "settings"> {
  return { ...(tree === "" ? {} : { tree }), ...(settings === undefined ? {} : { settings }) };
}

interface CheckReading {
  readonly check: Check;
  readonly tree: string;
  /** `unknown`: a search for failures found none. */
  readonly verdict: RunVerdict;
  readonly evidence: string;
}

/** At most one reading a target and tree: when a line runs the same check twice, what the last run shows is how things stand. */
function judgeCall(
  { checks, trees = [] }: PendingCall,
  output: CommandOutput,
  { getVerdicts }: FoldDeps,
): readonly CheckReading[] {
  const readings = getVerdicts(checks, output);
  const byKey = new Map<string, CheckReading>();
  for (const [index, check] of checks.entries()) {
    const { verdict = "unknown", evidence = "", foundNothing = false } = readings[index] ?? {};
    const tree = trees[index] ?? "";
    const key = JSON.stringify([check.target.key, tree, check.settings]);
    if (verdict !== "unknown" || foundNothing) byKey.set(key, { check, tree, verdict, evidence });
  }
  return [...byKey.values()];
}
