import { lstatSync } from "node:fs";
import { join } from "node:path";
import { probeInstance, readInstances, type Instance } from "../../lib/io/instance.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { REASON_SUFFIX, type StatePaths } from "../../lib/io/paths.ts";
import { readHealth, readWatcherHealth, type HealthView } from "../health/health.ts";
import { isJobName } from "../inbox/job-name.ts";
import { readRun, type Run } from "../state/run-file.ts";
import { readLimits, type Asking, type Limits } from "./read-limits.ts";

/** A watcher that runs, or one of another machine or container that may. */
export interface WatcherStatus extends Instance {
  readonly liveness: "alive" | "unknown";
  /** What it last said of itself; null when it has said nothing yet. */
  readonly health: HealthView | null;
}

/** The queue and its watchers at one moment. */
export interface Status extends Limits {
  readonly watchers: readonly WatcherStatus[];
  /** The runners that are being asked. */
  readonly runs: readonly Run[];
  readonly counts: Readonly<Record<"inbox" | "claimed" | "dead" | "undelivered" | "outbox", number>>;
  /** When the oldest job in the inbox was last changed; null when none waits. */
  readonly oldestJobAt: Date | null;
  /** The newest health of any watcher, also of one that has ended. */
  readonly health: HealthView | null;
  /** Names in the inbox that are no job's, hidden ones apart. */
  readonly ignored: readonly string[];
}

/** Throws the system's error when a folder, a claim or a lock cannot be read. */
export function readStatus(paths: StatePaths, asking: Asking, now: Date): Status {
  const names = listDir(paths.inbox);
  const jobs = names.filter(isJobName);
  const folders = listDir(paths.claimed).map((name) => join(paths.claimed, name));
  const health = readHealth(paths) ?? null;
  return {
    watchers: readInstances(paths).flatMap((instance) => {
      const liveness = probeInstance(instance);
      return liveness === "dead" ? [] : [{ ...instance, liveness, health: findHealth(paths, instance, health) }];
    }),
    runs: folders.flatMap((folder) => findIds(folder, /^(.+)\.run\.json$/).flatMap((id) => readRun(folder, id) ?? [])),
    counts: {
      inbox: jobs.length,
      claimed: folders.flatMap((folder) => findIds(folder, /^([A-Za-z0-9_-]+)\.json$/)).length,
      dead: listDir(paths.dead).filter((name) => !name.endsWith(REASON_SUFFIX)).length,
      undelivered: listDir(paths.undelivered).flatMap((key) => listDir(join(paths.undelivered, key))).length,
      outbox: listDir(paths.outbox).filter((name) => !name.startsWith(".")).length,
    },
    oldestJobAt: findOldest(jobs.map((name) => join(paths.inbox, name))),
    health,
    ignored: names.filter((name) => !isJobName(name) && !name.startsWith(".")).sort(),
    ...readLimits(paths, jobs, asking, now),
  };
}

/** Its own, or the newest of all where that is its: older watchers write that alone. */
function findHealth(paths: StatePaths, { name }: Instance, newest: HealthView | null): HealthView | null {
  return readWatcherHealth(paths, name) ?? (newest?.instance === name ? newest : null);
}

function findIds(folder: string, pattern: RegExp): string[] {
  return listDir(folder).flatMap((name) => pattern.exec(name)?.[1] ?? []);
}

function findOldest(files: readonly string[]): Date | null {
  const times = files.flatMap((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? null : new Date(times.reduce((oldest, time) => Math.min(oldest, time)));
}
