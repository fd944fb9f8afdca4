import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand, type RunResult } from "../../judge/runners/spawn.ts";
import { readRuns } from "../../lib/io/edge/run-log.ts";
import { getStatePaths, type Env } from "../../lib/io/paths.ts";
import { cutText } from "../../lib/cut-text.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import type { Client } from "./clients.ts";

/** Every client's settings give a hook 10 s; who waits for it at each turn wants far less. */
const LIMIT_MS = 5000;
/** What hangs need not be asked to end. */
const PATIENCE = { termMs: 0, giveUpMs: 500, exitMs: 500, killMs: 500 };
/** Of a turn with nothing to find in it, and of a session that has no transcript. */
const PAYLOAD = {
  session_id: "catstack-self-test",
  conversation_id: "catstack-self-test",
  generation_id: "1",
  status: "completed",
};
/** What a hook may print on stdout about it: nothing, or Cursor's word for that. */
const SILENCE = ["", "{}"];

/**
 * Runs the command of the hook at the end of a turn, word for word as it stands in the client's settings, with a made-up turn and a state folder of its own. What is
 * wrong with it; undefined when it ran our hooks and they were silent. Nothing of what it started is left.
 */
export async function findHookProblem(
  { name, stopCommand }: Pick<Client, "name" | "stopCommand">,
  env: Env,
  limitMs = LIMIT_MS,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "catstack-self-test-"));
  try {
    const own = toOwnEnv(env, folder);
    const event = name === "cursor" ? "stop" : "Stop";
    const stdin = JSON.stringify({ ...PAYLOAD, hook_event_name: event, cwd: folder });
    const command = { file: "/bin/sh", args: ["-c", stopCommand], env: own, cwd: folder, stdin };
    const options = { timeoutMs: limitMs, signal: new AbortController().signal, onSpawn: () => {}, patience: PATIENCE };
    const problem = findFault(await runCommand(command, options), limitMs);
    if (problem !== undefined) return problem;
    return readRuns(getStatePaths(own)).length === 0
      ? "expected it to run our hooks, got no trace of a run"
      : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One that ends before it has read its payload is judged by what it did. */
function findFault(result: RunResult, limitMs: number): string | undefined {
  if (!result.started) return `expected it to start, got ${result.code}`;
  const { stopped, exitCode, signal, stdout, stderr } = result;
  if (stopped === "timed-out") return `expected it to end within ${limitMs / 1000} s, got no end`;
  const said = `${stdout}${stderr}`.trim();
  if (stopped === undefined && exitCode !== 0) return `expected exit code 0, got ${exitCode ?? signal}`;
  return SILENCE.includes(said) ? undefined : `expected no output, got: ${cutText(toPlainLine(said), 300)}`;
}

function toOwnEnv(env: Env, folder: string): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) own[name] = value;
  delete own["CATSTACK"];
  delete own["CATSTACK_LLM_JUDGE_CHILD"];
  own["CATSTACK_LLM_JUDGE_STATE_DIR"] = join(folder, "state");
  own["VERDICT_FLIP_WATCH_STATE_DIR"] = join(folder, "flips");
  return own;
}
