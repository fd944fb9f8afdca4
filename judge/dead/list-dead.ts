import { lstatSync, readlinkSync, rmdirSync, unlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { REASON_SUFFIX, type StatePaths } from "../../lib/io/paths.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import { isRow, parseRow } from "../../lib/transcript/row.ts";
import { readBytes } from "../../lib/io/read-bytes.ts";
import { isTime } from "../../lib/io/time.ts";

/** What lies in dead/ under a name: whatever somebody dropped. `nothing`: only a reason is left. */
export type DeadKind = "file" | "folder" | "link" | "pipe" | "socket" | "device" | "nothing";

/** What is told of why it is there. */
export interface DeadReason {
  readonly code: string;
  readonly reason: string;
  /** Where it lay before; undefined when it is not told. */
  readonly from: string | undefined;
  /** The id of the verdict that its death published; undefined: none. */
  readonly verdictId: string | undefined;
}

export interface DeadEntry {
  /** Its name in dead/. */
  readonly file: string;
  readonly path: string;
  readonly kind: DeadKind;
  readonly bytes: number;
  /** When it died; where that is not told, when it came. */
  readonly at: Date;
  /** Undefined when nobody wrote one, or none that can be read. */
  readonly reason: DeadReason | undefined;
}

/** A reason holds a verdict, which holds what its job said. */
const MAX_REASON_BYTES = 16 * 1024 * 1024;

/** Everything in dead/, newest first. Opens no link and no pipe, and looks into no folder. */
export function listDead(paths: StatePaths): DeadEntry[] {
  const names = new Set(listDir(paths.dead));
  // What was dropped may itself be named like a reason; then it has one of its own, or is no file.
  const isReason = (name: string) =>
    name.endsWith(REASON_SUFFIX) &&
    !names.has(name + REASON_SUFFIX) &&
    findStats(join(paths.dead, name))?.isFile() === true;
  const files = [...names].map((name) => (isReason(name) ? name.slice(0, -REASON_SUFFIX.length) : name));
  return [...new Set(files)]
    .flatMap((file) => findEntry(file, paths) ?? [])
    .sort((a, b) => b.at.getTime() - a.at.getTime() || (a.file < b.file ? -1 : 1));
}

/** Undefined when it has gone meanwhile. */
function findEntry(file: string, paths: StatePaths): DeadEntry | undefined {
  const path = join(paths.dead, file);
  const stats = findStats(path);
  const told = findStats(path + REASON_SUFFIX);
  // A rename sets the time of the change: that is when it came.
  const came = stats?.ctime ?? told?.ctime;
  if (came === undefined) return undefined;
  const { at, reason } = told === undefined ? {} : readReason(path + REASON_SUFFIX);
  return { file, path, kind: stats ? getKind(stats) : "nothing", bytes: stats?.size ?? 0, at: at ?? came, reason };
}

/** What a reason in dead/ tells; nothing where none can be read. */
export function readReason(path: string): { readonly at?: Date; readonly reason?: DeadReason } {
  const bytes = readBytes(path, MAX_REASON_BYTES);
  const { code, reason, at, from, verdict } = (typeof bytes === "string" ? {} : parseRow(bytes.toString("utf8"))) ?? {};
  if (typeof code !== "string" || typeof reason !== "string") return {};
  const id = isRow(verdict) ? verdict["id"] : undefined;
  const told = {
    code,
    reason,
    from: typeof from === "string" ? from : undefined,
    verdictId: typeof id === "string" ? id : undefined,
  };
  return { reason: told, ...(isTime(at) && { at: new Date(at) }) };
}

/** A name that is too long for the disk is nobody's. */
function findStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === "ENAMETOOLONG") return undefined;
    throw error;
  }
}

function getKind(stats: Stats): DeadKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  if (stats.isFIFO()) return "pipe";
  return stats.isSocket() ? "socket" : "device";
}

/** The first `maxBytes` of a dead file, of a link where it leads; undefined where there is nothing to read. Throws the system's error. */
export function readDead({ kind, path }: DeadEntry, maxBytes: number): string | undefined {
  if (kind === "link") return readlinkSync(path);
  const bytes = kind === "file" ? readBytes(path, maxBytes) : "ENOTREG";
  return typeof bytes === "string" ? undefined : bytes.toString("utf8");
}

/**
 * Removes it and, last, its reason; that it is gone already is fine. Gives in a sentence why it stays: a folder that holds
 * something is not ours to empty. Throws the system's error.
 */
export function removeDead({ path, kind }: DeadEntry): string | undefined {
  try {
    if (kind === "folder") rmdirSync(path);
    else unlinkSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOTEMPTY" || code === "EEXIST")
      return `expected a file or an empty folder, got a folder that holds something; look into ${path} and remove it`;
    if (code !== "ENOENT") throw error;
  }
  unlinkQuietly(path + REASON_SUFFIX);
  return undefined;
}
