import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { parseVerdict } from "../../inbox-schema/parse-verdict.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import type { JudgeEvent } from "../../judge/events.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import type { JudgeSettings } from "../../judge/settings.ts";
import { startWatcher, type Watcher, type WatcherEnd } from "../../judge/watcher.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type Env, type StatePaths } from "../../lib/io/paths.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { waitFor } from "./wait-for.ts";

const ends = new WeakMap<StatePaths, (() => Promise<void>)[]>();

/** A state directory of its own, with every folder in place. Its watchers end after the test, and then it goes. */
export function makeState(t: TestContext): StatePaths {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "catstack-test-")));
  return openState(t, join(folder, "state"), () => rmSync(folder, { recursive: true, force: true }));
}

/** The same at a path of the caller's. `close` comes last, when its watchers have ended. */
export function openState(t: TestContext, root: string, close: () => void | Promise<void>): StatePaths {
  const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
  prepareState(paths);
  const stops: (() => Promise<void>)[] = [];
  ends.set(paths, stops);
  t.after(async () => {
    for (const stop of stops) await stop();
    await close();
  });
  return paths;
}

/** Has `stop` called after the test, and before its state directory goes. */
export function stopAfter(t: TestContext, paths: StatePaths, stop: () => Promise<void>): void {
  const stops = ends.get(paths);
  if (stops === undefined) t.after(stop);
  else stops.push(stop);
}

export const transcript = "/nowhere/session.jsonl";
export const transcriptKey = getTranscriptKey(transcript);

/** A job whose evidence is a hit. */
export function evidence(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { hook: "test", transcript, on_hit: "say it", hit_if_all_true: ["hit"], answer: { hit: true }, ...more };
}

/** A job that asks. */
export function question(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { hook: "test", transcript, on_hit: "say it", hit_if_all_true: ["hit"], prompt: "A secret question", ...more };
}

/** Writes a file into the inbox as `cp` does, in place. With `ageMs` it looks as if it had been there so long. */
export function drop(paths: StatePaths, name: string, content: unknown, ageMs = 0): string {
  const path = join(paths.inbox, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  if (ageMs > 0) backdate(path, ageMs);
  return path;
}

export function backdate(path: string, ageMs: number): void {
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(path, time, time);
}

/** Limits that no test reaches by chance. */
export const generous: JudgeSettings = {
  concurrency: 2,
  jobsPerHour: 100_000,
  jobsPerDay: 100_000,
  hookShare: 1,
  maxWaiting: 0,
  tripPerMinute: 0,
  runners: {},
};

export interface TestWatcher extends Watcher {
  readonly events: readonly JudgeEvent[];
  /** The first event that fits, also one of the past. */
  waitForEvent(event: JudgeEvent["event"], id?: string): Promise<JudgeEvent>;
}

export interface TestWatcherOptions {
  readonly env?: Env;
  readonly settings?: Partial<JudgeSettings>;
  readonly once?: boolean;
  readonly idleExitMs?: number;
  readonly now?: () => Date;
  readonly graceMs?: number;
}

/** A watcher in this process, which is stopped after the test at the latest. A listener that throws fails the test. */
export async function watchInProcess(
  paths: StatePaths,
  {
    env = { HOME: paths.root },
    settings = {},
    once = false,
    idleExitMs,
    now = () => new Date(),
    graceMs = 0,
  }: TestWatcherOptions = {},
): Promise<TestWatcher> {
  assert.ok(
    env["HOME"],
    "expected an env with a HOME of the test's own, got none: the tester's settings would be read",
  );
  const events: JudgeEvent[] = [];
  const problems: unknown[] = [];
  const watcher = await startWatcher({
    paths,
    env,
    settings: { ...generous, ...settings },
    once,
    idleExitMs,
    now,
    graceMs,
    listeners: [(event) => void events.push(event)],
    report: (error) => void problems.push(error),
  });
  ends.get(paths)?.push(async () => {
    watcher.kill("the test is over");
    await watcher.ended;
    assert.deepEqual(problems, []);
  });
  const find = (name: string, id?: string) =>
    events.find((event) => event.event === name && (id === undefined || ("id" in event && event.id === id)));
  return { ...watcher, events, waitForEvent: (event, id) => waitFor(`${event} ${id ?? ""}`, () => find(event, id)) };
}

/** Judges what is there, as `catstack watch --once` does. */
export async function judgeAll(paths: StatePaths, options: TestWatcherOptions = {}): Promise<WatcherEnd> {
  return (await watchInProcess(paths, { ...options, once: true })).ended;
}

/** The environment in which every runner is a fake of fixtures/bin, linked as `name` in a folder that is the whole PATH, and the home. */
export function askFake(binPath: string, name = "model"): Env {
  return { PATH: binPath, HOME: binPath, CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify([[name, [name, "{prompt}"]]]) };
}

export function getVerdicts(paths: StatePaths): Verdict[] {
  return listDir(paths.outbox)
    .sort()
    .map((name) => readVerdictAt(join(paths.outbox, name)));
}

export function readVerdictAt(path: string): Verdict {
  const parsed = parseVerdict(readFileSync(path, "utf8"));
  assert.ok(parsed.ok, `expected a verdict at ${path}`);
  return parsed.verdict;
}

/** The verdicts that wait for delivery, as `<key>/<id>`. */
export function listUndelivered(paths: StatePaths): string[] {
  return listDir(paths.undelivered)
    .flatMap((key) => listDir(join(paths.undelivered, key)).map((name) => `${key}/${name.replace(/\.json$/, "")}`))
    .sort();
}

/** What dead/ says about a file. */
export function readReason(paths: StatePaths, file: string): Record<string, unknown> {
  const reason: unknown = JSON.parse(readFileSync(join(paths.dead, `${file}.reason.json`), "utf8"));
  assert.ok(typeof reason === "object" && reason !== null);
  return { ...reason };
}

/** Nothing of any job is left but verdicts, the dead, and half-written temporary files where a process was killed. */
export function assertAtRest(paths: StatePaths, inbox: readonly string[] = []): void {
  const { claimed, reclaim, attempts, tmp, locks, instances } = paths;
  assert.deepEqual(listDir(paths.inbox), inbox, "inbox");
  for (const dir of [claimed, reclaim, attempts, tmp, locks, instances]) {
    const left = listDir(dir).filter((name) => !name.endsWith(".tmp"));
    assert.deepEqual(left, [], dir);
  }
}

export function getMode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
