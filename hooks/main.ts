import { writeSync } from "node:fs";
import { renderErrors } from "../lib/render-error.ts";
import { isJudgeChild, isKilled } from "../lib/settings.ts";

/** Put in by the build: names the code that folds transcripts. */
declare const CATSTACK_BUNDLE_HASH: string;

// Whatever happens, the harness sees success and at most one line: a hook of ours never holds up a turn.
process.exitCode = 0;
process.on("uncaughtException", printError);
process.on("unhandledRejection", printError);

const { env } = process;
if (!isKilled(env) && !isJudgeChild(env)) await run();

/** Loads the rest: a process that is switched off starts in no time. */
async function run(): Promise<void> {
  const [{ hooks }, { runHookProcess }, { findChecks }, { readVerdicts }, { claude }, { createFold }] =
    await Promise.all([
      import("./index.ts"),
      import("../lib/io/hook-process.ts"),
      import("../lib/commands/find-checks.ts"),
      import("../lib/commands/read-verdicts.ts"),
      import("../lib/transcript/claude.ts"),
      import("../lib/transcript/fold.ts"),
    ]);
  const stderr = await runHookProcess({
    args: process.argv.slice(2),
    env,
    stdin: process.stdin,
    stdoutFd: 1,
    now: new Date(),
    hooks,
    adapter: claude,
    fold: createFold({ findChecks, readVerdicts }),
    bundleHash: typeof CATSTACK_BUNDLE_HASH === "undefined" ? "source" : CATSTACK_BUNDLE_HASH,
  });
  printStderr(stderr);
}

function printError(error: unknown): void {
  printStderr(renderErrors([{ hook: "edge", error }]));
}

function printStderr(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Nobody listens.
  }
}
