import { rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import { getClaimId } from "../claim.ts";
import { isJobName } from "../inbox/inbox.ts";

const HOUR_MS = 60 * 60 * 1000;
/** A verdict is kept so long, delivered or not: a file of the same id that comes later is answered by it. */
const RETENTION_MS = 14 * 24 * HOUR_MS;
/** What `writeTemporary` leaves when the process is killed in the middle. */
const LEFTOVER = /\.\d+\.[0-9a-z]{1,8}\.tmp$/;

/** Removes what nobody will ask for any more: leftovers of crashes and of jobs after an hour, verdicts after 14 days. */
export function sweep(paths: StatePaths, now: Date): void {
  const { root, tmp, inbox, outbox, undelivered, instances, attempts } = paths;
  for (const dir of [tmp, inbox, outbox, instances, attempts, join(root, "run")]) {
    removeOlder(dir, (name) => LEFTOVER.test(name), now.getTime() - HOUR_MS);
  }
  sweepAttempts(paths, now.getTime() - HOUR_MS);
  const oldest = now.getTime() - RETENTION_MS;
  const homes = listDir(undelivered).map((key) => join(undelivered, key));
  for (const dir of [outbox, ...homes]) removeOlder(dir, (name) => name.endsWith(".json"), oldest);
  for (const home of homes) removeOldFolder(home, oldest);
}

/** Of jobs that were removed by hand. A job that moves while this looks loses nothing but the count of its earlier attempts. */
function sweepAttempts({ attempts, inbox, claimed, reclaim }: StatePaths, oldest: number): void {
  const folders = [claimed, reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)));
  const ids = new Set([...folders, inbox].flatMap(listDir).filter(isJobName).map(getClaimId));
  removeOlder(attempts, (name) => !ids.has(name), oldest);
}

/** Of a transcript that has nothing to be told. */
function removeOldFolder(path: string, oldest: number): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.mtimeMs >= oldest) return;
  try {
    rmdirSync(path);
  } catch {
    // Something is in it.
  }
}

function removeOlder(dir: string, test: (name: string) => boolean, oldest: number): void {
  for (const name of listDir(dir)) {
    const path = join(dir, name);
    if (!test(name)) continue;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === true && stats.mtimeMs < oldest) unlinkQuietly(path);
  }
}
