/** What a run of a check shows. `unknown`: nothing to read a verdict from, or the check never started. */
export type RunVerdict = "pass" | "fail" | "unknown";

/** What a check covers, in parts, so that a wider and a narrower run of one tool can be compared. Lists are sorted. */
export interface Scope {
  /** The id of the tool, such as `pytest` or `cargo test`. */
  readonly tool: string;
  /** The folder it runs in, absolute where it is known, with `/` as separator. */
  readonly cwd: string;
  /** Workspace members, targets or scripts that were selected. */
  readonly project: readonly string[];
  /** Files, folders and package patterns, resolved against `cwd`. Empty: everything the tool finds in `cwd`. */
  readonly files: readonly string[];
  /** Expressions that narrow the run, with their flag, such as `-k slow`. */
  readonly filters: readonly string[];
  /** Settings that change what is checked or how strictly. */
  readonly config: readonly string[];
}

/**
 * What a check checks. Two runs with the same `key` are the same check; verbosity, reporters, pipes, redirects,
 * timeouts and wrappers are not part of it.
 */
export interface Target {
  /** Stable text made from `scope`. */
  readonly key: string;
  /** Short form for people, such as `pytest tests/a.py`. */
  readonly label: string;
  readonly scope: Scope;
}

/**
 * How much of the check's output reaches the transcript: all of it, its start or end (`head`, `tail`), all but the lines
 * that fit something (`grep -v`), only some lines (`grep`, `jq`, `2>/dev/null`), or nothing (redirected to a file).
 */
export type OutputView = "whole" | "start" | "end" | "rest" | "searched" | "absent";

/** Texts the command line itself prints around a check; they tell what happened even when the status is hidden. */
export interface Marks {
  /** Printed before the check, such as the text of `echo "=== lint ==="`. */
  readonly heading?: string;
  /** The first text of that kind printed after the check: its output stands between the two. */
  readonly nextHeading?: string;
  /** Printed only after a pass: `check && echo clean`. */
  readonly passed?: string;
  /** Printed only after a failure: `check || echo broken`. */
  readonly failed?: string;
  /** Only the number of its lines is printed, all of them (`wc -l`) or those that a search found (`grep -c`). */
  readonly counts?: "lines" | "matches";
  /** All that is shown of it is what a search for failures finds. */
  readonly seeksFailures?: true;
  /** Printed right before the exit status: the `exit=` of `echo "exit=$?"`. */
  readonly status?: string;
}

/** One check found in a command line. Plain data: it is stored in the digest until its result arrives. */
export interface Check {
  /** The id of the table entry that recognised it, such as `pytest`. */
  readonly tool: string;
  readonly target: Target;
  /** The exit status of the line is this check's own: no pipe, `|| true` or later command hides it. */
  readonly ownsStatus: boolean;
  /** A failure of this check makes the line fail, though a failure of the line may come from another part. */
  readonly failsLine: boolean;
  /** Checks of one number form a `&&` chain: each ran only if the ones before it passed. */
  readonly chain: number;
  readonly view: OutputView;
  readonly marks?: Marks;
  /** The line shows text from files before or after the check's output; absent: none. It may look like a run. */
  readonly storedText?: "before" | "after" | "around";
  /** Variables of its environment that may change what it does, `NAME=value`, sorted; absent: none. No part of the target. */
  readonly settings?: readonly string[];
}
