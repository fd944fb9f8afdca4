import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findText, parseRow } from "../transcript/row.ts";
import { parseIdentity } from "./delivering.ts";
import { listDir } from "./list-dir.ts";
import type { StatePaths } from "./paths.ts";
import { probeLiveness } from "./process-identity.ts";

/** A watcher that runs takes a job at once; one that is restarted takes it within a minute. */
const PATIENCE_MS = 10 * 60_000;
/** So many files are looked at within a turn. */
const MAX_LOOKS = 200;
const MAX_BYTES = 2 * 1024 * 1024;

/** Whether a job of the transcript has waited long and no watcher is there to take it. Never throws for a broken file. */
export function isWaitingInVain(transcriptKey: string, paths: StatePaths, now: Date): boolean {
  return hasOldJob(transcriptKey, paths, now) && !hasWatcher(paths);
}

function hasOldJob(transcriptKey: string, { inbox }: StatePaths, now: Date): boolean {
  return listDir(inbox)
    .filter((name) => name.endsWith(".json"))
    .slice(0, MAX_LOOKS)
    .some((name) => {
      const path = join(inbox, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isFile() || stats.size > MAX_BYTES) return false;
      return now.getTime() - stats.mtimeMs > PATIENCE_MS && findKey(path) === transcriptKey;
    });
}

/** A watcher that cannot be seen from here, in a container or on another machine, counts as there. */
function hasWatcher({ instances }: StatePaths): boolean {
  return listDir(instances).some((name) => {
    const identity = name.endsWith(".json") ? parseIdentity(readOrEmpty(join(instances, name))) : undefined;
    return identity !== undefined && probeLiveness(identity) !== "dead";
  });
}

function findKey(path: string): string | undefined {
  return findText(parseRow(readOrEmpty(path))?.["transcript_key"]);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
