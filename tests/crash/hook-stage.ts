import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { publishVerdict } from "../../judge/outbox.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import type { CrashStep } from "../../lib/io/crash-point.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type Env, type StatePaths } from "../../lib/io/paths.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { bundle } from "../helpers/bundle.ts";
import { onlyHook } from "../helpers/only-hook.ts";
import type { Exit } from "../helpers/watch-process.ts";

const folder = mkdtempSync(join(tmpdir(), "catstack-crash-hook-"));
const program = join(folder, "hook.mjs");
const flip = fileURLToPath(new URL("../../fixtures/transcripts/claude/flip.jsonl", import.meta.url));
after(() => rmSync(folder, { recursive: true, force: true }));

const bundled = bundle(new URL("hook-main.ts", import.meta.url), program);

export interface HookExit extends Exit {
  readonly stdout: string;
}

/** A session in which a check passed and then failed. */
export interface HookStage {
  readonly paths: StatePaths;
  readonly env: Env;
  readonly key: string;
  /** The end of a turn whose reply does not say so. */
  stop(step?: CrashStep): Promise<HookExit>;
  /** The same events, with more in the environment. */
  runWith(event: "stop" | "prompt" | "ask", more: Env): Promise<HookExit>;
  /** The end of a turn about which a hook asks a model. */
  ask(): Promise<HookExit>;
  /** The next prompt. `deaf`: the harness has gone away before it is answered. */
  prompt(step?: CrashStep, harness?: "deaf"): Promise<HookExit>;
  /** A verdict to be delivered. */
  publish(id: string): void;
  /** Every mark, and every folder of a delivery, is made to look so much older. */
  age(seconds: number): void;
}

export function setHookStage(t: TestContext): HookStage {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "catstack-crash-")));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const transcript = join(home, "session.jsonl");
  copyFileSync(flip, transcript);
  const tmp = join(home, "tmp");
  mkdirSync(tmp);
  const flips = join(home, "flips");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: tmp,
    CATSTACK_LLM_JUDGE_STATE_DIR: join(home, "state"),
    VERDICT_FLIP_WATCH_STATE_DIR: flips,
    ...onlyHook("verdict-flip-watch"),
  };
  const paths = getStatePaths(env);
  prepareState(paths);
  const key = getTranscriptKey(transcript);
  const base = { session_id: "11111111-2222-4333-8444-555555555555", transcript_path: transcript };
  const payloads = {
    stop: { ...base, hook_event_name: "Stop", last_assistant_message: "Renamed. Everything is in place." },
    prompt: { ...base, hook_event_name: "UserPromptSubmit", prompt: "go on" },
    ask: { ...base, hook_event_name: "Stop", last_assistant_message: "My earlier claim was wrong." },
  };
  const asking = { ...env, ...onlyHook("wrong-check-reflect"), CATSTACK_HOOK_MODE_WRONG_CHECK_REFLECT: "advise" };
  const run = (payload: object, step?: CrashStep, harness?: "deaf") =>
    runHook(payload, step === undefined ? env : { ...env, CATSTACK_CRASH_AT: step }, harness);
  return {
    paths,
    env,
    key,
    stop: (step) => run(payloads.stop, step),
    runWith: (event, more) => runHook(payloads[event], { ...(event === "ask" ? asking : env), ...more }),
    ask: () => runHook(payloads.ask, asking),
    prompt: (step, harness) => run(payloads.prompt, step, harness),
    publish: (id) => assert.ok(publishVerdict(makeVerdict(id, transcript, key), paths)),
    age(seconds) {
      const time = Date.now() / 1000 - seconds;
      const folders = [flips, paths.once, paths.delivering];
      for (const each of folders) for (const name of listDir(each)) utimesSync(join(each, name), time, time);
    },
  };
}

async function runHook(payload: object, env: Env, harness?: "deaf"): Promise<HookExit> {
  await bundled;
  const child = spawn(process.execPath, [program, "claude"], { env, stdio: ["pipe", "pipe", "ignore"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  if (harness === "deaf") child.stdout.destroy();
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, stdout })));
}

function makeVerdict(id: string, transcript: string, key: string) {
  return {
    schema: 1 as const,
    id,
    hook: "asks",
    transcript,
    transcript_key: key,
    outcome: "hit" as const,
    on_hit: `finding ${id}`,
    reason: "flipped is true",
    runner: "codex",
    mode: "default" as const,
    answer: { flipped: true },
    attempts: [],
    finished_at: "2026-01-01T09:30:00.000Z",
  };
}
