/**
 * One step of a session, as plain data: what cases and scenarios are written in. Steps happen in order, one after
 * the other; a test builder turns them into a real-shaped transcript.
 */
export type Step = UserStep | InvokedStep | RanStep | ParallelStep | ToolStep | SaysStep | RawStep;

/** A person types a prompt. */
export interface UserStep {
  readonly user: string;
}

/** A person types a slash command, such as `/reflect`: `{ invoked: "reflect" }`. As a `user` step the same text is mere prose. */
export interface InvokedStep {
  /** Its name, without the slash. */
  readonly invoked: string;
  /** What stands behind it. */
  readonly args?: string;
}

/** The agent runs a shell command and its result arrives. */
export interface RanStep {
  readonly ran: string;
  /** What the command printed; default nothing. For a background command: never in the transcript. */
  readonly output?: string;
  /** Default 0. A status other than 0 makes a failing result, as the harness writes one. */
  readonly exitCode?: number;
  /** The harness's failure bit where it is not simply `exitCode !== 0`. */
  readonly isError?: boolean;
  /** Started in the background and ended at once with `exitCode`. */
  readonly background?: boolean;
  /** The folder the command starts in, absolute. */
  readonly cwd?: string;
  /** The result never arrives; of a background command: its end. */
  readonly noResult?: true;
}

/** Several commands in one message: all calls first, then all results in the same order. */
export interface ParallelStep {
  readonly parallel: readonly Omit<RanStep, "background">[];
}

/** A call of a tool that is not a shell, with its result. */
export interface ToolStep {
  readonly tool: string;
  readonly input?: object;
  readonly output: string;
}

/** The assistant writes a text. */
export interface SaysStep {
  readonly says: string;
}

/** A transcript row as it is, for shapes that no other step makes. */
export interface RawStep {
  readonly raw: object;
}
