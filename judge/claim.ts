import fs, { existsSync, lstatSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import { crashAt } from "../lib/io/crash-point.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { errorCode } from "../lib/io/error-code.ts";
import { makePrivateDir } from "../lib/io/publish-file.ts";
import type { Waiting } from "./inbox/inbox.ts";
import { getClaimId } from "./inbox/job-name.ts";

/** A job that this instance owns. */
export interface Claim {
  readonly id: string;
  readonly name: string;
  /** `claimed/<instance>/`, where `<id>.json` lies now. */
  readonly dir: string;
  readonly path: string;
  /** What it looked like in the inbox; it may have changed since. */
  readonly waiting: Waiting;
}

/** The jobs that one instance claims. */
export interface Claims {
  /** Moves the file out of the inbox. Undefined when somebody else was faster. */
  take(waiting: Waiting): Claim | undefined;
  /** Shows others that the claim's owner lives. When it rejects, the file is still claimed: somebody has to put it back. */
  lock(claim: Claim): Promise<void>;
  /** Gives the claim's lock back, once its file is gone from `claimed/`. */
  release(claim: Claim): Promise<void>;
  /** Gives the instance's own lock back. */
  close(): Promise<void>;
}

/**
 * Locks show others that an owner lives whose process they cannot see; they decide nothing. Each path is known to one process
 * alone, so that the package's takeover of stale locks, where two can win, is never reached. 60 s is more than a sleepy disk takes.
 */
const lockOptions = { realpath: false, stale: 60_000, update: 5000, retries: 0, fs: { ...fs, mkdir: makeLock } };

/** A lock is a folder. The package would make it with the account's umask. */
function makeLock(path: string, done: fs.NoParamCallback): void {
  fs.mkdir(path, 0o700, done);
}

/**
 * Opens an instance's claims. The rename out of the inbox is what decides who has a job: one process wins it.
 * `onCompromised` is told when a lock of ours was taken away: somebody holds us for dead.
 */
export async function openClaims(
  paths: StatePaths,
  instance: string,
  onCompromised: (error: Error) => void,
): Promise<Claims> {
  const dir = join(paths.claimed, instance);
  const locks = new Map<string, () => Promise<void>>();
  const lock = async (file: string, name: string) => holdLock(file, join(paths.locks, name), onCompromised);
  const unlockInstance = await lock(dir, instance);
  crashAt("S2 instance locked");
  return {
    take(waiting) {
      crashAt("C1 listed");
      const claim = moveIntoClaims(waiting, dir, paths);
      if (claim !== undefined) crashAt("C2 claimed");
      return claim;
    },
    async lock(claim) {
      locks.set(claim.id, await lock(claim.path, `${instance}.${claim.id}`));
      crashAt("C2 locked");
    },
    async release(claim) {
      const unlock = locks.get(claim.id);
      await unlock?.();
      if (locks.get(claim.id) === unlock) locks.delete(claim.id);
      crashAt("C12 unlocked");
    },
    async close() {
      removeEmptyDir(dir);
      crashAt("L1 folder removed");
      await unlockInstance();
      crashAt("L2 unlocked");
    },
  };
}

/**
 * Takes a lock and gives the function that gives it back. One that is there still was taken by nobody, whatever the package says of it: its
 * time was set by somebody, or could not be renewed on a disk that was read-only for a minute. It is taken anew, as often as it takes.
 */
async function holdLock(file: string, path: string, onLost: (error: Error) => void): Promise<() => Promise<void>> {
  let isReleased = false;
  let release = await take();

  async function take(): Promise<() => Promise<void>> {
    return lockfile.lock(file, { ...lockOptions, lockfilePath: path, onCompromised: (error) => void retake(error) });
  }

  async function retake(error: Error, isRemoved = false): Promise<void> {
    if (isReleased) return;
    if (!isRemoved && !existsSync(path)) return onLost(error);
    try {
      removeEmptyDir(path);
      release = await take();
      if (isReleased) await release();
    } catch {
      const removed = isRemoved || !existsSync(path);
      setTimeout(() => void retake(error, removed), lockOptions.update).unref();
    }
  }

  return async () => {
    isReleased = true;
    try {
      await release();
    } catch (error) {
      // The package has let go of it; what is left is a folder.
      if (errorCode(error) !== "ERELEASED" && errorCode(error) !== "ENOTACQUIRED") throw error;
      removeEmptyDir(path);
    }
  };
}

function moveIntoClaims(waiting: Waiting, dir: string, paths: StatePaths): Claim | undefined {
  const { name } = waiting;
  const id = getClaimId(name);
  const path = join(dir, `${id}.json`);
  // A rename would overwrite a job of the same id that is still here.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined;
  makePrivateDir(dir);
  try {
    renameSync(join(paths.inbox, name), path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  return { id, name, dir, path, waiting };
}

/** One that is not empty is left to the next watcher, which finds its owner gone. */
function removeEmptyDir(dir: string): void {
  try {
    rmdirSync(dir);
  } catch (error) {
    if (errorCode(error) !== "ENOTEMPTY" && errorCode(error) !== "ENOENT") throw error;
  }
}
