import {
  existsSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { errorCode } from "../../lib/io/error-code.ts";
import { Failure } from "../failure.ts";
import { makeFolder } from "./made-folder.ts";
import { removeTemporary, takeTemporary } from "./temporary.ts";

/**
 * What stands at the place of a link: nothing, a link to `target`, a link of another catstack (or one that leads nowhere), or something
 * that is not ours.
 */
export type LinkState = "absent" | "ours" | "other" | "foreign";

const COMMAND = "catstack.mjs";

/** Looks at the place of a link to a folder or file of `dist/`; changes nothing. */
export function readLinkState(path: string, target: string): LinkState {
  // A file where the folder should be.
  if (!canHold(dirname(path))) return "foreign";
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "absent";
  if (!stat.isSymbolicLink()) return "foreign";
  if (readlinkSync(path) === target) return "ours";
  // npm links a package's command by a relative path, as an install never does, and takes it out itself.
  if (basename(target) === COMMAND && !isAbsolute(readlinkSync(path))) return "foreign";
  if (!existsSync(path)) return endsAlike(readlinkSync(path), target) ? "other" : "foreign";
  const found = realpathSync(path);
  if (leadsTo(path, target)) return "ours";
  return isCatstack(found) ? "other" : "foreign";
}

/** Whether both are there and one and the same, whoever made the link. */
export function leadsTo(path: string, target: string): boolean {
  return existsSync(path) && existsSync(target) && realpathSync(path) === realpathSync(target);
}

/** Whether a link can stand in the folder: it is one, also behind a link, or it can be made. */
export function canHold(folder: string): boolean {
  if (existsSync(folder)) return statSync(folder).isDirectory();
  return lstatSync(folder, { throwIfNoEntry: false }) === undefined && canHold(dirname(folder));
}

/** Such as `LINK -> TARGET (was OTHER)`. */
export function describeLink(path: string, target: string): string {
  const isThere = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return `${path} -> ${target}${isThere ? ` (was ${readlinkSync(path)})` : ""}`;
}

/** Makes or replaces the link in one step, and its folder. Throws a Failure where it cannot be. */
export function replaceLink(path: string, target: string): void {
  try {
    makeFolder(dirname(path));
    const temporary = takeTemporary(path);
    try {
      symlinkSync(target, temporary);
      renameSync(temporary, path);
    } catch (error) {
      removeTemporary(temporary);
      throw error;
    }
  } catch (error) {
    // The system's own message names the temporary link.
    throw new Failure(`${path}: expected to make a link there, got ${errorCode(error) ?? String(error)}`, {
      cause: error,
    });
  }
}

/** Removes a link, never what it leads to. */
export function removeLink(path: string): void {
  unlinkSync(path);
}

/** Whether a link that leads nowhere once led to the same part of a `dist/`. A skill's own name is no proof: other collections may have it. */
function endsAlike(path: string, target: string): boolean {
  const [ends, wanted] = [path, target].map((each) =>
    each
      .split(sep)
      .slice(isSkill(target) ? -3 : -1)
      .join(sep),
  );
  return ends === wanted;
}

function isSkill(path: string): boolean {
  return basename(dirname(path)) === "skills";
}

/** A `dist/` folder of any version, or the command or a skill inside one. */
function isCatstack(path: string): boolean {
  const folder = isSkill(path) ? dirname(dirname(path)) : basename(path) === COMMAND ? dirname(path) : path;
  return existsSync(join(folder, "hook.mjs")) && existsSync(join(folder, COMMAND));
}
