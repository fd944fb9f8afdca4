import { existsSync } from "node:fs";
import { execa } from "execa";
import { errorCode } from "../../lib/io/error-code.ts";
import { trackDescendants } from "./descendants.ts";
import { findHolders, findPipesOf } from "./holders.ts";
import { endLeftovers, signalGroup } from "./leftovers.ts";
import { collectOutput } from "./output.ts";
import { findMark } from "./mark.ts";
import { isNoRoom, requireSpareFiles } from "./no-room.ts";
import type { Command } from "./runner.ts";
import { supervise, type Exit, type StopReason } from "./supervise.ts";
import { within } from "./within.ts";

/** A runner may print this much on stdout, and as much on stderr. */
export const MAX_OUTPUT_BYTES = 1_000_000;

export interface NotStarted {
  readonly started: false;
  /** The system's error code, such as `ENOENT`, `EACCES` or `E2BIG`. */
  readonly code: string;
  /** The folder to run in was not there; the code is `ENOENT` then, too. */
  readonly cwdMissing: boolean;
}

export interface Ended extends Exit {
  readonly started: true;
  /** Absent: it ended by itself. */
  readonly stopped?: StopReason;
  readonly stdout: string;
  readonly stderr: string;
  /** Processes that it left behind, or may have left behind, and that could not be ended. */
  readonly survivors: readonly number[];
}

export type RunResult = NotStarted | Ended;

/** How long each step of ending a process may take, in milliseconds. */
export interface Patience {
  /** From SIGTERM to SIGKILL. */
  readonly termMs: number;
  /** From SIGTERM until a process that shows no end is given up. */
  readonly giveUpMs: number;
  /** For trailing output once the process itself is gone. */
  readonly exitMs: number;
  /** For SIGKILL to have ended what is left. */
  readonly killMs: number;
}

const usualPatience: Patience = { termMs: 5000, giveUpMs: 10_000, exitMs: 1000, killMs: 1000 };

export interface RunOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called at once when the process runs. It leads a process group of that number. */
  readonly onSpawn: (pid: number) => void;
  readonly maxOutputBytes?: number;
  readonly patience?: Patience;
}

/** From one look at a runner's descendants to the next, in ms, when it prints nothing. */
const LOOK_MS = 1000;

/**
 * Runs a command in a process group and session of its own until it ends, takes too long, prints too much or is aborted. Always
 * settles. A process that exited while a descendant still holds its stdout has ended by itself. Rejects only with what `onSpawn`
 * threw, and with the system's error when there is no room for another process: then the command may be run later.
 *
 * When it settles, all that descends from the process is dead, but for `survivors` and what nobody can find. What can be found,
 * whatever has become of its parents: its group; on Linux its session, what carries its mark in its environment, and what
 * was seen to descend from it or is in the session of such a one. A look is taken right after the start, each second, when it
 * prints (at most 1 % of the time) and before it is told to end; elsewhere then alone. So what escapes is a process that has left
 * the session, has another environment, and was orphaned before any look showed it. If that one holds a pipe of ours it is named
 * in `survivors` (Linux). What a service that ran before does at the process's request is nobody's descendant and is left alone.
 */
export async function runCommand(command: Command, options: RunOptions): Promise<RunResult> {
  const { timeoutMs, signal, maxOutputBytes = MAX_OUTPUT_BYTES, patience = usualPatience } = options;
  requireSpareFiles();
  const child = startProcess(command);
  if (child instanceof Error) return toNotStarted(errorCode(child) ?? child.message, command.cwd);
  const { pid } = child;
  if (pid === undefined) return toNotStarted((await child).code, command.cwd);
  const descendants = trackDescendants(pid);
  const pipes = findPipesOf(pid);
  const signalAll = (name: NodeJS.Signals) => {
    descendants.look();
    signalGroup(pid, name);
  };
  const supervision = supervise(child, signalAll, { ...patience, timeoutMs, abort: signal });
  const output = collectOutput(child, maxOutputBytes, () => supervision.stop("output-too-large"));
  child.stdout.on("data", descendants.lookNowAndThen);
  const looking = setInterval(descendants.lookNowAndThen, LOOK_MS);
  const refusal = findThrown(() => options.onSpawn(pid));
  if (refusal !== undefined) supervision.stop("aborted");
  const exit = await supervision.ended;
  clearInterval(looking);
  await within(output.closed, patience.exitMs, undefined);
  const since = descendants.getStartTime();
  const trail = { group: pid, descendants, mark: findMark(command.env), since };
  const left = await endLeftovers(trail, patience.killMs);
  const holders = output.isClosed() ? [] : findHolders(pipes, since);
  for (const pipe of child.stdio) pipe?.destroy();
  if (refusal !== undefined) throw refusal.thrown;
  const stopped = supervision.getStopReason();
  return {
    started: true,
    ...exit,
    ...(stopped && { stopped }),
    stdout: output.stdout(),
    stderr: output.stderr(),
    survivors: [...new Set([...left, ...holders])],
  };
}

/** Nothing of ours is inherited, and every limit is our own: those of execa reach only the process itself. */
function startProcess({ file, args, env, cwd, stdin }: Command) {
  const input = stdin === undefined ? ({ stdin: "ignore" } as const) : { input: stdin };
  try {
    return execa(file, args, {
      cwd,
      env,
      extendEnv: false,
      detached: true,
      cleanup: false,
      reject: false,
      buffer: false,
      ...input,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function toNotStarted(code = "unknown error", cwd: string): NotStarted {
  if (isNoRoom(code)) throw Object.assign(new Error(`no room for another process (${code})`), { code });
  return { started: false, code, cwdMissing: code === "ENOENT" && !existsSync(cwd) };
}

function findThrown(call: () => void): { readonly thrown: unknown } | undefined {
  try {
    call();
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}
