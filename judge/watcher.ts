import { randomBytes } from "node:crypto";
import { getInstancePath } from "../lib/io/instance.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../lib/io/paths.ts";
import { unlinkQuietly } from "../lib/io/publish-file.ts";
import { openClaims } from "./claim.ts";
import { createComplaints } from "./health/complaints.ts";
import { createDispatcher, type Scan } from "./schedule/dispatch.ts";
import { createEventBus, type Listener } from "./events.ts";
import { isJobName } from "./inbox/inbox.ts";
import { openInboxLoop, type InboxLoop } from "./inbox/inbox-loop.ts";
import { createInstance, writeInstance } from "./state/instance.ts";
import { startJanitor } from "./recovery/janitor.ts";
import { createJobEffects } from "./job-effects.ts";
import { prepareState } from "./state/prepare-state.ts";
import { startHealthReport } from "./health/report-health.ts";
import type { JudgeSettings } from "./settings.ts";
import { createShutdown, EXIT_TEMPORARY, type StopRequest } from "./shutdown.ts";
import type { Tally } from "./health/tally.ts";

export interface WatcherOptions {
  readonly paths: StatePaths;
  readonly env: Env;
  readonly settings: JudgeSettings;
  /** End when there is nothing left to do, or with 75 when something fails whatever is tried. */
  readonly once: boolean;
  readonly now: () => Date;
  readonly listener: Listener;
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
  /** As `stop`, but what runs is killed at once. */
  kill(reason: string): void;
  /** Goes on with other settings; what runs is not disturbed. */
  apply(settings: JudgeSettings): void;
  readonly ended: Promise<WatcherEnd>;
}

/** With `once`, what failed this often in a row is left. */
const MAX_FAILURES = 3;

/** Starts a watcher; it is ready when this resolves. Rejects with the system's error where the state directory is of no use. */
export async function startWatcher(options: WatcherOptions): Promise<Watcher> {
  const { paths, env, once, now } = options;
  let settings = options.settings;
  const getSettings = () => settings;
  prepareState(paths);
  let loop: InboxLoop | undefined = undefined;
  const ring = () => loop?.ring();
  const bus = createEventBus(options.report);
  bus.subscribe(options.listener);
  const { emit } = bus;
  const complaints = createComplaints(emit);
  const shutdown = createShutdown(options.graceMs);
  const instance = createInstance(now(), randomBytes(4).toString("hex"));
  const me = instance.name;
  writeInstance(paths, instance);
  const claims = await openClaims(paths, me, onCompromised);
  const health = startHealthReport({ paths, instance, bus, now, complaints });
  const effects = createJobEffects({ paths, env, getSettings, now, emit, shutdown });
  const dispatcher = createDispatcher({ paths, getSettings, bus, claims, effects, onEnd });
  const janitor = startJanitor({ paths, env, me, now, emit, complaints, onEnd: ring });
  try {
    loop = await openInboxLoop({ paths, complaints, look, onFailure });
  } catch (error) {
    await janitor.close();
    await leave();
    throw error;
  }
  emit({ event: "watcher:ready", instance: me, inbox: paths.inbox, concurrency: settings.concurrency });
  return { stop: shutdown.request, kill, apply, ended: shutdown.requested.then(end) };

  function apply(changed: JudgeSettings): void {
    settings = changed;
    emit({ event: "watcher:note", message: "the settings were read again" });
    ring();
  }

  function kill(reason: string): void {
    emit({ event: "watcher:note", message: `${reason}: what runs is ended at once` });
    shutdown.kill(reason);
  }

  function onEnd(): void {
    try {
      if (!shutdown.isRequested()) dispatcher.refill();
      complaints.worked("claiming jobs");
    } catch (error) {
      complaints.failed("claiming jobs", error);
    }
    ring();
  }

  function look(names: readonly string[]): void {
    if (shutdown.isRequested()) return;
    const found = dispatcher.scan(names);
    health.scanned(found.waiting);
    const end = once && dispatcher.countInFlight() === 0 && !janitor.isBusy() ? findEnd(found) : undefined;
    if (end !== undefined) shutdown.request(end.reason, end.code);
  }

  function onFailure(error: unknown): void {
    if (once) shutdown.request(`cannot read the inbox or what goes with it: ${String(error)}`, EXIT_TEMPORARY);
  }

  function onCompromised(error: Error): void {
    complaints.failed("the locks", error);
    shutdown.compromise("a lock was taken away");
  }

  /** Stops the clocks and removes what shows others that we live. */
  async function leave(): Promise<void> {
    shutdown.close();
    health.close();
    if (!shutdown.isCompromised()) await claims.close();
    unlinkQuietly(getInstancePath(paths, me));
  }

  async function end({ code, reason }: StopRequest): Promise<WatcherEnd> {
    await loop?.close();
    await Promise.all([dispatcher.whenIdle(), janitor.close()]);
    await leave();
    emit({ event: "watcher:stop", instance: me, code, reason });
    return { code, reason, tally: health.getTally(), left: listDir(paths.inbox).filter(isJobName).length };
  }
}

/** How a watcher that is to end when all is done ends, when nothing runs; undefined: there is something to wait for. */
function findEnd({ halfWritten, failed }: Scan): StopRequest | undefined {
  if (halfWritten > 0 || failed.some(({ count }) => count < MAX_FAILURES)) return undefined;
  if (failed.length === 0) return { reason: "nothing left", code: 0 };
  const names = failed.map(({ name }) => name).join(", ");
  return { reason: `tried ${MAX_FAILURES} times in vain: ${names}; judge.log says why`, code: EXIT_TEMPORARY };
}
