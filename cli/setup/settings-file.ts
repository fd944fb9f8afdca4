import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode } from "../../lib/io/error-code.ts";
import { readSmallFile } from "../../lib/io/read-small-file.ts";
import { Failure } from "../failure.ts";
import { where } from "./json-text.ts";
import { makeFolder } from "./made-folder.ts";
import { removeTemporary, takeTemporary } from "./temporary.ts";

const BOM = "\uFEFF";
const NEW_FILE_MODE = 0o600;
const MAX_BYTES = 16 * 1024 * 1024;
/** The whole of the copy where there was no file. No client's settings are this text. */
const NO_FILE = "There was no such file before catstack was installed.\n";

/** The file is no longer as it was read: what was to be done has to be worked out anew. */
export class SettingsChanged extends Failure {}

/** A settings file as it stands: behind symbolic links, without its byte order mark. */
export interface SettingsFile {
  /** Where the person sees it. */
  readonly path: string;
  /** The file itself, behind any symbolic links. */
  readonly target: string;
  /** Undefined when there is no file. */
  readonly text: string | undefined;
  readonly bom: boolean;
}

/** Reads a settings file. Throws a Failure when it is there and cannot be read as UTF-8 text. */
export function readSettingsFile(path: string): SettingsFile {
  const target = followLinks(path);
  try {
    const bytes = findBytes(target);
    if (bytes === undefined) return { path, target, text: undefined, bom: false };
    const text = bytes.toString("utf8");
    if (!Buffer.from(text, "utf8").equals(bytes))
      throw new Failure(
        `${where({ text, path }, text.indexOf("\uFFFD"))}: expected UTF-8 text, got other bytes; correct the file and run this again`,
      );
    const bom = text.startsWith(BOM);
    return { path, target, text: bom ? text.slice(1) : text, bom };
  } catch (error) {
    throw asFailure(error, `cannot read ${path}`);
  }
}

/** Undefined when there is nothing. Throws for what is no file: a named pipe would be waited for without end. */
function findBytes(path: string): Buffer | undefined {
  const file = readSmallFile(path, MAX_BYTES);
  if (file.is === "other") throw new Error(file.reason);
  return file.is === "file" ? file.bytes : undefined;
}

/** Where the copy of the text from before the first install is kept. */
export function getBackupPath(file: SettingsFile): string {
  return `${file.target}.catstack-backup`;
}

/**
 * The copy as it stands, byte for byte as text; null when it says that there was no file; undefined when there is none. Throws a Failure when it cannot be
 * read.
 */
export function readBackup(file: SettingsFile): string | null | undefined {
  const backup = getBackupPath(file);
  try {
    const text = findBytes(backup)?.toString("utf8");
    return text === NO_FILE ? null : text;
  } catch (error) {
    throw asFailure(error, `cannot read ${backup}`);
  }
}

/** Keeps a copy of the file as it was read, in place of an older one, or of there being none. Throws a Failure when it cannot be written. */
export function writeBackup(file: SettingsFile): void {
  try {
    expectUnchanged(file);
    writeLike(file, getBackupPath(file), file.text === undefined ? NO_FILE : getContent(file, file.text), () => {});
  } catch (error) {
    throw asFailure(error, `cannot write ${getBackupPath(file)}`);
  }
}

/** Removes the copy. Throws a Failure when it cannot be. */
export function removeBackup(file: SettingsFile): void {
  removeOrFail(getBackupPath(file));
}

/** Removes the file itself, behind any symbolic links. Throws a Failure when it cannot be. */
export function removeSettings(file: SettingsFile): void {
  expectUnchanged(file);
  removeOrFail(file.target);
}

function removeOrFail(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    throw asFailure(error, `cannot remove ${path}`);
  }
}

/**
 * Throws a Failure that says what to do where the file cannot be replaced: it or its folder is read-only. A file that nobody may write is left alone even by
 * root, who could: somebody made it so.
 */
export function expectWritable({ path, target, text }: SettingsFile): void {
  try {
    if (text !== undefined && (statSync(target).mode & 0o222) === 0) throw refuse(path, target);
    if (text !== undefined) accessSync(target, constants.W_OK);
  } catch (error) {
    throw errorCode(error) === "EACCES" || errorCode(error) === "EROFS" ? refuse(path, target) : error;
  }
  expectWritableFolder(path, dirname(target));
}

/** Throws a Failure where nothing can be put into or taken out of the folder, or of the nearest above it that is there. */
export function expectWritableFolder(path: string, folder: string): void {
  const found = findFolder(folder);
  if (!canWrite(found)) throw refuse(path, found);
}

/** Whether something can be put into the folder, or into the nearest above it that is there. */
export function canWriteInto(folder: string): boolean {
  return canWrite(findFolder(folder));
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function refuse(path: string, what: string): Failure {
  return new Failure(
    `${path}: expected to be allowed to write ${what}, got a read-only one; make it writable (chmod u+w) and run this again`,
  );
}

/** The folder, or the nearest above it that is there. */
function findFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : findFolder(dirname(folder));
}

/** A text as it is written to the file, with the byte order mark that it had. */
export function getContent({ bom }: SettingsFile, text: string): string {
  return (bom ? BOM : "") + text;
}

/**
 * Replaces the text in one step: a reader meets the old or the new file, never a part. Mode, owner and symbolic links stay. Throws a
 * Failure when it cannot be written, SettingsChanged when somebody else has written to it since it was read; the file is untouched then.
 */
export function replaceSettings(file: SettingsFile, text: string): void {
  try {
    writeLike(file, file.target, getContent(file, text), () => expectUnchanged(file));
  } catch (error) {
    throw asFailure(error, `cannot write ${file.path}`);
  }
}

function writeLike(file: SettingsFile, path: string, content: string, check: () => void): void {
  makeFolder(dirname(path));
  const temporary = takeTemporary(path);
  try {
    writeFileSync(temporary, content, { mode: NEW_FILE_MODE, flag: "wx", flush: true });
    check();
    if (file.text !== undefined) giveMode(file.target, temporary);
    renameSync(temporary, path);
  } catch (error) {
    removeTemporary(temporary);
    throw error;
  }
}

function giveMode(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from);
  chmodSync(to, mode & 0o7777);
  // Only root can give a file away, and only root would take it from its owner by the rename.
  if (process.getuid?.() === 0) chownSync(to, uid, gid);
}

function expectUnchanged(file: SettingsFile): void {
  const now = findBytes(file.target);
  const isSame =
    now === undefined || file.text === undefined
      ? now === file.text
      : now.equals(Buffer.from(getContent(file, file.text), "utf8"));
  if (!isSame)
    throw new SettingsChanged(
      `${file.path}: expected it as it was read, got it changed by somebody else meanwhile; run this again`,
    );
}

/** Where a chain of symbolic links ends, even when nothing is there yet. */
function followLinks(path: string, depth = 0): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw asFailure(error, `cannot read ${path}`);
  }
  try {
    const next = resolve(dirname(path), readlinkSync(path));
    return depth < 40 ? followLinks(next, depth + 1) : path;
  } catch {
    return path;
  }
}

function asFailure(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error;
  return new Failure(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
