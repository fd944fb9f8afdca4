import { join } from "node:path";
import type { Instance } from "../../lib/io/instance.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { REASON_SUFFIX, type StatePaths } from "../../lib/io/paths.ts";
import { makePrivateDir, replaceFile, unlinkQuietly } from "../../lib/io/publish-file.ts";
import { isJobEvent, type EventBus } from "../events.ts";
import { advance, type JobState } from "../lifecycle.ts";
import { readRun } from "../state/run-file.ts";
import type { Complaints } from "./complaints.ts";
import { createFileCounter } from "./count-files.ts";
import { getHealthPath, HEALTH_INTERVAL_MS, type Health, type RunningJob } from "./health.ts";
import { measureLoopLag } from "./loop-lag.ts";
import { addToTally, emptyTally, type Tally } from "./tally.ts";

export interface HealthReport {
  getTally(): Tally;
  /** Notes a look into the inbox. */
  scanned(waiting: number): void;
  /** How long ago that was, in ms of a clock that nobody sets; before the first look, since the start. */
  getScanAge(): number;
  close(): void;
}

export interface HealthReportOptions {
  readonly paths: StatePaths;
  readonly instance: Instance;
  readonly bus: EventBus;
  readonly now: () => Date;
  readonly complaints: Complaints;
}

const WRITING = "writing the health file";

/** Listens to what the watcher does and writes its health every 5 s, when something begins or ceases to be wrong, and at the end. */
export function startHealthReport({ paths, instance, bus, now, complaints }: HealthReportOptions): HealthReport {
  let tally = emptyTally;
  let waiting = 0;
  let lastScanAt: string | null = null;
  let scannedMs = performance.now();
  const jobs = trackJobs(bus, join(paths.claimed, instance.name), now);
  const countFiles = createFileCounter();
  const ownPath = getHealthPath(paths, instance.name);
  const lagMeter = measureLoopLag();
  let lagMs = 0;
  const unsubscribe = bus.subscribe((event) => {
    const { problems } = tally;
    tally = addToTally(tally, event, now().toISOString());
    // What could not be written is not written for that.
    if (tally.problems !== problems && !(event.event === "watcher:error" && event.what === WRITING)) write();
  });

  function getHealth(): Health {
    return {
      at: now().toISOString(),
      pid: instance.pid,
      instance: instance.name,
      version: instance.version,
      started_at: instance.startedAt,
      last_scan_at: lastScanAt,
      loop_lag_ms: lagMs,
      waiting,
      queue: {
        inbox: countFiles(paths.inbox),
        dead: countFiles(paths.dead, (name) => !name.endsWith(REASON_SUFFIX)),
        outbox: countFiles(paths.outbox),
      },
      running: jobs.listRunning(),
      counts: tally.counts,
      last_error: tally.lastError,
      problems: tally.problems,
    };
  }

  function write(): void {
    try {
      const text = `${JSON.stringify(getHealth())}\n`;
      makePrivateDir(paths.watcherHealth);
      // A loss of these matters to nobody: the next ones come in 5 s.
      replaceFile(ownPath, text);
      replaceFile(paths.health, text);
      complaints.worked(WRITING);
    } catch (error) {
      complaints.failed(WRITING, error);
    }
  }

  write();
  const timer = setInterval(() => {
    lagMs = lagMeter.take();
    write();
  }, HEALTH_INTERVAL_MS);
  return {
    getTally: () => tally,
    scanned(count) {
      waiting = count;
      lastScanAt = now().toISOString();
      scannedMs = performance.now();
    },
    getScanAge: () => performance.now() - scannedMs,
    close() {
      clearInterval(timer);
      unsubscribe();
      write();
      lagMeter.close();
      unlinkQuietly(ownPath);
    },
  };
}

/** The jobs that this watcher holds, by what it says of them and by what lies in its folder of claims. */
function trackJobs(bus: EventBus, claims: string, now: () => Date): { listRunning(): readonly RunningJob[] } {
  const jobs = new Map<string, { readonly state: JobState; readonly since: string }>();
  bus.subscribe((event) => {
    if (!isJobEvent(event)) return;
    const known = jobs.get(event.id);
    const state = advance(known?.state ?? { at: "queued" }, event);
    const since = known?.state.at === state.at ? known.since : now().toISOString();
    if (state.at === "claimed" || state.at === "running") jobs.set(event.id, { state, since });
    else jobs.delete(event.id);
  });
  return {
    listRunning() {
      const held = new Set(jobs.size === 0 ? [] : listDir(claims));
      // Where a claim that went away was never told of, what lies on disk is right.
      for (const id of jobs.keys()) if (!held.has(`${id}.json`)) jobs.delete(id);
      return [...jobs].flatMap(([id, { state, since }]) =>
        state.at === "running" ? [{ id, since, limit_seconds: readRun(claims, id)?.limitSeconds ?? null }] : [],
      );
    },
  };
}
