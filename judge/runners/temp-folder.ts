import { lstatSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { crashAt } from "../../lib/io/crash-point.ts";
import type { Env } from "../../lib/io/paths.ts";

const PREFIX = "catstack-judge-";

/**
 * Makes a fresh, empty folder for one attempt below `TMPDIR`, private to the account; its name tells the `owner`, for whoever
 * cleans up after one that was killed. Rejects when it cannot be made.
 */
export async function makeTempFolder(env: Env, owner?: string): Promise<string> {
  const folder = await mkdtemp(join(getTempDir(env), owner === undefined ? PREFIX : getPrefix(owner)));
  crashAt("C7 folder made");
  return folder;
}

/** Removes it with all that a runner left in it. Gives why that failed; never rejects, since the answer is there already. */
export async function removeTempFolder(folder: string): Promise<string | undefined> {
  try {
    await rm(folder, { recursive: true, force: true });
    crashAt("C8 folder removed");
    return undefined;
  } catch (error) {
    return `could not remove ${folder}: ${String(error)}`;
  }
}

/**
 * Removes the folders that an owner who is gone has left below `TMPDIR`: real directories of this account alone. Gives what
 * could not be removed; never rejects.
 */
export async function removeTempFoldersOf(owner: string, env: Env): Promise<readonly string[]> {
  const parent = getTempDir(env);
  try {
    const names = (await readdir(parent)).filter((name) => isNameOf(name, owner));
    const folders = names.map((name) => join(parent, name)).filter(isOwnFolder);
    return (await Promise.all(folders.map(removeTempFolder))).filter((problem) => problem !== undefined);
  } catch (error) {
    return [`could not look for folders of ${owner} in ${parent}: ${String(error)}`];
  }
}

function getTempDir(env: Env): string {
  const parent = env["TMPDIR"] ?? "";
  return isAbsolute(parent) ? parent : tmpdir();
}

/** The dot is in no owner's name, so that no name begins with another's. */
function getPrefix(owner: string): string {
  return `${PREFIX}${owner}.`;
}

function isNameOf(name: string, owner: string): boolean {
  const prefix = getPrefix(owner);
  return /^[A-Za-z0-9-]+$/.test(owner) && name.startsWith(prefix) && /^[A-Za-z0-9]{6}$/.test(name.slice(prefix.length));
}

function isOwnFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isDirectory() && stats.uid === process.getuid?.();
}
