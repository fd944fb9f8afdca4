import { linkSync, lstatSync, renameSync, unlinkSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { errorCode, syncDir } from "../../lib/io/publish-file.ts";

/**
 * Moves a file, link, pipe or directory to a name that nobody has, on disk when this returns. Returns false, and moves nothing,
 * when the name is taken: unlike rename(2) it never overwrites. Done again after a crash in between, it finishes the move.
 * Throws ENOENT when there is nothing at `from`.
 */
export function moveOnce(from: string, to: string, afterLink?: () => void): boolean {
  const stats = lstatSync(from);
  if (!stats.isFile()) return renameIfFree(from, to);
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return finishMove(from, stats, to);
    // Links refused: by the file system, or for a file of someone else's.
    return renameIfFree(from, to);
  }
  afterLink?.();
  syncDir(dirname(to));
  unlinkSync(from);
  return true;
}

function finishMove(from: string, stats: Stats, to: string): boolean {
  const found = lstatSync(to);
  if (found.ino !== stats.ino || found.dev !== stats.dev) return false;
  unlinkSync(from);
  return true;
}

function renameIfFree(from: string, to: string): boolean {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  renameSync(from, to);
  syncDir(dirname(to));
  return true;
}
