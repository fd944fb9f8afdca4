import type { Mode } from "../../inbox-schema/job.ts";
import type { Harness } from "../../lib/hook.ts";
import type { SessionKind } from "./turn-finder.ts";

/** A hook that would say or ask something at the end of one turn. */
export interface Firing {
  readonly hook: string;
  /** Of the turn, as in `Turn`. */
  readonly turn: number;
  /** ISO 8601; null where the harness wrote none. */
  readonly at: string | null;
  /** The messages and rules, in order. */
  readonly rules: readonly string[];
  /** What the person would read, a line each. */
  readonly says: readonly string[];
  /** The questions for a model. */
  readonly asks: readonly Asking[];
  /** Hashes of what tells one finding from another: its once key, else its text. */
  readonly things: readonly string[];
}

export interface Asking {
  readonly mode: Mode;
  /** The start of the part of the reply that is judged, one line. */
  readonly about: string;
}

/** A hook that threw. */
export interface HookFailure {
  readonly hook: string;
  readonly turn: number;
  readonly message: string;
}

/** What a transcript tells of some hooks; plain data, kept from one run to the next. */
export interface SessionResult {
  readonly kind: SessionKind;
  readonly harness: Harness;
  readonly rows: number;
  readonly broken: number;
  /** When each turn was over. */
  readonly turns: readonly (string | null)[];
  readonly firings: readonly Firing[];
  readonly failures: readonly HookFailure[];
}
