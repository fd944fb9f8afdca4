/**
 * A parsed transcript row, the same for every harness. One row may hold several entries (two results in one row).
 * Harness names (`tool_use_id`, `isSidechain`, ...) stop at the adapters.
 */
export type Entry = HumanEntry | ReplyEntry | CallEntry | ResultEntry | TaskEndEntry | CompactionEntry | OtherEntry;

/** What every entry of one row shares. */
export interface EntryBase {
  /** The row's own id, where the harness gives one. A resumed session may hold the same row twice. */
  readonly rowId?: string;
  /** ISO 8601, as the harness wrote it. */
  readonly at?: string;
  /** True for rows of a sub-agent or side chain: they are not part of the main conversation. */
  readonly sidechain: boolean;
}

/** What a person typed. */
export interface HumanEntry extends EntryBase {
  readonly kind: "human";
  readonly text: string;
}

/** Text that the assistant wrote. */
export interface ReplyEntry extends EntryBase {
  readonly kind: "reply";
  readonly text: string;
}

/** A shell command the agent asked for. Calls of other tools are `other`. */
export interface CallEntry extends EntryBase {
  readonly kind: "call";
  readonly callId: string;
  readonly command: string;
  /** The folder the command starts in, absolute. */
  readonly cwd?: string;
  readonly background: boolean;
}

/** What came back for a call, of any tool: pair it by `callId`, never by order. */
export interface ResultEntry extends EntryBase {
  readonly kind: "result";
  readonly callId: string;
  readonly output: CommandOutput;
  /** Set when the command was moved to the background: its end arrives later as a `task-end`. */
  readonly taskId?: string;
}

/** The end of a background command. Its output is not in the transcript. */
export interface TaskEndEntry extends EntryBase {
  readonly kind: "task-end";
  readonly taskId: string;
  readonly callId?: string;
  readonly exitCode?: number;
  readonly status: "completed" | "failed" | "stopped";
}

/** The harness replaced older rows by a summary. */
export interface CompactionEntry extends EntryBase {
  readonly kind: "compaction";
}

/** A row that is known to hold nothing of interest, or is of a type not seen before. Kept, never an error. */
export interface OtherEntry extends EntryBase {
  readonly kind: "other";
  readonly type: string;
}

/** What a finished command left behind. Shared by transcripts and `catstack classify`. */
export interface CommandOutput {
  /** stdout and stderr as the harness merged them; may be cut by the harness. */
  readonly text: string;
  /** The harness's own failure bit; absent when it gave none. */
  readonly isError?: boolean;
  /** The exit status of the whole line, when the harness shows one. */
  readonly exitCode?: number;
  /** True when the command did not run to its end: interrupted, refused by the person, cancelled. */
  readonly interrupted?: boolean;
}
