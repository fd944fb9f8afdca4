import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../../lib/io/error-code.ts";
import { readRuns } from "../../lib/io/edge/run-log.ts";
import { getStatePaths, type Env } from "../../lib/io/paths.ts";
import type { Client } from "./clients.ts";

/** What every client's settings give a hook. */
const LIMIT_MS = 10_000;
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
 * wrong with it; undefined when it ran our hooks and they were silent.
 */
export function findHookProblem({ name, stopCommand }: Client, env: Env): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "catstack-self-test-"));
  try {
    const state = join(folder, "state");
    const { CATSTACK: _, CATSTACK_LLM_JUDGE_CHILD: __, ...rest } = env;
    const own = { ...rest, CATSTACK_LLM_JUDGE_STATE_DIR: state, VERDICT_FLIP_WATCH_STATE_DIR: join(folder, "flips") };
    const event = name === "cursor" ? "stop" : "Stop";
    const { error, status, signal, stdout, stderr } = spawnSync("/bin/sh", ["-c", stopCommand], {
      env: own,
      cwd: folder,
      input: JSON.stringify({ ...PAYLOAD, hook_event_name: event, cwd: folder }),
      timeout: LIMIT_MS,
      encoding: "utf8",
    });
    // One that ends before it has read its payload is judged by what it did.
    if (error !== undefined && errorCode(error) !== "EPIPE")
      return `expected it to start and to end within ${LIMIT_MS / 1000} s, got ${error.message}`;
    if (status !== 0) return `expected exit code 0, got ${status ?? signal}`;
    const said = `${stdout}${stderr}`.trim();
    if (!SILENCE.includes(said)) return `expected no output, got: ${said.slice(0, 300)}`;
    if (readRuns(getStatePaths(own)).length === 0) return "expected it to run our hooks, got no trace of a run";
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
