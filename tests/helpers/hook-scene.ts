import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import type { SpawnOptions } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { publishVerdict } from "../../judge/outbox.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import type { Step } from "../../lib/cases/story.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type StatePaths } from "../../lib/io/paths.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { buildTranscript } from "./claude-transcript.ts";
import { onlyHook } from "./only-hook.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Of this test file alone; `buildHook` fills it. */
export const buildDir = mkdtempSync(join(tmpdir(), "catstack-hook-build-"));
export const hookPath = join(buildDir, "hook.mjs");

/** To be done before the first test. */
export function buildHook(): void {
  const { status, stderr } = spawnSync(process.execPath, ["build.mjs", buildDir], { cwd: root, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

/** To be done after the last test. */
export function removeBuild(): void {
  rmSync(buildDir, { recursive: true, force: true });
}

export interface HookRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person's scratch home and state, and one session in it. */
export interface Scene {
  readonly folder: string;
  readonly transcript: string;
  readonly paths: StatePaths;
  readonly flipDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The Stop event; keys of `more` replace the payload's. */
  stop(reply: string, more?: object, env?: Readonly<Record<string, string>>): Promise<HookRun>;
  prompt(more?: object): Promise<HookRun>;
  /** Any stdin; a text is written and closed. */
  run(args: readonly string[], stdin: string | Buffer, env?: Readonly<Record<string, string>>): Promise<HookRun>;
  jobs(): Record<string, unknown>[];
  publish(id: string, more?: Partial<Verdict>): void;
}

/** The session is one of fixtures/transcripts/claude, a story, or a file that is not there. */
export function makeScene(t: TestContext, session: string | readonly Step[] | undefined): Scene {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "catstack-hook-")));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const transcript = join(folder, "session.jsonl");
  if (typeof session === "string")
    copyFileSync(join(root, "fixtures/transcripts/claude", `${session}.jsonl`), transcript);
  else if (session !== undefined) writeFileSync(transcript, buildTranscript(session).toJsonl());
  const flipDir = join(folder, "flips");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state"),
    VERDICT_FLIP_WATCH_STATE_DIR: flipDir,
    ...onlyHook("verdict-flip-watch"),
  };
  const paths = getStatePaths(env);
  const run: Scene["run"] = (args, stdin, more = {}) => {
    const child = startHook(args, { env: { ...env, ...more } });
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
    return child.done;
  };
  return {
    folder,
    transcript,
    paths,
    flipDir,
    env,
    run,
    stop: (reply, more = {}, moreEnv = {}) =>
      run(["claude"], JSON.stringify({ ...stopPayload(transcript, reply), ...more }), moreEnv),
    prompt: (more = {}) => run(["claude"], JSON.stringify({ ...promptPayload(transcript), ...more })),
    jobs: () => listDir(paths.inbox).map((name) => readJson(join(paths.inbox, name))),
    publish(id, more = {}) {
      prepareState(paths);
      publishVerdict(makeVerdict(id, transcript, more), paths);
    },
  };
}

export function stopPayload(transcript: string, reply: string): object {
  return {
    session_id: "11111111-2222-4333-8444-555555555555",
    transcript_path: transcript,
    cwd: "/home/user/project",
    prompt_id: "66666666-7777-4888-8999-000000000000",
    permission_mode: "default",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: reply,
    background_tasks: [],
    session_crons: [],
  };
}

export function promptPayload(transcript: string): object {
  return {
    session_id: "11111111-2222-4333-8444-555555555555",
    transcript_path: transcript,
    cwd: "/home/user/project",
    prompt_id: "66666666-7777-4888-8999-000000000001",
    permission_mode: "default",
    hook_event_name: "UserPromptSubmit",
    prompt: "go on",
  };
}

export function makeVerdict(id: string, transcript: string, more: Partial<Verdict>): Verdict {
  return {
    schema: 1,
    id,
    hook: "verdict-flip-watch",
    transcript,
    transcript_key: getTranscriptKey(transcript),
    outcome: "hit",
    on_hit: `finding ${id}`,
    reason: "flipped is true",
    runner: "codex",
    mode: "default",
    answer: { flipped: true },
    attempts: [],
    finished_at: "2026-01-01T09:30:00.000Z",
    ...more,
  };
}

export function startHook(args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(process.execPath, [hookPath, ...args], { ...options, stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const done = new Promise<HookRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return Object.assign(child, { done });
}

export function readJson(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  assert.ok(isObject(value));
  return value;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const nothing: HookRun = { code: 0, stdout: "", stderr: "" };
