import { writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { mayCheck, mayMoveTree } from "../lib/commands/prefilter.ts";
import { findChecks, findTreeMoves, getVerdicts } from "../lib/commands/verifier.ts";
import type { Hook } from "../lib/hook.ts";
import { runHookProcess } from "../lib/io/edge/hook-process.ts";
import type { Env } from "../lib/io/paths.ts";
import { cursorAnswer } from "../lib/harness/cursor.ts";
import { renderErrors } from "../lib/harness/render-error.ts";
import { isJudgeChild, isKilled } from "../lib/settings.ts";
import { claude } from "../lib/transcript/claude.ts";
import { codex } from "../lib/transcript/codex.ts";
import { cursor } from "../lib/transcript/cursor.ts";
import { createFold } from "../lib/transcript/fold.ts";
import { hooks } from "./index.ts";

/** What the edge takes from its process; the build runs it in one of its own. */
export interface Host {
  /** Behind the script's name: the harness, and the event where the harness does not say it. */
  readonly args: readonly string[];
  readonly env: Env;
  readonly stdinFd: number;
  /** Asked for only where `stdinFd` cannot be read at once: streams cost as much as all our own code. */
  readonly getStdin: () => Readable;
  readonly stdoutFd: number;
  readonly stderrFd: number;
  /** Names the code that folds transcripts. */
  readonly bundleHash: string;
  /** Absent: the time at which it is called. */
  readonly now?: Date;
  /** Absent: every hook of the project. */
  readonly hooks?: readonly Hook[];
}

/**
 * Answers one event; whether the code that V8 made for it may serve later turns: it takes code only under the flags it was made with. Never rejects:
 * whatever happens, the harness sees success and at most one line about it.
 */
export async function main(host: Host): Promise<boolean> {
  // Whatever comes of it: Cursor wants JSON.
  if (host.args[0] === "cursor") print(host.stdoutFd, cursorAnswer);
  if (isKilled(host.env) || isJudgeChild(host.env)) return false;
  let isUsual = true;
  const beforeLongRead = (): void => {
    isUsual = false;
    optimiseLess();
  };
  try {
    const fold = createFold({ findChecks, getVerdicts, findTreeMoves });
    const edge = { adapters: { claude, codex, cursor }, fold, mayMatter, beforeLongRead };
    print(host.stderrFd, await runHookProcess({ now: new Date(), hooks, ...host, ...edge }));
  } catch (error) {
    print(host.stderrFd, renderErrors([{ hook: "edge", error }]));
  }
  return isUsual;
}

/** Whether a command line may change a digest. */
function mayMatter(command: string): boolean {
  return mayCheck(command) || mayMoveTree(command);
}

/**
 * V8 optimises what has run for some milliseconds, on threads of its own: in a process of a tenth of a second that costs more than it saves. Loading
 * node:v8 has its price, so only long readings do without. The flag is one that every version of Node knows: another one is reported on stderr.
 * V8 takes code from a cache only under the flags it was made with, so the verifier library, which long readings want, is loaded before.
 */
function optimiseLess(): void {
  findChecks("");
  setFlagsFromString("--no-opt");
}

function print(fd: number, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // Nobody listens.
  }
}
