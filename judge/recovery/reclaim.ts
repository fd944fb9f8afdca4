import { lstatSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { crashAt } from "../../lib/io/crash-point.ts";
import { getInstancePath, listInstanceNames } from "../../lib/io/instance.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import { makePrivateDir, unlinkQuietly } from "../../lib/io/publish-file.ts";
import type { Complaints } from "../health/complaints.ts";
import { getHealthPath } from "../health/health.ts";
import { createDeadTest } from "./dead-owner.ts";
import { createRunnerEnder, getSurvivalCause, type RunnerEnd, type RunnerEnder } from "./end-runners.ts";
import { bury, finishDeath, superseded } from "../dead/bury.ts";
import type { JudgeEvent } from "../events.ts";
import { moveOnce } from "../../lib/io/move-file.ts";
import { removeTempFoldersOf } from "../runners/temp-folder.ts";

export interface ReclaimOptions {
  readonly paths: StatePaths;
  /** Says where temporary folders lie; of other watchers too, as they run for the same account. */
  readonly env: Env;
  /** The instance that reclaims. */
  readonly me: string;
  readonly now: () => Date;
  readonly emit: (event: JudgeEvent) => void;
  readonly complaints: Complaints;
}

/**
 * Gives back the jobs of watchers that are gone. Each step may be repeated, by this watcher or another, after a crash at any point:
 * take the dead one's folder (one watcher wins the rename), end what it left running, put its jobs back, remove its traces.
 */
export function createReclaimer(
  options: ReclaimOptions,
  monotonic: () => number = () => performance.now(),
): () => Promise<void> {
  const { paths, me, complaints } = options;
  const isDead = createDeadTest(paths, monotonic);
  const runners = createRunnerEnder({ paths, complaints, monotonic });
  return async () => {
    runners.lookAgain();
    for (const instance of listFolders(paths.claimed)) {
      if (instance === me || !isDead(instance)) continue;
      if (takeFolder(join(paths.claimed, instance), instance, options)) await reclaim(instance, runners, options);
    }
    for (const folder of listFolders(paths.reclaim)) {
      const [instance = "", owner = ""] = folder.split("@");
      // Of our own there is one when an earlier round failed half-way.
      const isTaken = owner === me || (isDead(owner) && takeFolder(join(paths.reclaim, folder), instance, options));
      if (isTaken) await reclaim(instance, runners, options);
    }
    for (const instance of listInstanceNames(paths)) {
      if (instance !== me && isDead(instance) && !hasFolder(instance, paths)) await removeTraces(instance, options);
    }
    removeOwnerlessLocks(paths);
  };
}

/** False when another watcher was faster, and while one of that name which was taken earlier is not empty yet: it comes after that. */
function takeFolder(folder: string, instance: string, { paths, me }: ReclaimOptions): boolean {
  makePrivateDir(paths.reclaim);
  try {
    renameSync(folder, join(paths.reclaim, `${instance}@${me}`));
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) return false;
    throw error;
  }
  crashAt("R1 taken");
  return true;
}

function listFolders(path: string): string[] {
  return listDir(path).filter((name) => lstatSync(join(path, name), { throwIfNoEntry: false })?.isDirectory());
}

/** One folder that makes trouble keeps no other from being given back. */
async function reclaim(instance: string, runners: RunnerEnder, options: ReclaimOptions): Promise<void> {
  const { complaints } = options;
  try {
    await giveBack(instance, runners, options);
    complaints.worked(`reclaiming ${instance}`);
  } catch (error) {
    complaints.failed(`reclaiming ${instance}`, error);
  }
}

async function giveBack(instance: string, runners: RunnerEnder, options: ReclaimOptions): Promise<void> {
  const { paths, me, now, emit } = options;
  const dir = join(paths.reclaim, `${instance}@${me}`);
  const ids = listDir(dir).flatMap((file) => /^([A-Za-z0-9_-]{1,64})\.json$/.exec(file)?.[1] ?? []);
  const ends = await Promise.all(ids.map(async (id) => ({ id, end: await runners.end(dir, id) })));
  const select = (wanted: RunnerEnd) => ends.flatMap(({ id, end }) => (end === wanted ? [id] : []));
  const kept = select("survived");
  for (const id of select("survived-for-long")) {
    bury({ dir, id, name: `${id}.json` }, getSurvivalCause(dir, id, now()), now(), paths);
  }
  crashAt("R2 killed");
  for (const id of select("ended")) putBack(dir, id, options);
  for (const file of listDir(dir)) {
    if (!kept.some((id) => file.startsWith(`${id}.`))) finishOrRemove(dir, file, options);
  }
  // The next round tries again to end their runners.
  if (kept.length > 0) return;
  crashAt("R3 emptied");
  rmdirSync(dir);
  crashAt("R4 folder removed");
  await removeTraces(instance, options);
  emit({ event: "janitor:reclaimed", instance, jobs: ids.length });
}

function putBack(dir: string, id: string, { paths, now }: ReclaimOptions): void {
  if (finishDeath(dir, id, paths) !== undefined) return;
  makePrivateDir(paths.inbox);
  const name = `${id}.json`;
  if (moveOnce(join(dir, name), join(paths.inbox, name))) return;
  bury({ dir, id, name }, superseded, now(), paths);
}

/** What is left once the claims are gone: deaths whose file was moved already, records of runs, records cut short. */
function finishOrRemove(dir: string, file: string, { paths }: ReclaimOptions): void {
  const dying = /^(.*)\.death\.json$/.exec(file)?.[1];
  if (dying !== undefined) finishDeath(dir, dying, paths);
  else if (file.endsWith(".run.json") || file.endsWith(".tmp")) unlinkQuietly(join(dir, file));
}

function hasFolder(instance: string, paths: StatePaths): boolean {
  if (lstatSync(join(paths.claimed, instance), { throwIfNoEntry: false }) !== undefined) return true;
  return listDir(paths.reclaim).some((folder) => folder.startsWith(`${instance}@`));
}

/** The instance file goes last: without it nobody can tell any more who is dead. */
async function removeTraces(instance: string, { paths, env, emit }: ReclaimOptions): Promise<void> {
  for (const message of await removeTempFoldersOf(instance, env)) emit({ event: "watcher:note", message });
  crashAt("R4 temporary folders removed");
  for (const lock of listDir(paths.locks)) {
    if (lock === instance || lock.startsWith(`${instance}.`)) removeLock(lock, paths);
  }
  unlinkQuietly(getHealthPath(paths, instance));
  unlinkQuietly(getInstancePath(paths, instance));
}

/** An instance makes itself known before its first lock: a lock without one is nobody's. */
function removeOwnerlessLocks(paths: StatePaths): void {
  for (const lock of listDir(paths.locks)) {
    const instance = lock.split(".")[0] ?? lock;
    if (lstatSync(getInstancePath(paths, instance), { throwIfNoEntry: false }) === undefined) removeLock(lock, paths);
  }
}

function removeLock(lock: string, paths: StatePaths): void {
  try {
    rmdirSync(join(paths.locks, lock));
    crashAt("R4 lock removed");
  } catch {
    // Another watcher was faster, or somebody put a file in it: neither harms anyone.
  }
}
