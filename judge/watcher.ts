import { listDir } from "../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../lib/io/paths.ts";
import { EXIT_INTERNAL } from "./supervision/exit-codes.ts";
import { createEventBus, type Listener } from "./events.ts";
import { createComplaints } from "./health/complaints.ts";
import { MAX_HEALTH_AGE_MS } from "./health/health.ts";
import { startHealthReport } from "./health/report-health.ts";
import type { Tally } from "./health/tally.ts";
import { isJobName } from "./inbox/job-name.ts";
import { enter } from "./presence.ts";
import { openQueue, type Queue } from "./queue.ts";
import type { JudgeSettings, JudgeSettingsResult } from "./settings.ts";
import { createShutdown, type StopRequest } from "./supervision/shutdown.ts";
import { prepareState } from "./state/prepare-state.ts";
import { holdSettings } from "./supervision/hold-settings.ts";
import { startNotifier } from "./supervision/notify.ts";

export interface WatcherOptions {
  readonly paths: StatePaths;
  readonly env: Env;
  readonly settings: JudgeSettings;
  /** End when there is nothing left to do, or with 75 when something fails whatever is tried. */
  readonly once: boolean;
  /** End when nothing ran, waited or was to be cleaned up for so long, in ms; absent: never. */
  readonly idleExitMs?: number | undefined;
  readonly now: () => Date;
  readonly listeners: readonly Listener[];
  /** Hears of a listener that threw, such as a log that cannot be written. */
  readonly report: (error: unknown) => void;
  /** How long running jobs may go on after `stop`, in ms. */
  readonly graceMs: number;
}

export interface WatcherEnd extends StopRequest {
  readonly tally: Tally;
  /** Job files that are still in the inbox. */
  readonly left: number;
}

export interface Watcher {
  /** Claims nothing any more, lets what runs go on for the time of grace, then ends it and gives the attempt back. */
  stop(reason: string): void;
  /** As `stop`, but what runs is waited for, however long that takes: an answer that was paid for is not thrown away. */
  retire(reason: string, code: number): void;
  /** As `stop`, but what runs is killed at once. */
  kill(reason: string): void;
  /** After an error of our own that nobody caught: gives back what it can, and ends with 70 whatever was asked before. */
  fail(error: unknown): void;
  /** Goes on with settings that were read again; what runs is not disturbed. Broken ones change nothing. */
  apply(read: JudgeSettingsResult): void;
  readonly ended: Promise<WatcherEnd>;
}

/** Starts a watcher; it is ready when this resolves. Rejects with the system's error where the state directory is of no use. */
export async function startWatcher(options: WatcherOptions): Promise<Watcher> {
  const { paths, env, once, idleExitMs, now } = options;
  prepareState(paths);
  const bus = createEventBus(options.report);
  for (const listener of options.listeners) bus.subscribe(listener);
  const { emit } = bus;
  const complaints = createComplaints(emit);
  const shutdown = createShutdown(options.graceMs);
  const settings = holdSettings(options.settings, emit, complaints);
  const presence = await enter(paths, now(), onCompromised);
  const { instance } = presence;
  const health = startHealthReport({ paths, instance, bus, now, complaints });
  const isFresh = () => health.getScanAge() <= MAX_HEALTH_AGE_MS;
  const notifier = startNotifier({ env, pid: instance.pid, bus, complaints, isFresh });
  const shared = { paths, env, once, idleExitMs, now, bus, complaints, shutdown, presence, health };
  let queue: Queue;
  let hasFailed = false;
  try {
    queue = await openQueue({ ...shared, getSettings: settings.get });
  } catch (error) {
    await leave();
    throw error;
  }
  const { concurrency } = settings.get();
  emit({ event: "watcher:ready", instance: instance.name, inbox: paths.inbox, concurrency });
  return { stop: shutdown.request, retire, kill, fail, apply, ended: shutdown.requested.then(end) };

  function apply(read: JudgeSettingsResult): void {
    settings.apply(read);
    queue.ring();
  }

  function retire(reason: string, code: number): void {
    emit({ event: "watcher:note", message: `${reason}: nothing more is claimed, and what runs is waited for` });
    shutdown.retire({ reason, code });
    queue.ring();
  }

  function kill(reason: string): void {
    emit({ event: "watcher:note", message: `${reason}: what runs is ended at once` });
    shutdown.kill(reason);
  }

  function fail(error: unknown): void {
    hasFailed = true;
    const message = (error instanceof Error ? error.stack : undefined) ?? String(error);
    emit({ event: "watcher:error", what: "the watcher itself", message });
    shutdown.kill(`an error that nobody expected: ${String(error)}`, EXIT_INTERNAL);
  }

  function onCompromised(error: Error): void {
    complaints.failed("the locks", error);
    shutdown.compromise("a lock was taken away");
  }

  /** Stops the clocks and removes what shows others that we live. */
  async function leave(): Promise<void> {
    shutdown.close();
    health.close();
    await presence.leave(!shutdown.isCompromised());
    await notifier.close();
  }

  async function end({ code: asked, reason }: StopRequest): Promise<WatcherEnd> {
    emit({ event: "watcher:stopping", code: asked, reason });
    await queue.close();
    const left = listDir(paths.inbox).filter(isJobName).length;
    await leave();
    const code = hasFailed ? EXIT_INTERNAL : asked;
    emit({ event: "watcher:stop", instance: instance.name, code, reason });
    return { code, reason, tally: health.getTally(), left };
  }
}
