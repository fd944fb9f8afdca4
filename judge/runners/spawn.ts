import { existsSync } from "node:fs";
import { execa } from "execa";
import { errorCode } from "../../lib/io/publish-file.ts";
import { endGroup, endStrays } from "./leftovers.ts";
import { collectOutput } from "./output.ts";
import type { Command } from "./runner.ts";
import { supervise, type Exit, type StopReason } from "./supervise.ts";

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
  /** Processes that it left behind and that could not be ended. */
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

/**
 * Runs a command in a process group of its own until it ends, takes too long, prints too much or is aborted. Always settles,
 * and then the group is dead and what left it too, but for `survivors`. A process that exited while a descendant still holds
 * its stdout has ended by itself. Rejects only with what `onSpawn` threw, once the group is dead.
 */
export async function runCommand(command: Command, options: RunOptions): Promise<RunResult> {
  const { timeoutMs, signal, maxOutputBytes = MAX_OUTPUT_BYTES, patience = usualPatience } = options;
  const child = startProcess(command);
  if (child instanceof Error) return toNotStarted(errorCode(child) ?? child.message, command.cwd);
  const { pid } = child;
  if (pid === undefined) return toNotStarted((await child).code, command.cwd);
  const supervision = supervise(child, pid, { ...patience, timeoutMs, abort: signal });
  const output = collectOutput(child, maxOutputBytes, () => supervision.stop("output-too-large"));
  const refusal = findThrown(() => options.onSpawn(pid));
  if (refusal !== undefined) supervision.stop("aborted");
  const exit = await supervision.ended;
  await within(output.closed, patience.exitMs, undefined);
  // The limit is for a read of /proc that hangs, as it does for a process whose memory the kernel holds on to.
  const survivors = await within(endLeftovers(pid, command, patience.killMs), 3 * patience.killMs, []);
  for (const pipe of child.stdio) pipe?.destroy();
  if (refusal !== undefined) throw refusal.thrown;
  const stopped = supervision.getStopReason();
  return {
    started: true,
    ...exit,
    ...(stopped && { stopped }),
    stdout: output.stdout(),
    stderr: output.stderr(),
    survivors,
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
  return { started: false, code, cwdMissing: code === "ENOENT" && !existsSync(cwd) };
}

async function endLeftovers(group: number, { env }: Command, waitMs: number): Promise<readonly number[]> {
  const jobId = env["CATSTACK_JOB"];
  const members = await endGroup(group, waitMs);
  return jobId === undefined ? members : [...new Set([...members, ...(await endStrays(jobId, waitMs))])];
}

function findThrown(call: () => void): { readonly thrown: unknown } | undefined {
  try {
    call();
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

/** What the promise gives, or `otherwise` when it takes longer than `ms`. */
async function within<T>(promise: Promise<T>, ms: number, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(resolve, ms, otherwise)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
