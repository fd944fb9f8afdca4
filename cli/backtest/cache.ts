import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makePrivateDir, replaceFile, unlinkQuietly } from "../../lib/io/publish-file.ts";
import { findSmallText } from "../../lib/io/read-small-file.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import type { SessionResult } from "./firing.ts";
import { parseSessionResult } from "./parse-session-result.ts";
import type { TranscriptFile } from "./find-transcripts.ts";

/** What earlier runs have found out, one file a transcript. It may be deleted at any time. */
export interface ResultCache {
  find(file: TranscriptFile): SessionResult | undefined;
  keep(file: TranscriptFile, result: SessionResult): void;
  /** Forgets what nobody has asked to keep for long. */
  prune(now: Date): void;
}

const MAX_BYTES = 64 * 1024 * 1024;
const KEPT_MS = 60 * 24 * 60 * 60 * 1000;

/** `code` names the program that made the results, `hookIds` the hooks that they are of: others are not used. Nothing is thrown. */
export function openResultCache({ cache }: StatePaths, code: string, hookIds: readonly string[]): ResultCache {
  const folder = join(cache, "backtest");
  const made = `${code} ${hookIds.join(" ")}`;
  const getPath = ({ path }: TranscriptFile): string =>
    join(folder, `${shortHash(`${hookIds.join(" ")} ${path}`)}.json`);
  return {
    find(file) {
      try {
        return parseSessionResult(findSmallText(getPath(file), MAX_BYTES) ?? "", `${made} ${file.stamp}`);
      } catch {
        return undefined;
      }
    },
    keep(file, result) {
      try {
        makePrivateDir(folder);
        replaceFile(getPath(file), JSON.stringify({ of: `${made} ${file.stamp}`, result }));
      } catch {
        // The next run reads the transcript again.
      }
    },
    prune(now) {
      try {
        for (const name of listDir(folder)) {
          const path = join(folder, name);
          const stat = statSync(path, { throwIfNoEntry: false });
          if (stat !== undefined && now.getTime() - stat.mtimeMs > KEPT_MS) unlinkQuietly(path);
        }
      } catch {
        // Old results cost a little space.
      }
    },
  };
}

/** Names a program by its text: the bundle is a single file. */
export function getCodeName(program: string): string {
  return createHash("sha256").update(readFileSync(program)).digest("hex").slice(0, 16);
}
