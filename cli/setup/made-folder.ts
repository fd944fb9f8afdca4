import { mkdirSync, readdirSync, rmdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An empty file that says who made the folder it is in: one that the person made stays, though it may be empty. */
const MARK = ".made-by-catstack";

/** Makes a folder and those above it that are missing, each marked as ours. Throws the system's error. */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
  writeFileSync(join(folder, MARK), "");
}

/** Whether `removeMadeFolder` would remove the folder, once `going` are gone from it. */
export function isMadeFolder(folder: string, going: readonly string[] = []): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = readdirSync(folder);
  return names.includes(MARK) && names.every((name) => name === MARK || going.includes(name));
}

/** Removes a folder that `makeFolder` made. Throws the system's error, also for one that holds anything else. */
export function removeMadeFolder(folder: string): void {
  unlinkSync(join(folder, MARK));
  rmdirSync(folder);
}
