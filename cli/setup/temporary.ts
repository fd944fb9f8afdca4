import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../lib/io/error-code.ts";
import type { Step } from "./step.ts";

/** An empty file that says who made the folder it is in: one that the person made stays, though it may be empty. */
export const MARK = ".made-by-catstack";
const NAME = /^\..+\.catstack-(\d+)\.tmp$/;

/** The name beside `path` under which a set-up makes what is to stand there, or moves it to before it goes. What an earlier process of the same id left is removed. */
export function takeTemporary(path: string): string {
  const temporary = join(dirname(path), `.${basename(path)}.catstack-${process.pid}.tmp`);
  removeTemporary(temporary);
  return temporary;
}

/** Removes what stands under a name of `takeTemporary`, if anything does. */
export function removeTemporary(temporary: string): void {
  rmSync(temporary, { recursive: true, force: true });
}

/** Takes out what set-ups of this account that were killed left in the folders. */
export function planCleaning(folders: readonly string[]): Step[] {
  return listAbandoned(folders).map((path) => ({
    word: "remove",
    text: `${path}: left by a set-up that was killed`,
    run: () => removeTemporary(path),
  }));
}

/** What is left in the folders of set-ups that were killed. A folder that holds what somebody else put there stays. */
export function listAbandoned(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    listNames(folder)
      .filter((name) => isDead(Number(NAME.exec(name)?.[1])))
      .map((name) => join(folder, name))
      .filter(isLeft),
  );
}

function isLeft(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.uid !== process.getuid?.()) return false;
  return !stat.isDirectory() || readdirSync(path).every((name) => name === MARK);
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing of ours is in what is no folder, or in one that may not be read.
    return [];
  }
}

/** False for what is no process id. */
function isDead(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}
