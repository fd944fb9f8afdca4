/**
 * A parsed transcript row, the same for every harness. One row may hold several entries (two results in one row).
 * Harness names (`tool_use_id`, `isSidechain`, ...) stop at the adapters.
 */
export type Entry =
  | HumanEntry
  | ReplyEntry
  | CallEntry
  | ResultEntry
  | PollEntry
  | TaskEndEntry
  | FolderEntry
  | SubagentEntry
  | CompactionEntry
  | OtherEntry;

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
  /** The slash command that it invokes, without the slash. Prose that names one invokes nothing. */
  readonly command?: string;
  /** Typed while a turn ran, which goes on with it. */
  readonly queued?: true;
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
  /** The folder the command starts in, absolute or as seen from the folder that the last `folder` entry names. */
  readonly cwd?: string;
  readonly background: boolean;
  /** The id that its result comes under, where that is not `callId`. */
  readonly awaits?: string;
  readonly part?: Part;
  /**
   * `script`: a program of the agent's ran it, and what the program chose to print is all there is. `record`: so it did, and this is the
   * harness's own record of the command, which counts instead. Absent: the agent called the shell itself.
   */
  readonly source?: "script" | "record";
}

/** Which of the commands of one program a call is: their results come in one, a piece for each. */
export interface Part {
  /** From 0. */
  readonly index: number;
  readonly count: number;
  /** The program prints its results in the order of its calls; otherwise only records of commands are told apart. */
  readonly inOrder: boolean;
}

/** What came back for a call, of any tool: pair it by `callId`, never by order. */
export interface ResultEntry extends EntryBase, Told {
  readonly kind: "result";
  readonly callId: string;
  /** The output is what the command has printed since the last result: what comes later is added. */
  readonly piece?: true;
  /** What the program that was called printed, piece by piece. */
  readonly parts?: readonly ToldPart[];
  /** The record of the whole run under the id of its call, whatever was told before. */
  readonly whole?: true;
}

/** What a result tells of one command. */
export interface Told {
  readonly output: CommandOutput;
  /** Set when the command goes on: its end arrives as a `task-end`, or as the result of a `poll`. */
  readonly taskId?: string;
}

export interface ToldPart extends Told {
  /** It has the make of a command's record, not of any text. */
  readonly isRecord: boolean;
}

/** Asks for what a running command, or each one of a running program, has printed: it comes as the result of `callId`. */
export interface PollEntry extends EntryBase {
  readonly kind: "poll";
  readonly callId: string;
  readonly taskId: string;
  /** Where one program asks for the output of several commands. */
  readonly part?: Part;
}

/** The end of a background command. Its output is not in the transcript. */
export interface TaskEndEntry extends EntryBase {
  readonly kind: "task-end";
  readonly taskId: string;
  readonly callId?: string;
  readonly exitCode?: number;
  readonly status: "completed" | "failed" | "stopped";
}

/** Where commands start from here on, unless they say otherwise. Absolute. */
export interface FolderEntry extends EntryBase {
  readonly kind: "folder";
  readonly cwd: string;
}

/** The transcript as a whole is a sub-agent's. */
export interface SubagentEntry extends EntryBase {
  readonly kind: "subagent";
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
