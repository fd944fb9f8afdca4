import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { crashAfter } from "./crash-point.ts";
import { errorCode } from "./error-code.ts";

/** Directories of the state folder are private to the account. */
const DIR_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Creates a private directory and its parents; an existing one is left as it is. Throws the system's error. Not by the recursion of Node, which
 * never ends where the parent is there and nothing can be made in it all the same: in /proc, or in a mounted folder whose origin was removed.
 */
export function makePrivateDir(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makePrivateDir(parent);
  try {
    mkdirSync(path, DIR_MODE);
  } catch (error) {
    // Somebody else may have made it in between.
    if (errorCode(error) !== "EEXIST" || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Publishes `text` as `path` for the first writer only: written and synced under `tmpDir`, then linked into place, so no
 * reader ever sees a part of it. `tmpDir` must be on the same file system. Returns false when `path` exists already.
 * Throws the file system's error when it cannot be written; nothing is left behind then.
 */
export function publishOnce(path: string, text: string, tmpDir: string): boolean {
  const temporary = writeTemporary(tmpDir, basename(path), text, true);
  try {
    return linkOnce(temporary, path);
  } finally {
    unlinkQuietly(temporary);
  }
}

/**
 * Gives the file `from` the second name `to` (a copy where the file system refuses hard links). Returns false when `to` exists already;
 * it is never overwritten. Either way the name is on disk when this returns: who gave it may have died before it was.
 */
export function linkOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = errorCode(error);
    if (code !== "EEXIST" && !isLinkRefusal(code)) throw error;
    if (code === "EEXIST" || !copyOnce(from, to)) {
      syncDir(dirname(to));
      return false;
    }
  }
  crashAfter("linked", to);
  syncDir(dirname(to));
  crashAfter("folder synced", to);
  return true;
}

/**
 * Replaces `path` by `text` in one step: readers see the old or the new content. `durable` waits for the disk, for files
 * whose loss after a power cut would matter.
 */
export function replaceFile(path: string, text: string, durable = false): void {
  const temporary = writeTemporary(dirname(path), `.${basename(path)}`, text, durable);
  try {
    renameSync(temporary, path);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
  crashAfter("replaced", path);
  if (!durable) return;
  syncDir(dirname(path));
  crashAfter("folder synced", path);
}

/** Makes a finished rename or link in `path` survive a power cut (ext4 and XFS need it; network mounts may not know it). */
export function syncDir(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } catch (error) {
    if (errorCode(error) !== "EINVAL" && errorCode(error) !== "ENOTSUP") throw error;
  } finally {
    closeSync(fd);
  }
}

/** Writes a private file that nobody else knows yet and gives its path; the caller links or renames it, then unlinks it. */
export function writeTemporary(dir: string, name: string, content: string | Buffer, durable: boolean): string {
  const path = join(dir, `${name}.${process.pid}.${createSuffix()}.tmp`);
  const fd = openSync(path, "wx", FILE_MODE);
  crashAfter("created", path);
  try {
    writeAll(fd, typeof content === "string" ? Buffer.from(content, "utf8") : content);
    crashAfter("written", path);
    if (durable) fsyncSync(fd);
    crashAfter("synced", path);
  } catch (error) {
    unlinkQuietly(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  return path;
}

/** Tells apart the temporary files of one process; two processes differ in their pid. */
function createSuffix(): string {
  return Math.random().toString(36).slice(2, 10);
}

function writeAll(fd: number, bytes: Buffer): void {
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(fd, bytes, offset);
}

/** Some FUSE and Windows-backed mounts have no hard links. */
function isLinkRefusal(code: string | undefined): boolean {
  return code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP" || code === "ENOSYS" || code === "EMLINK";
}

/** Not quite first writer wins: two who look at the same moment both rename. It is the best that can be had without links. */
function copyOnce(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  renameSync(writeTemporary(dirname(to), `.${basename(to)}`, readFileSync(from), true), to);
  return true;
}

/** A leftover is swept by the watcher after two hours. */
export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or it stays.
  }
  crashAfter("removed", path);
}
