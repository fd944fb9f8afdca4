import { setMaxListeners } from "node:events";

/** Why a process was ended by us. */
export type StopReason = "timed-out" | "output-too-large" | "aborted";

/** How a process ended: both are null for one that was given up. */
export interface Exit {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** The process, as far as its end is concerned. */
interface Leader {
  once(event: "exit", listener: (exitCode: number | null, signal: string | null) => void): unknown;
}

export interface Deadlines {
  readonly timeoutMs: number;
  readonly abort: AbortSignal;
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number;
  /** From SIGTERM until a process that shows no end is given up: in an uninterruptible wait it does not die of SIGKILL. */
  readonly giveUpMs: number;
}

export interface Supervision {
  readonly ended: Promise<Exit>;
  /** Ends the group for this reason, unless it is being ended already. */
  readonly stop: (reason: StopReason) => void;
  /** The first reason given, also one that came after the exit, when there was nothing to end any more. */
  readonly getStopReason: () => StopReason | undefined;
}

/**
 * Watches the leader of a group until it ends: `signalAll` with SIGTERM at the limit or the abort, with SIGKILL `termMs` later.
 * The limit counts on a clock that nobody can set, and that stands still while the machine sleeps.
 */
export function supervise(
  leader: Leader,
  signalAll: (signal: NodeJS.Signals) => void,
  deadlines: Deadlines,
): Supervision {
  const { timeoutMs, abort, termMs, giveUpMs } = deadlines;
  let stopReason: StopReason | undefined;
  let isOver = false;
  const timers: NodeJS.Timeout[] = [];
  let end: (exit: Exit) => void;
  const ended = new Promise<Exit>((resolve) => {
    end = (exit) => {
      isOver = true;
      timers.forEach(clearTimeout);
      abort.removeEventListener("abort", onAbort);
      resolve(exit);
    };
    leader.once("exit", (exitCode, signal) => end({ exitCode, signal }));
  });
  const stop = (reason: StopReason) => {
    if (stopReason !== undefined) return;
    stopReason = reason;
    if (isOver) return;
    signalAll("SIGTERM");
    timers.push(
      setTimeout(() => signalAll("SIGKILL"), termMs),
      setTimeout(() => end({ exitCode: null, signal: null }), giveUpMs),
    );
  };
  const onAbort = () => stop("aborted");
  // As many runs as the settings allow wait for one signal: more than ten are no leak.
  setMaxListeners(0, abort);
  timers.push(setTimeout(() => stop("timed-out"), timeoutMs));
  if (abort.aborted) stop("aborted");
  else abort.addEventListener("abort", onAbort);
  return { ended, stop, getStopReason: () => stopReason };
}
