import { chmodSync, linkSync, readdirSync, renameSync, statSync, writeFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Once } from "../../hook.ts";
import { errorCode } from "../error-code.ts";
import { findFolderRefusal } from "../ownership.ts";
import { makePrivateDir, unlinkQuietly } from "../publish-file.ts";
import { shortHash } from "../transcript-key.ts";

/** A file whose being there means that something was said, asked or owned already. */
export interface Mark {
  readonly dir: string;
  readonly name: string;
  readonly content: string;
  /** Absent: for good. */
  readonly ttlSeconds?: number;
}

const MARK_MODE = 0o600;
/** Of a mark that was made for what is only about to be said. */
const UNSAID_MODE = 0o400;
/** Harnesses end a hook after 10 s: who made an unsaid mark so long ago is gone and has said nothing. */
const LONGEST_HOOK_MS = 30_000;

/** Older marks are forgotten: by then clients have deleted the transcript. */
const KEPT_DAYS = 90;
/** So many old marks are looked at when a new one is made. */
const PRUNE_LIMIT = 100;

/** Marks, and what `removeRunOut` leaves of one when it is killed. Other programs may keep files in the same folder. */
export const MARK = /^[0-9a-f]{16}(?:\.noted)?(?:\.\d+)?$/;

/** What is judged once: a hook's key within one transcript, whose path is resolved. */
export interface OnceScope {
  readonly hook: string;
  readonly transcript: string;
  /** For every hook that has no folder of its own. */
  readonly onceDir: string;
  /** Folders of single hooks, by id: the marks in them need not name the hook. */
  readonly markerDirs: ReadonlyMap<string, string>;
}

/** The mark of a once key. */
export function getMark({ hook, transcript, onceDir, markerDirs }: OnceScope, { key, ttlSeconds }: Once): Mark {
  const lifetime = ttlSeconds === undefined ? {} : { ttlSeconds };
  const dir = markerDirs.get(hook);
  if (dir !== undefined) {
    return { dir, name: `${shortHash(`${transcript}::${key}`)}.noted`, content: key, ...lifetime };
  }
  return { dir: onceDir, name: shortHash(`${hook}::${transcript}::${key}`), content: key, ...lifetime };
}

/** Whether the mark is there and holds. False when that cannot be seen: making it will tell why. */
export function isMarked(mark: Mark, now: Date): boolean {
  try {
    return !hasRunOut(statSync(join(mark.dir, mark.name)), mark, now);
  } catch {
    return false;
  }
}

/**
 * Makes the mark; true for exactly one of several that try at once. One that holds no more is made anew. Throws when it cannot be
 * written, or when other accounts could write there, too.
 */
export function createMark(mark: Mark, now: Date): boolean {
  return create(mark, now, MARK_MODE);
}

/**
 * As `createMark`, for what is said only after this: until `settleMark` it holds no longer than a hook may live, so that what a process that
 * died was about to say is said by a later one.
 */
export function createUnsaidMark(mark: Mark, now: Date): boolean {
  return create(mark, now, UNSAID_MODE);
}

/** What the mark stands for was said. */
export function settleMark({ dir, name }: Mark): void {
  try {
    chmodSync(join(dir, name), MARK_MODE);
  } catch {
    // It is said once more.
  }
}

function create(mark: Mark, now: Date, mode: number): boolean {
  const path = join(mark.dir, mark.name);
  const refusal = findFolderRefusal(mark.dir);
  if (refusal !== undefined) throw new Error(refusal);
  makePrivateDir(mark.dir);
  if (!createOnce(path, mark.content, mode)) {
    if (isMarked(mark, now) || !removeRunOut(path, mark, now)) return false;
    return createOnce(path, mark.content, mode);
  }
  pruneMarks(mark.dir, now);
  return true;
}

/** Takes a mark back that this process has made: what it stands for was not said. */
export function removeMark({ dir, name }: Mark): void {
  unlinkQuietly(join(dir, name));
}

function createOnce(path: string, content: string, mode: number): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    // On a full disk the file is made and stays empty: it would silence what was never said.
    unlinkQuietly(path);
    throw error;
  }
}

/** Takes the file away first and looks then: another process may just have put a new mark there, which goes back. */
function removeRunOut(path: string, mark: Mark, now: Date): boolean {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return true;
    throw error;
  }
  try {
    if (hasRunOut(statSync(aside), mark, now)) return true;
    linkSync(aside, path);
    return false;
  } finally {
    unlinkQuietly(aside);
  }
}

function hasRunOut({ mtimeMs, mode }: Stats, { ttlSeconds = Infinity }: Mark, now: Date): boolean {
  const lifetimeMs = Math.min(ttlSeconds * 1000, (mode & 0o777) === UNSAID_MODE ? LONGEST_HOOK_MS : Infinity);
  return mtimeMs + lifetimeMs <= now.getTime();
}

function pruneMarks(dir: string, now: Date): void {
  try {
    const names = readdirSync(dir).filter((name) => MARK.test(name));
    const first = Math.floor(Math.random() * Math.max(1, names.length - PRUNE_LIMIT));
    for (const name of names.slice(first, first + PRUNE_LIMIT)) {
      const stat = statSync(join(dir, name), { throwIfNoEntry: false });
      if (stat !== undefined && now.getTime() - stat.mtimeMs > KEPT_DAYS * 86_400_000) unlinkQuietly(join(dir, name));
    }
  } catch {
    // Old marks cost a little space; the new one is made.
  }
}
