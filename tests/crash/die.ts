import assert from "node:assert/strict";
import { lstatSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { TestContext } from "node:test";
import type { CrashStep } from "../../lib/io/crash-point.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { judgeAll } from "../helpers/queue.ts";
import { startWatch, type Exit } from "../helpers/watch-process.ts";

/** `npm run test:crash` tests every step; among the other tests a few stand for all. */
export const isComplete = process.env["CATSTACK_CRASH_ALL"] !== undefined;

/** In the order given, every one or one in `rate`. */
export function sample<T>(all: readonly T[], rate: number): readonly T[] {
  return isComplete ? all : all.filter((_, index) => index % rate === 0);
}

/** The steps at which a process of this test file has died. */
export const reached = new Set<CrashStep>();

/** Notes that a process died where it should. */
export function assertDied({ code, signal }: Exit, step: CrashStep): void {
  assert.deepEqual({ code, signal }, { code: null, signal: "SIGKILL" }, `expected it to die at "${step}"`);
  reached.add(step);
}

/** `watch --once`, which is to die at the step. */
export async function dieAt(t: TestContext, paths: StatePaths, step: CrashStep, env: Env): Promise<void> {
  assertDied(await tryStep(t, paths, step, env), step);
}

/** As `dieAt`, where the step may have nothing to do any more. */
export async function tryStep(t: TestContext, paths: StatePaths, step: CrashStep, env: Env): Promise<Exit> {
  const { exited } = await startWatch(t, paths, { args: ["--once"], env: { ...env, CATSTACK_CRASH_AT: step } });
  const exit = await exited;
  if (exit.signal === "SIGKILL") reached.add(step);
  return exit;
}

/** How often the job counts as tried. */
export function countTries(paths: StatePaths, id: string): number {
  return statSync(join(paths.attempts, id), { throwIfNoEntry: false })?.size ?? 0;
}

/** The files of jobs in the inbox, in claims and in claims that are being given back; one with two names counts once. */
export function countJobs({ inbox, claimed, reclaim }: StatePaths): number {
  const folders = [inbox, ...[claimed, reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)))];
  const files = folders.flatMap((folder) => listDir(folder).map((name) => join(folder, name)));
  return new Set(files.filter((path) => /\/[\w-]+\.json$/.test(path)).map((path) => lstatSync(path).ino)).size;
}

const KEPT = [
  /^judge\.log$/,
  /^run\/(?:health\.json|starts[\w.-]*|fence\.key|hooks\/[\w.-]+\.json)$/,
  /^cache\//,
  /^(?:outbox|undelivered\/[0-9a-f]{16}|dead)\/[\w-]+(?:\.json|\.json\.reason\.json)$/,
];

/**
 * Three hours later, when what is old has been swept: nothing is left but verdicts, the dead, and what a watcher keeps of itself. Not a lock, a
 * temporary file, a count of attempts.
 */
export async function assertNothingLeft(paths: StatePaths, env: Env): Promise<void> {
  await judgeAll(paths, { env, now: () => new Date(Date.now() + 3 * 3_600_000) });
  const files = readdirSync(paths.root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(paths.root, join(entry.parentPath, entry.name)));
  assert.deepEqual(
    files.filter((file) => !KEPT.some((pattern) => pattern.test(file))),
    [],
  );
  const folders = [paths.claimed, paths.reclaim, paths.locks, paths.delivering, env["TMPDIR"] ?? ""];
  assert.deepEqual(folders.flatMap(listDir), []);
}
