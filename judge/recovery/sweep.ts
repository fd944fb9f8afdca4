import { lstatSync, rmdirSync, type Stats } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { REASON_SUFFIX, type StatePaths } from "../../lib/io/paths.ts";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import { ANSWER_AGE_MS } from "../question/answers.ts";
import { buryStranger, type Death } from "../dead/bury.ts";
import { getVerdictExpiry } from "../inbox/expiry.ts";
import { getClaimId, getStem, isJobName } from "../inbox/job-name.ts";
import { readVerdict } from "../outbox.ts";
import { forEachSliced } from "./slices.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** What a crash leaves. The clock may be set forward by an hour while such a file is being written. */
const LEFTOVER_MS = 2 * HOUR_MS;
/** What is no job is left alone so long: a program may still be copying it. */
const STRANGER_MS = DAY_MS;
/** A verdict is kept so long, delivered or not, and until its job has expired: a file of the same id that comes later is answered by it. */
const VERDICT_MS = 14 * DAY_MS;
/** So long a person may look at what died. */
const DEAD_MS = 30 * DAY_MS;

/** What `writeTemporary` leaves when the process is killed in the middle. */
const LEFTOVER = /\.\d+\.[0-9a-z]{1,8}\.tmp$/;

export interface SweepOptions {
  readonly paths: StatePaths;
  readonly now: Date;
  /** Ends it early. */
  readonly signal: AbortSignal;
  /** Hears of what was moved to dead/. */
  readonly onBurial: (death: Death) => void;
}

/**
 * Removes what nobody will ask for any more, and moves what is no job out of the inbox. Never looks behind a symbolic link, and lets other
 * work go on in between. Times are those of the file system and of `now`; an hour's difference between them changes nothing.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  const { paths } = options;
  const { root, tmp, inbox, outbox, instances, watcherHealth, attempts, answers, labels } = paths;
  const isLeftover = (name: string) => LEFTOVER.test(name);
  for (const dir of [
    root,
    tmp,
    inbox,
    outbox,
    instances,
    watcherHealth,
    attempts,
    answers,
    labels,
    join(root, "run"),
  ]) {
    await removeOlder(dir, isLeftover, LEFTOVER_MS, options);
  }
  await removeOlder(answers, (name) => /^[0-9a-f]{64}\.json$/.test(name), ANSWER_AGE_MS, options);
  await sweepAttempts(options);
  await sweepVerdicts(options);
  await sweepDead(options);
  await buryStrangers(options);
}

/** Of jobs that were removed by hand. A job that moves while this looks loses nothing but the count of its earlier attempts. */
async function sweepAttempts(options: SweepOptions): Promise<void> {
  const { attempts, inbox, claimed, reclaim } = options.paths;
  const folders = [claimed, reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)));
  const ids = new Set([...folders, inbox].flatMap(listDir).filter(isJobName).map(getClaimId));
  await removeOlder(attempts, (name) => !ids.has(name), LEFTOVER_MS, options);
}

async function sweepVerdicts(options: SweepOptions): Promise<void> {
  const { paths, now } = options;
  const hasExpired = (name: string) => {
    const verdict = readVerdict(paths, getStem(name));
    return verdict === undefined || getVerdictExpiry(verdict) <= now.getTime();
  };
  await removeOlder(paths.outbox, isJson, VERDICT_MS, options, hasExpired);
  const homes = listOwn(paths.undelivered).map((key) => join(paths.undelivered, key));
  for (const home of homes) {
    await removeOlder(home, isJson, VERDICT_MS, options);
    removeOldFolder(home, now.getTime() - VERDICT_MS);
  }
}

/** A file and its reason go together, a directory with all that is in it. A move changes ctime: they count from their death. */
async function sweepDead({ paths, now, signal }: SweepOptions): Promise<void> {
  const { dead } = paths;
  const oldest = now.getTime() - DEAD_MS;
  const isOld = (name: string) => {
    const stats = lstat(join(dead, name));
    return stats === undefined || Math.max(stats.ctimeMs, stats.mtimeMs) < oldest;
  };
  const old: string[] = [];
  const names = listOwn(dead);
  const files = new Set(
    names.map((name) => (name.endsWith(REASON_SUFFIX) ? name.slice(0, -REASON_SUFFIX.length) : name)),
  );
  await forEachSliced(
    [...files],
    (file) => void (isOld(file) && isOld(file + REASON_SUFFIX) && old.push(file)),
    signal,
  );
  for (const file of old) {
    if (signal.aborted) return;
    for (const name of [file, file + REASON_SUFFIX]) await rm(join(dead, name), { recursive: true, force: true });
  }
}

async function buryStrangers({ paths, now, signal, onBurial }: SweepOptions): Promise<void> {
  const failures: unknown[] = [];
  const bury = (name: string) => {
    if (isJobName(name) || LEFTOVER.test(name)) return;
    const stats = lstat(join(paths.inbox, name));
    if (stats === undefined || now.getTime() - Math.max(stats.ctimeMs, stats.mtimeMs) < STRANGER_MS) return;
    try {
      const death = buryStranger(name, now, paths);
      if (death !== undefined) onBurial(death);
    } catch (error) {
      failures.push(error);
    }
  };
  await forEachSliced(listDir(paths.inbox), bury, signal);
  if (failures.length > 0) throw failures[0];
}

/** Of a transcript that has nothing to be told. */
function removeOldFolder(path: string, oldest: number): void {
  const stats = lstat(path);
  if (stats === undefined || stats.mtimeMs >= oldest) return;
  try {
    rmdirSync(path);
  } catch {
    // Something is in it.
  }
}

/** Files only: what else lies there is not ours. `isOver` is asked last. */
async function removeOlder(
  dir: string,
  test: (name: string) => boolean,
  maxAgeMs: number,
  { now, signal }: SweepOptions,
  isOver: (name: string) => boolean = () => true,
): Promise<void> {
  const oldest = now.getTime() - maxAgeMs;
  const remove = (name: string) => {
    const path = join(dir, name);
    const stats = lstat(path);
    if (stats?.isFile() === true && stats.mtimeMs < oldest && isOver(name)) unlinkQuietly(path);
  };
  await forEachSliced(listOwn(dir).filter(test), remove, signal);
}

/** The names in a folder of ours; what a link leads to is not. */
function listOwn(dir: string): string[] {
  return lstat(dir)?.isDirectory() === true ? listDir(dir) : [];
}

function lstat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isJson(name: string): boolean {
  return name.endsWith(".json");
}
