import type { Instance } from "../../lib/io/instance.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import type { Complaints } from "./complaints.ts";
import { isJobEvent, type EventBus } from "../events.ts";
import { HEALTH_INTERVAL_MS, type Health } from "./health.ts";
import { advance, type JobState } from "../lifecycle.ts";
import { addToTally, emptyTally, type Tally } from "./tally.ts";

export interface HealthReport {
  getTally(): Tally;
  /** Notes a look into the inbox. */
  scanned(waiting: number): void;
  close(): void;
}

export interface HealthReportOptions {
  readonly paths: StatePaths;
  readonly instance: Instance;
  readonly bus: EventBus;
  readonly now: () => Date;
  readonly complaints: Complaints;
}

/** Listens to what the watcher does and writes `run/health.json` every 5 s. */
export function startHealthReport({ paths, instance, bus, now, complaints }: HealthReportOptions): HealthReport {
  let tally = emptyTally;
  let waiting = 0;
  let lastScanAt: string | null = null;
  const states = new Map<string, JobState>();

  bus.subscribe((event) => {
    tally = addToTally(tally, event, now().toISOString());
    if (!isJobEvent(event)) return;
    const state = advance(states.get(event.id) ?? { at: "queued" }, event);
    if (state.at === "claimed" || state.at === "running") states.set(event.id, state);
    else states.delete(event.id);
  });

  function write(): void {
    const health: Health = {
      at: now().toISOString(),
      pid: instance.pid,
      instance: instance.name,
      version: instance.version,
      started_at: instance.startedAt,
      last_scan_at: lastScanAt,
      waiting,
      running: [...states].flatMap(([id, { at }]) => (at === "running" ? [id] : [])),
      counts: tally.counts,
      last_error: tally.lastError,
    };
    try {
      // A loss of this file matters to nobody: the next one comes in 5 s.
      replaceFile(paths.health, `${JSON.stringify(health)}\n`);
      complaints.worked("writing the health file");
    } catch (error) {
      complaints.failed("writing the health file", error);
    }
  }

  write();
  const timer = setInterval(write, HEALTH_INTERVAL_MS);
  return {
    getTally: () => tally,
    scanned(count) {
      waiting = count;
      lastScanAt = now().toISOString();
    },
    close: () => clearInterval(timer),
  };
}
