import type { Harness } from "../hook.ts";
import type { Entry } from "./entry.ts";

/** How one harness writes its transcripts. */
export interface Adapter {
  /** Whose they are. */
  readonly name: Harness;
  /** The entries of one line, none for an empty line; undefined when it is no JSON object. Total: any text, no throw. */
  parseLine(line: string): readonly Entry[] | undefined;
  /** A line that meets none of these holds nothing that a fold would use, except replies. */
  readonly rules: readonly RowRule[];
  /** A line that meets none of these holds no reply. */
  readonly replyRules: readonly RowRule[];
}

/** Which lines may matter, told by texts in them: data, so that the search can run over bytes. ASCII, no line ends. */
export interface RowRule {
  /** All of these occur. The first should be the rarest. */
  readonly all: readonly string[];
  /** This one does not. */
  readonly none?: string;
  /** The string after one of these keys (written with its quotes) is the id of a pending call. */
  readonly awaitedAt?: string;
  /** The string after this key (written with its quotes) is a command line. A line whose commands can change nothing does not meet the rule. */
  readonly commandAt?: string;
  /** What stands at `commandAt` is JSON or a script that holds command lines. */
  readonly nested?: true;
  /** Holds only while a call is pending. */
  readonly whilePending?: true;
}
