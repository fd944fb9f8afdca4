import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Directories of the state folder are private to the account. */
const DIR_MODE = 0o700;
const FILE_MODE = 0o600;

/** Creates a private directory and its parents; an existing one is left as it is. */
export function makePrivateDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: DIR_MODE });
}

/**
 * Publishes `text` as `path` for the first writer only: written and synced under `tmpDir`, then linked into place, so no
 * reader ever sees a part of it. `tmpDir` must be on the same file system. Returns false when `path` exists already.
 * Throws the file system's error when it cannot be written; nothing is left behind then.
 */
export function publishOnce(path: string, text: string, tmpDir: string): boolean {
  const temporary = writeTemporary(tmpDir, basename(path), text, true);
  try {
    return linkOrRename(temporary, path);
  } finally {
    unlinkQuietly(temporary);
  }
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
  if (durable) syncDir(dirname(path));
}

/** Makes a finished rename or link in `path` survive a power cut (ext4 and XFS need it). */
export function syncDir(path: string): void {
  const fd = openSync(path, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeTemporary(dir: string, name: string, text: string, durable: boolean): string {
  const path = join(dir, `${name}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`);
  const fd = openSync(path, "wx", FILE_MODE);
  try {
    writeAll(fd, Buffer.from(text, "utf8"));
    if (durable) fsyncSync(fd);
  } catch (error) {
    unlinkQuietly(path);
    throw error;
  } finally {
    closeSync(fd);
  }
  return path;
}

function writeAll(fd: number, bytes: Buffer): void {
  let offset = 0;
  while (offset < bytes.length) offset += writeSync(fd, bytes, offset);
}

/** Some FUSE and Windows-backed mounts refuse hard links; there a rename is the best that can be had. */
function linkOrRename(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP" && code !== "ENOSYS") throw error;
    renameSync(temporary, path);
  }
  syncDir(dirname(path));
  return true;
}

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return; // a leftover in tmp/ is swept by the watcher after an hour
  }
}

/** The `code` of a system error such as `ENOENT`; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
