import { closeSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { openRegular, readAt } from "../../lib/io/open-regular.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import { dropOldStarts, type Start } from "./budget.ts";
import { addLines } from "./parse-starts.ts";

/** Reads what was appended since it last read. */
export interface StartsFiles {
  /** The starts of the last day, file by file, each in the order of its lines. Throws when a file cannot be read. */
  read(now: number): readonly (readonly Start[])[];
  /** Gives a file that is full a name of its own, and removes those whose starts are all over. */
  putAside(now: number, suffix: string): void;
}

interface Part {
  readonly offset: number;
  readonly starts: readonly Start[];
}

/** A file of this size is put aside: some 20,000 starts. */
const FULL_BYTES = 1024 * 1024;
/** Nothing of ours is as long, whoever appends before seeing that it is full. */
const MAX_BYTES = 16 * FULL_BYTES;

/** Nothing is ever rewritten or overwritten, so that no line of another watcher is lost. */
export function openStartsFiles({ starts: current }: StatePaths): StartsFiles {
  /** By inode number and birth, which a file keeps when it is put aside; a number alone is given to another file later. */
  let parts = new Map<string, Part>();

  function read(now: number): Start[][] {
    const fresh = new Map<string, Part>();
    // The growing file first: when it is put aside meanwhile, it is met again among the others, and known by its identity.
    readPart(current, fresh);
    for (const path of listAside()) readPart(path, fresh);
    parts = fresh;
    return [...fresh.values()].map(({ starts }) => dropOldStarts(starts, now));
  }

  function readPart(path: string, fresh: Map<string, Part>): void {
    const opened = openRegular(path);
    if (opened === "nothing") return;
    if (opened === "other") throw new Error(`expected a file, got something else (${path}); remove it`);
    const { fd, stats } = opened;
    try {
      const { ino, birthtimeMs, size } = stats;
      const identity = `${ino} ${birthtimeMs}`;
      const known = parts.get(identity);
      const { offset, starts } = known === undefined || known.offset > size ? { offset: 0, starts: [] } : known;
      if (size - offset > MAX_BYTES)
        throw new Error(`expected at most ${MAX_BYTES} bytes, got ${size} (${path}); remove it`);
      const bytes = readAt(fd, offset, size - offset);
      // A last line without an end is being written, or was cut off.
      const end = bytes.lastIndexOf("\n") + 1;
      const text = bytes.subarray(0, end).toString("latin1");
      // The old ones too: a clock that is wrong for a moment must not make them forgotten.
      fresh.set(identity, { offset: offset + end, starts: text === "" ? starts : addLines(starts, text) });
    } finally {
      closeSync(fd);
    }
  }

  function listAside(): string[] {
    const names = listDir(dirname(current)).filter((name) => name.startsWith(`${basename(current)}.`));
    return names.map((name) => join(dirname(current), name));
  }

  return {
    read,
    putAside(now, suffix) {
      if ((statSync(current, { throwIfNoEntry: false })?.size ?? 0) < FULL_BYTES) return;
      renameIfThere(current, `${current}.${suffix}`);
      for (const path of listAside()) {
        const only = new Map<string, Part>();
        readPart(path, only);
        if ([...only.values()].every(({ starts }) => dropOldStarts(starts, now).length === 0)) unlinkQuietly(path);
      }
    },
  };
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
