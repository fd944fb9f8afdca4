import { lstatSync } from "node:fs";
import { join } from "node:path";
import { probeInstance, readInstances, type Instance } from "../lib/io/instance.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { MAX_HEALTH_AGE_MS, readHealth, type HealthView } from "./health/health.ts";
import { isJobName } from "./inbox/inbox.ts";
import { readRun, type Run } from "./state/run-file.ts";

/** The queue and its watchers at one moment. */
export interface Status {
  /** Those that run, and those of other machines or containers that may. */
  readonly watchers: readonly (Instance & { readonly liveness: "alive" | "unknown" })[];
  /** The runners that are being asked. */
  readonly runs: readonly Run[];
  readonly counts: Readonly<Record<"inbox" | "claimed" | "dead" | "undelivered" | "outbox", number>>;
  /** When the oldest job in the inbox was last changed; null when none waits. */
  readonly oldestJobAt: Date | null;
  readonly health: HealthView | null;
}

export function readStatus(paths: StatePaths): Status {
  const jobs = listDir(paths.inbox).filter(isJobName);
  const folders = listDir(paths.claimed).map((name) => join(paths.claimed, name));
  return {
    watchers: readInstances(paths).flatMap((instance) => {
      const liveness = probeInstance(instance);
      return liveness === "dead" ? [] : [{ ...instance, liveness }];
    }),
    runs: folders.flatMap((folder) => findIds(folder, /^(.+)\.run\.json$/).flatMap((id) => readRun(folder, id) ?? [])),
    counts: {
      inbox: jobs.length,
      claimed: folders.flatMap((folder) => findIds(folder, /^([A-Za-z0-9_-]+)\.json$/)).length,
      dead: listDir(paths.dead).filter((name) => !name.endsWith(".reason.json")).length,
      undelivered: listDir(paths.undelivered).flatMap((key) => listDir(join(paths.undelivered, key))).length,
      outbox: listDir(paths.outbox).filter((name) => !name.startsWith(".")).length,
    },
    oldestJobAt: findOldest(jobs.map((name) => join(paths.inbox, name))),
    health: readHealth(paths) ?? null,
  };
}

/** What a person should do something about; undefined: nothing. */
export function findStatusProblem({ watchers, counts, health }: Status, now: Date): string | undefined {
  const waiting = counts.inbox + counts.claimed;
  if (watchers.length === 0) {
    return waiting === 0
      ? undefined
      : `${waiting} ${waiting === 1 ? "job waits" : "jobs wait"} and no watcher runs; start one with \`catstack watch\``;
  }
  const startedAt = Math.min(...watchers.map((watcher) => Date.parse(watcher.startedAt)));
  const lastSign = Math.max(startedAt, health === null ? 0 : Date.parse(health.at));
  const age = now.getTime() - lastSign;
  if (age <= MAX_HEALTH_AGE_MS) return undefined;
  return `the watcher's last sign of life is ${Math.round(age / 1000)} s old, expected one every 5 s; restart it`;
}

function findIds(folder: string, pattern: RegExp): string[] {
  return listDir(folder).flatMap((name) => pattern.exec(name)?.[1] ?? []);
}

function findOldest(files: readonly string[]): Date | null {
  const times = files.flatMap((path) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? []);
  return times.length === 0 ? null : new Date(times.reduce((oldest, time) => Math.min(oldest, time)));
}
