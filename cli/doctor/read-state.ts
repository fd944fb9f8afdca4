import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { findOwnershipProblem } from "../../lib/io/ownership.ts";
import type { StateFacts } from "./checks/state.ts";

/** Looks at the state folder, and makes nothing. Never throws. */
export function readState(root: string): StateFacts {
  return { root, ownership: findOwnershipProblem(root), folder: readFolder(root), space: findSpace(root) };
}

function readFolder(root: string): StateFacts["folder"] {
  try {
    const stats = statSync(root, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    return { mode: stats.mode & 0o777, isFolder: stats.isDirectory(), isWritable: isWritable(root) };
  } catch {
    return { mode: 0, isFolder: true, isWritable: false };
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Of the nearest folder that is there. Some file systems count no files: they say 0 of 0. */
function findSpace(path: string): StateFacts["space"] {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(path);
    return { bytes: bavail * bsize, files: files === 0 ? undefined : ffree };
  } catch {
    return dirname(path) === path ? undefined : findSpace(dirname(path));
  }
}
