import type { Check, Target } from "../commands/check.ts";
import type { Entry, Part } from "./entry.ts";
import { isRow } from "./row.ts";
import type { Tree } from "./tree.ts";

/** One run of a check with a readable result. */
export interface CheckRun {
  /** Position: the number of the transcript line that held the result, from 1. */
  readonly row: number;
  /** The line by which it ran in the background; absent: it was waited for. What passed in between may have seen newer files. */
  readonly began?: number;
  /** Position: how many prompts a person had typed by then. */
  readonly turn: number;
  readonly at?: string;
  readonly callId: string;
  /** The command as typed, cut to 200 characters. */
  readonly command: string;
  /** The line of output that decided, cut to 200 characters; empty when the exit status alone decided. */
  readonly evidence: string;
}

/** The latest pass and the latest fail of one target in one tree and under one set of settings. */
export interface TargetState {
  readonly target: Target;
  /** The name of the tree; absent: where the session began. */
  readonly tree?: string;
  /** As of `Check`. */
  readonly settings?: readonly string[];
  readonly pass?: CheckRun;
  readonly fail?: CheckRun;
}

/** A shell command with at least one check whose result has not arrived. */
export interface PendingCall {
  readonly callId: string;
  /** Cut to 200 characters. */
  readonly command: string;
  readonly checks: readonly Check[];
  /** Set once the command runs in the background. */
  readonly taskId?: string;
  /** The line that said so first. */
  readonly began?: number;
  /** The id that its next result comes under, where that is not `callId`; empty when nobody has asked for more. */
  readonly awaits?: string;
  readonly part?: Part;
  /** A program of the agent's ran it: a record of the command would count instead. */
  readonly script?: true;
  /** The end of what it has printed so far, where the rest is added to it. */
  readonly text?: string;
  /** The tree that each check runs in; absent: all where the session began. */
  readonly trees?: readonly string[];
}

/** What one pass over a transcript leaves behind: serialisable and bounded, whatever the length of the session. */
export interface Digest {
  /** Lines so far, empty ones included: the number of the line that is being folded. */
  readonly rows: number;
  /**
   * Lines that were no JSON objects, or too long to be looked into. A line that can hold nothing of interest is judged by
   * its first and last character.
   */
  readonly broken: number;
  /** Prompts typed by a person. */
  readonly turns: number;
  /** The last 4,000 characters of the last prompt. */
  readonly lastHuman?: string;
  /** Slash commands that a person invoked in the current turn, without the slash, oldest first; absent: none. */
  readonly invoked?: readonly string[];
  /** When the current turn was asked for, as the harness wrote it. */
  readonly promptedAt?: string;
  /** The last two texts of the assistant, oldest first, the last 4,000 characters of each. */
  readonly replies: readonly string[];
  /** Where commands start that do not say; empty when it is too long. */
  readonly cwd?: string;
  /** The state of the files that checks see now; absent: as the session began. */
  readonly tree?: Tree;
  /** It is a sub-agent's own transcript, in which nothing counts. */
  readonly subagent?: true;
  /** The harness records every command that a program runs: what programs print counts no more. */
  readonly recorded?: true;
  /** Oldest first. */
  readonly pending: readonly PendingCall[];
  /** Ordered by latest run, oldest first. */
  readonly targets: readonly TargetState[];
  /** Calls whose results are booked, and those that moved the tree alone, newest last: a resumed copy of a row is not a second run. */
  readonly settled: readonly string[];
}

export type Fold = (digest: Digest, entry: Entry) => Digest;

/** The digest of a transcript without lines. */
export const emptyDigest: Digest = { rows: 0, broken: 0, turns: 0, replies: [], pending: [], targets: [], settled: [] };

/** Whether a value read from disk has the make of a digest. Its parts are checked as far as reading them could throw. */
export function isDigest(value: unknown): value is Digest {
  if (!isRow(value)) return false;
  const { rows, broken, turns, lastHuman, invoked, promptedAt, replies, cwd, tree, pending, targets, settled } = value;
  return (
    [rows, broken, turns].every(isCount) &&
    [lastHuman, promptedAt, cwd].every(isTextOrAbsent) &&
    (invoked === undefined || isListOf(invoked, isString)) &&
    (tree === undefined || isTree(tree)) &&
    isListOf(replies, isString) &&
    isListOf(settled, isString) &&
    isListOf(pending, isPendingCall) &&
    isListOf(targets, isTargetState)
  );
}

function isTree(value: unknown): boolean {
  return isRow(value) && isString(value["at"]) && isString(value["before"]) && isCount(value["stashed"]);
}

function isPendingCall(value: unknown): boolean {
  return (
    isRow(value) &&
    isString(value["callId"]) &&
    isString(value["command"]) &&
    isListOf(value["checks"], isCheck) &&
    [value["taskId"], value["awaits"], value["text"]].every(isTextOrAbsent) &&
    isCountOrAbsent(value["began"]) &&
    (value["part"] === undefined || isRow(value["part"])) &&
    (value["trees"] === undefined || isListOf(value["trees"], isString))
  );
}

function isTargetState(value: unknown): boolean {
  return (
    isRow(value) &&
    isTarget(value["target"]) &&
    isTextOrAbsent(value["tree"]) &&
    (value["settings"] === undefined || isListOf(value["settings"], isString)) &&
    [value["pass"], value["fail"]].every(isRunOrAbsent)
  );
}

function isCheck(value: unknown): boolean {
  return isRow(value) && isTarget(value["target"]);
}

function isTarget(value: unknown): boolean {
  return isRow(value) && isString(value["key"]) && isString(value["label"]) && isRow(value["scope"]);
}

function isRunOrAbsent(value: unknown): boolean {
  return (
    value === undefined ||
    (isRow(value) &&
      isCount(value["row"]) &&
      isCountOrAbsent(value["began"]) &&
      isCount(value["turn"]) &&
      isString(value["command"]))
  );
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isString(value);
}

function isCountOrAbsent(value: unknown): boolean {
  return value === undefined || isCount(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
