import type { RunVerdict } from "../check.ts";
import type { ArgsSpec } from "../flags.ts";
import type { Call } from "../shell/call.ts";

/**
 * One kind of check: how its call is recognised, which words of the call decide what is checked, and which lines of
 * its output say how it ended.
 */
export interface Tool extends ArgsSpec {
  /** Stable: digests hold it. The start of every label. */
  readonly id: string;
  /** Absent for a tool that does several kinds of work. */
  readonly kind?: CheckKind;
  /** Program and sub-commands, such as `cargo test`. The longest that fits wins. */
  readonly calls: readonly string[];
  /** Each of `calls` is a check of its own: they share flags and lines only. */
  readonly eachCall?: true;
  /** Sub-commands that check nothing, such as `watch`. */
  readonly not?: readonly string[];
  /** Fits the variables of the environment that change what is checked. */
  readonly env?: RegExp;
  /** Checks only with one of these flags; without them it changes or prints things. */
  readonly onlyWith?: readonly string[];
  /** Recognises calls that no list of names can. Tried when no tool's `calls` fits. */
  readonly match?: Matcher;
  /** Prints nothing when all is well. */
  readonly silent?: true;
  /** Runs other tools that the command does not name: the lines of all of them count. */
  readonly runsOthers?: true;
  /** Its exit status does not tell how the check ended. */
  readonly statusless?: true;
  /** Exit statuses that mean that nothing was checked. */
  readonly nothingStatus?: readonly number[];
  readonly lines: Lines;
  /** Further lines that hold only for the target of this name. */
  readonly linesOf?: (name: string) => Lines;
}

export interface Matcher {
  /** The programs that such a call starts with. The look before parsing finds them for less than a pattern costs. */
  readonly programs?: readonly string[];
  /** Where no list of programs tells: fits every command line, in small letters, that may hold such a call. */
  readonly hint?: RegExp;
  readonly find: (call: Call) => Match | undefined;
}

export type CheckKind = "test" | "lint" | "types" | "build" | "format";

/** How one call matched. */
export interface Match {
  /** What the target calls the tool, such as `script lint` for `npm run lint`. */
  readonly name: string;
  /** What a person calls it, such as `npm run lint`; absent: `name`. */
  readonly shown?: string;
  /** The words behind the recognised ones. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly project: readonly string[];
  /** Files that the recognised words name. */
  readonly files?: readonly string[];
}

/**
 * The lines that tell how a run ended. Each pattern sees one line at a time, without colours. The first kind that has a
 * fitting line decides, in the order of the fields.
 */
export interface Lines {
  readonly fail?: readonly RegExp[];
  /** Failures of this tool that other programs may print as well: in the output of a runner they are only problems. */
  readonly loose?: readonly RegExp[];
  /** Parts are still to come. */
  readonly unfinished?: readonly RegExp[];
  readonly pass?: readonly RegExp[];
  /** One finding. Fails the check unless a summary says otherwise. */
  readonly problem?: readonly RegExp[];
  /** Nothing was checked: no tests, wrong folder, missing script. */
  readonly nothing?: readonly RegExp[];
}

/** What the tests try with a tool. Only tests read it; bundles leave it out. */
export interface ToolCases {
  /** Where each tool is documented, by id. A tool that is recognised by its name alone has none. */
  readonly docs: Readonly<Record<string, string>>;
  /** Commands and the label of the one check in each. */
  readonly checks: Readonly<Record<string, string>>;
  /** Commands that look like the tool and check nothing. */
  readonly ignored?: readonly string[];
  readonly same?: readonly (readonly [string, string])[];
  readonly different?: readonly (readonly [string, string])[];
  readonly outputs: readonly OutputCase[];
}

export interface OutputCase {
  readonly command: string;
  readonly text: string;
  /** The exit status; absent: hidden, only the text decides. */
  readonly status?: number;
  readonly verdict: RunVerdict;
}
