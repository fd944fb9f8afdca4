import { closeSync, fsyncSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openToAppend } from "../../lib/io/append-text.ts";
import { crashAfter } from "../../lib/io/crash-point.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makePrivateDir, syncDir, unlinkQuietly } from "../../lib/io/publish-file.ts";

/** A job that took the watcher down with it this many times is not tried again. */
export const MAX_ATTEMPTS = 3;

/** How often the job was tried: `attempts/<id>` has one byte for each. */
export function countAttempts(paths: StatePaths, id: string): number {
  return statSync(join(paths.attempts, id), { throwIfNoEntry: false })?.size ?? 0;
}

/** Counts one more, on disk when this returns: a crash right after must find it. */
export function addAttempt(paths: StatePaths, id: string): void {
  makePrivateDir(paths.attempts);
  const path = join(paths.attempts, id);
  const fd = openToAppend(path);
  crashAfter("created", path);
  try {
    writeSync(fd, ".");
    crashAfter("written", path);
    fsyncSync(fd);
    crashAfter("synced", path);
  } finally {
    closeSync(fd);
  }
  // Also when the file is not new: who made it may have died before its name was on disk.
  syncDir(paths.attempts);
  crashAfter("folder synced", path);
}

/** Takes the last one back: the job was stopped, it did not fail. */
export function refundAttempt(paths: StatePaths, id: string): void {
  const count = countAttempts(paths, id);
  if (count > 1) truncateSync(join(paths.attempts, id), count - 1);
  else removeAttempts(paths, id);
}

export function removeAttempts(paths: StatePaths, id: string): void {
  unlinkQuietly(join(paths.attempts, id));
}
