import { writeSync } from "node:fs";
import type { Readable } from "node:stream";
import { findChecks } from "../lib/commands/find-checks.ts";
import { readVerdicts } from "../lib/commands/read-verdicts.ts";
import { runHookProcess } from "../lib/io/hook-process.ts";
import type { Env } from "../lib/io/paths.ts";
import { renderErrors } from "../lib/render-error.ts";
import { isJudgeChild, isKilled } from "../lib/settings.ts";
import { claude } from "../lib/transcript/claude.ts";
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
}

/** Answers one event. Never rejects: whatever happens, the harness sees success and at most one line about it. */
export async function main(host: Host): Promise<void> {
  if (isKilled(host.env) || isJudgeChild(host.env)) return;
  try {
    const edge = { hooks, adapter: claude, fold: createFold({ findChecks, readVerdicts }), now: new Date() };
    print(host.stderrFd, await runHookProcess({ ...host, ...edge }));
  } catch (error) {
    print(host.stderrFd, renderErrors([{ hook: "edge", error }]));
  }
}

function print(fd: number, text: string): void {
  try {
    writeSync(fd, text);
  } catch {
    // Nobody listens.
  }
}
