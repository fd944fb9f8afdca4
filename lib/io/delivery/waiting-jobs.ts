import { lstatSync } from "node:fs";
import { join } from "node:path";
import { findText, parseRow } from "../../transcript/row.ts";
import { listInstanceNames, probeInstance, readInstance } from "../instance.ts";
import { listDir } from "../list-dir.ts";
import type { StatePaths } from "../paths.ts";
import { findSmallText } from "../read-small-file.ts";
import { getTranscriptKey } from "../transcript-key.ts";

/** A watcher that runs takes a job at once; one that is restarted takes it within a minute. */
const PATIENCE_MS = 10 * 60_000;
/** So many files are looked at within a turn. */
const MAX_LOOKS = 200;
const MAX_BYTES = 2 * 1024 * 1024;

/** Whether a job of the transcript has waited long and every watcher is known to be dead. Never throws for a broken file. */
export function isWaitingInVain(transcriptKey: string, paths: StatePaths, now: Date): boolean {
  return hasOldJob(transcriptKey, paths, now) && !mayBeWatched(paths);
}

/** A watcher that cannot be seen from here, in a container or on another machine, counts as there. */
function mayBeWatched(paths: StatePaths): boolean {
  return listInstanceNames(paths).some((name) => {
    try {
      const instance = readInstance(paths, name);
      return instance !== undefined && probeInstance(instance) !== "dead";
    } catch {
      return true;
    }
  });
}

/** In the inbox, or left by a watcher that died over it: the next one takes it back. */
function hasOldJob(transcriptKey: string, { inbox, claimed, reclaim }: StatePaths, now: Date): boolean {
  const left = [claimed, reclaim].flatMap((folder) => listDir(folder).map((name) => join(folder, name)));
  return [inbox, ...left]
    .flatMap((folder) => listJobs(folder))
    .slice(0, MAX_LOOKS)
    .some((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined || !stats.isFile() || stats.size > MAX_BYTES) return false;
      return now.getTime() - stats.mtimeMs > PATIENCE_MS && findKey(path) === transcriptKey;
    });
}

/** `<id>.run.json` beside a claimed job is the runner's. */
function listJobs(folder: string): readonly string[] {
  return listDir(folder)
    .filter((name) => /^[\w-]+\.json$/.test(name))
    .map((name) => join(folder, name));
}

/** A job that was dropped by hand need not name its key. */
function findKey(path: string): string | undefined {
  const { transcript_key, transcript } = parseRow(readOrEmpty(path)) ?? {};
  const file = findText(transcript);
  return findText(transcript_key) ?? (file === undefined ? undefined : getTranscriptKey(file));
}

function readOrEmpty(path: string): string {
  try {
    return findSmallText(path, MAX_BYTES) ?? "";
  } catch {
    return "";
  }
}
