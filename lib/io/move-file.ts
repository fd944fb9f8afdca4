import { linkSync, lstatSync, renameSync, unlinkSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { crashAfter } from "./crash-point.ts";
import { errorCode } from "./error-code.ts";
import { syncDir } from "./publish-file.ts";

/**
 * Moves a file, link, pipe or directory to a name that nobody has, on disk when this returns. Returns false, and moves nothing,
 * when the name is taken: unlike rename(2) it never overwrites. Done again after a crash in between, it finishes the move.
 * Throws ENOENT when there is nothing at `from`.
 */
export function moveOnce(from: string, to: string): boolean {
  const stats = lstatSync(from);
  if (!stats.isFile()) return renameIfFree(from, to);
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return finishMove(from, stats, to);
    // Links refused: by the file system, or for a file of someone else's.
    return renameIfFree(from, to);
  }
  crashAfter("linked", to);
  endMove(from, to);
  return true;
}

function finishMove(from: string, stats: Stats, to: string): boolean {
  const found = lstatSync(to);
  if (found.ino !== stats.ino || found.dev !== stats.dev) return false;
  endMove(from, to);
  return true;
}

/** The old name goes when the new one is on disk. */
function endMove(from: string, to: string): void {
  syncDir(dirname(to));
  crashAfter("folder synced", to);
  unlinkSync(from);
  crashAfter("removed", from);
}

function renameIfFree(from: string, to: string): boolean {
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
  renameSync(from, to);
  syncDir(dirname(to));
  return true;
}
