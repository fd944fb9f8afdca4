import { readdirSync, statSync, type BigIntStats } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "../../lib/io/error-code.ts";
import { getHome, type Env } from "../../lib/io/paths.ts";
import { describeState } from "../describe-error.ts";

/** A file that may be a session's. */
export interface TranscriptFile {
  /** Absolute. */
  readonly path: string;
  /** Device and inode, size and the time of the last change: a file with the same stamp holds the same text. */
  readonly stamp: string;
  readonly bytes: number;
  /** Ms since 1970. */
  readonly changedAt: number;
}

export interface FoundFiles {
  /** Each file once, by path. */
  readonly files: readonly TranscriptFile[];
  /** What could not be looked at, a line each. */
  readonly problems: readonly string[];
}

/** Where Claude Code, Codex and Cursor keep their sessions. */
export function getSessionDirs(env: Env): readonly string[] {
  const home = getHome(env);
  return [
    join(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude"), "projects"),
    join(env["CODEX_HOME"] || join(home, ".codex"), "sessions"),
    join(home, ".cursor", "projects"),
  ];
}

/** The `.jsonl` files below the folders, and files that are named themselves. Links within the folders are not followed. */
export function findTranscripts(places: readonly string[]): FoundFiles {
  const found = new Map<string, TranscriptFile>();
  const problems: string[] = [];
  const attempt = (path: string, look: () => void): void => {
    try {
      look();
    } catch (error) {
      problems.push(`expected to be able to read ${path}, ${describeState(error)}`);
    }
  };

  function addFile(path: string, stat: BigIntStats): void {
    const { dev, ino, size, mtimeNs, mtimeMs } = stat;
    const id = `${dev}:${ino}`;
    const stamp = `${id}:${size}:${mtimeNs}`;
    if (!found.has(id)) found.set(id, { path, stamp, bytes: Number(size), changedAt: Number(mtimeMs) });
  }

  function addFolder(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) attempt(path, () => addFolder(path));
      if (!entry.isFile() || !entry.name.endsWith(".jsonl")) continue;
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stat !== undefined) addFile(path, stat);
    }
  }

  for (const place of places.map((each) => resolve(each))) {
    attempt(place, () => {
      const stat = statSync(place, { bigint: true });
      if (stat.isDirectory()) addFolder(place);
      else if (stat.isFile()) addFile(place, stat);
      else problems.push(`expected a transcript at ${place}, got no file; name a file or a folder`);
    });
  }
  const files = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems };
}

/** Those of the folders that are there. */
export function selectExisting(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => {
    try {
      return statSync(folder).isDirectory();
    } catch (error) {
      return errorCode(error) !== "ENOENT";
    }
  });
}
