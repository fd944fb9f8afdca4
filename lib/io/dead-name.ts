import { lstatSync } from "node:fs";
import { join } from "node:path";
import { v7 as createId } from "uuid";
import { REASON_SUFFIX, type StatePaths } from "./paths.ts";

/** A name longer than this leaves no room for the reason's, and one of other characters is no joy in a terminal. */
const USABLE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Where it is told why a file lies in dead/. */
export function getReasonPath({ dead }: StatePaths, file: string): string {
  return join(dead, file + REASON_SUFFIX);
}

/** The name of a file in dead/: its own where that is usable and free, for its reason too. `isOwn`: a reason that is there already may be its own. */
export function chooseDeadName(name: string, paths: StatePaths, isOwn = (_reasonPath: string) => false): string {
  // First of all: the disk refuses to look for a name that is too long.
  if (!USABLE_NAME.test(name)) return createDeadName();
  const reason = getReasonPath(paths, name);
  const isFree = !isThere(join(paths.dead, name)) && (!isThere(reason) || isOwn(reason));
  return isFree ? name : createDeadName();
}

/** A name that nothing has. */
export function createDeadName(): string {
  return `${createId()}.json`;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
