/** What a run of a check shows. `unknown`: nothing to read a verdict from, or the check never started. */
export type RunVerdict = "pass" | "fail" | "unknown";

/**
 * What a check checks. Two runs with the same `key` are the same check; verbosity, reporters, pipes, redirects,
 * timeouts and wrappers are not part of it.
 */
export interface Target {
  /** Stable text that identifies the check: tool, folder, project, files, filters, configuration. */
  readonly key: string;
  /** Short form for people, such as `pytest tests/a.py`. */
  readonly label: string;
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
}
