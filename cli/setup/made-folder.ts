import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MARK, removeTemporary, takeTemporary } from "./temporary.ts";

/** Makes a folder and those above it that are missing, each marked as ours from the first moment. Throws the system's error. */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder));
  const temporary = takeTemporary(folder);
  try {
    mkdirSync(temporary);
    writeFileSync(join(temporary, MARK), "");
    renameSync(temporary, folder);
  } catch (error) {
    removeTemporary(temporary);
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

/** Whether `removeMadeFolder` would remove the folder, once `going` are gone from it. */
export function isMadeFolder(folder: string, going: readonly string[] = []): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = readdirSync(folder);
  return names.includes(MARK) && names.every((name) => name === MARK || going.includes(name));
}

/** The folders and all above them, each once, those inside before those around them. */
export function listUpwards(folders: readonly string[]): string[] {
  const all = new Set<string>();
  for (const folder of folders) for (let each = folder; !all.has(each); each = dirname(each)) all.add(each);
  return [...all].sort((one, other) => other.length - one.length);
}

/** Removes a folder that `makeFolder` made; one that anything else has been put into since stays. Throws the system's error. */
export function removeMadeFolder(folder: string): void {
  const temporary = takeTemporary(folder);
  renameSync(folder, temporary);
  if (readdirSync(temporary).some((name) => name !== MARK)) return renameSync(temporary, folder);
  unlinkSync(join(temporary, MARK));
  rmdirSync(temporary);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
