import {
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * What stands at the place of a link: nothing, a link to `target`, a link of another catstack (or one that leads nowhere), or something
 * that is not ours.
 */
export type LinkState = "absent" | "ours" | "other" | "foreign";

/** Looks at the place of a link to a folder or file of `dist/`; changes nothing. */
export function readLinkState(path: string, target: string): LinkState {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "absent";
  if (!stat.isSymbolicLink()) return "foreign";
  if (readlinkSync(path) === target) return "ours";
  if (!existsSync(path)) return basename(readlinkSync(path)) === basename(target) ? "other" : "foreign";
  const found = realpathSync(path);
  if (existsSync(target) && found === realpathSync(target)) return "ours";
  return isCatstack(found) ? "other" : "foreign";
}

/** Makes or replaces the link in one step. */
export function replaceLink(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  symlinkSync(target, temporary);
  renameSync(temporary, path);
}

/** Removes a link, never what it leads to. */
export function removeLink(path: string): void {
  unlinkSync(path);
}

/** A `dist/` folder of any version, or the command inside one. */
function isCatstack(path: string): boolean {
  const folder = path.endsWith("catstack.mjs") ? dirname(path) : path;
  return existsSync(join(folder, "hook.mjs")) && existsSync(join(folder, "catstack.mjs"));
}
