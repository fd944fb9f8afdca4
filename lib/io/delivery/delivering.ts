import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseRow } from "../../transcript/row.ts";
import { parseDelivery, type ParsedDelivery } from "../../delivery/delivered-verdict.ts";
import { crashAt } from "../crash-point.ts";
import { chooseDeadName, getReasonPath } from "../dead-name.ts";
import { listDir } from "../list-dir.ts";
import { moveOnce } from "../move-file.ts";
import type { StatePaths } from "../paths.ts";
import { getOwnIdentity, parseIdentity, probeLiveness, type ProcessIdentity } from "../process-identity.ts";
import { errorCode } from "../error-code.ts";
import { makePrivateDir, unlinkQuietly } from "../publish-file.ts";
import { findSmallText, readSmallFile } from "../read-small-file.ts";

/** The mode that tells the judge that a verdict was printed: all names of the file share it. */
export const DELIVERED_MODE = 0o400;

/** Not `*.json`: a verdict may have any name of that form. */
const OWNER = ".owner";
/** Harnesses end a hook after 10 s: a folder this old has lost its process, where that cannot be seen from here. */
const LONGEST_HOOK_MS = 10 * 60_000;
/** A verdict is a few kilobytes, and as large as its job where others write one; nothing larger is read into a turn. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Makes this process's own folder in delivering/, with a file that says whose it is, and gives its path. */
export function openDelivering(paths: StatePaths): string {
  const folder = join(paths.delivering, `${process.pid}-${randomBytes(4).toString("hex")}`);
  makePrivateDir(folder);
  crashAt("D1 folder made");
  writeFileSync(join(folder, OWNER), JSON.stringify(getOwnIdentity()), { mode: 0o600 });
  crashAt("D1 owner written");
  return folder;
}

/** Removes the folder when nothing is left in it. */
export function closeDelivering(folder: string): void {
  unlinkQuietly(join(folder, OWNER));
  try {
    rmdirSync(folder);
  } catch {
    // A verdict is left in it; it is put back once this process is gone.
  }
}

/** Moves a file to a name that may be anybody's; false when another process has moved it already. */
export function moveClaim(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** The verdict in a claimed file; undefined when it is gone. Throws when the system is at fault, such as for too many open files. */
export function readClaim(path: string): ParsedDelivery | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return { ok: false, reason: "expected a verdict to be a file, got something else" };
  try {
    const file = readSmallFile(path, MAX_BYTES);
    if (file.is === "nothing") return undefined;
    return file.is === "other" ? { ok: false, reason: file.reason } : parseDelivery(file.bytes.toString("utf8"));
  } catch (error) {
    const code = errorCode(error);
    if (code === "EACCES" || code === "EPERM") return { ok: false, reason: `expected a readable verdict, got ${code}` };
    throw error;
  }
}

/** Moves a claimed file that is no verdict to dead/, beside the reason, and gives its path there. Throws the system's error. */
export function buryClaim(path: string, name: string, reason: string, paths: StatePaths, now: Date): string {
  makePrivateDir(paths.dead);
  for (;;) {
    // One who died before he moved the file has written its reason.
    const file = chooseDeadName(name, paths, (reasonPath) => isReasonOf(reasonPath, path));
    const grave = join(paths.dead, file);
    const death = { code: "broken_verdict", reason, at: now.toISOString(), from: path, file, verdict: null };
    writeFileSync(getReasonPath(paths, file), `${JSON.stringify(death)}\n`, { mode: 0o600 });
    crashAt("D5 reason written");
    if (!moveOnce(path, grave)) continue;
    crashAt("D5 buried");
    return grave;
  }
}

function isReasonOf(reasonPath: string, from: string): boolean {
  return parseRow(findSmallText(reasonPath) ?? "")?.["from"] === from;
}

/**
 * Puts back what processes that are gone had claimed and not printed. What cannot be put back is left to the next prompt, and keeps
 * nothing else back.
 */
export function restoreAbandoned(paths: StatePaths, now: Date): void {
  for (const instance of listDir(paths.delivering)) {
    const folder = join(paths.delivering, instance);
    if (!isAbandoned(folder, now)) continue;
    try {
      for (const name of listDir(folder)) if (name !== OWNER) restore(join(folder, name), name, paths, now);
      closeDelivering(folder);
      crashAt("B3 folder removed");
    } catch {
      // Such as a dead/ that cannot be used.
    }
  }
}

function restore(path: string, name: string, paths: StatePaths, now: Date): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  // Printed, and then killed before it was taken away.
  if ((stats.mode & 0o777) === DELIVERED_MODE) return unlinkQuietly(path);
  const claim = readClaim(path);
  if (claim === undefined) return;
  if (!claim.ok) {
    buryClaim(path, name, claim.reason, paths, now);
    return;
  }
  const folder = join(paths.undelivered, claim.verdict.transcriptKey);
  makePrivateDir(folder);
  moveClaim(path, join(folder, name));
  crashAt("B1 put back");
}

function isAbandoned(folder: string, now: Date): boolean {
  // A link would lead out of our folders, to files that are not ours to move.
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return false;
  const owner = readOwner(join(folder, OWNER));
  const liveness = owner === undefined ? "unknown" : probeLiveness(owner);
  // However old its folder looks: the clock may have been set forward.
  if (liveness !== "unknown") return liveness === "dead";
  return now.getTime() - stats.mtimeMs > LONGEST_HOOK_MS;
}

function readOwner(path: string): ProcessIdentity | undefined {
  try {
    return parseIdentity(findSmallText(path) ?? "");
  } catch {
    return undefined;
  }
}
