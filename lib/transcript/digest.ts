import type { Check, Target } from "../commands/check.ts";
import type { Entry } from "./entry.ts";

/** One run of a check with a readable result. */
export interface Run {
  /** Position: the number of the transcript row that held the result, from 1. */
  readonly row: number;
  /** Position: how many prompts a person had typed by then. */
  readonly turn: number;
  readonly at?: string;
  readonly callId: string;
  /** The command as typed, cut to 200 characters. */
  readonly command: string;
  /** The line of output that decided, cut to 200 characters; empty when the exit status alone decided. */
  readonly evidence: string;
}

/** The latest pass and the latest fail of one target. */
export interface TargetState {
  readonly target: Target;
  readonly pass?: Run;
  readonly fail?: Run;
}

/** A shell command with at least one check whose result has not arrived. */
export interface PendingCall {
  readonly callId: string;
  readonly command: string;
  readonly checks: readonly Check[];
  /** Set once the command runs in the background. */
  readonly taskId?: string;
}

/** What one pass over a transcript leaves behind: serialisable and bounded, whatever the length of the session. */
export interface Digest {
  readonly rows: number;
  /** Lines that were not JSON objects. */
  readonly broken: number;
  /** Prompts typed by a person. */
  readonly turns: number;
  readonly lastHuman?: string;
  /** The last two replies, oldest first, the last 4,000 characters of each. */
  readonly replies: readonly string[];
  readonly pending: readonly PendingCall[];
  /** Ordered by latest run, oldest first. */
  readonly targets: readonly TargetState[];
  /** Calls whose results are booked, newest last: a resumed copy of a row is not a second run. */
  readonly settled: readonly string[];
}

export type Fold = (digest: Digest, entry: Entry) => Digest;
