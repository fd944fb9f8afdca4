import { listDir } from "../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../lib/io/paths.ts";
import type { EventBus } from "./events.ts";
import type { Complaints } from "./health/complaints.ts";
import type { HealthReport } from "./health/report-health.ts";
import { isJobName } from "./inbox/job-name.ts";
import { openInboxLoop, type InboxLoop } from "./inbox/inbox-loop.ts";
import { createJobEffects } from "./job-effects.ts";
import type { Presence } from "./presence.ts";
import { startJanitor } from "./recovery/janitor.ts";
import { createDispatcher } from "./schedule/dispatch.ts";
import { openStarts } from "./schedule/starts.ts";
import type { JudgeSettings } from "./settings.ts";
import { EXIT_TEMPORARY } from "./supervision/exit-codes.ts";
import type { Shutdown, StopRequest } from "./supervision/shutdown.ts";
import { createIdleClock, findEnd } from "./supervision/find-end.ts";

/** What a watcher does with its queue: looks, claims, works, cleans up. */
export interface Queue {
  /** Asks for a look soon. */
  ring(): void;
  /** Looks no more; resolves when nothing is in flight. */
  close(): Promise<void>;
}

export interface QueueOptions {
  readonly paths: StatePaths;
  readonly env: Env;
  readonly getSettings: () => JudgeSettings;
  readonly now: () => Date;
  /** End when nothing is left, or when something fails whatever is tried. */
  readonly once: boolean;
  /** End when there was nothing to do for so long. */
  readonly idleExitMs: number | undefined;
  readonly bus: EventBus;
  readonly complaints: Complaints;
  readonly health: HealthReport;
  readonly shutdown: Shutdown;
  readonly presence: Presence;
}

/** Rejects with the system's error where the inbox cannot be watched. */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { paths, env, getSettings, now, once, bus, complaints, health, shutdown, presence } = options;
  const { emit } = bus;
  const me = presence.instance.name;
  let loop: InboxLoop | undefined = undefined;
  const ring = () => loop?.ring();
  const starts = openStarts(paths);
  const effects = createJobEffects({ paths, env, starts, getSettings, now, emit, shutdown });
  const dispatcher = createDispatcher({
    paths,
    starts,
    getSettings,
    bus,
    complaints,
    claims: presence.claims,
    effects,
    onEnd,
  });
  const janitor = startJanitor({ paths, env, me, now, emit, complaints, onEnd: ring });
  const { idleExitMs = Infinity } = options;
  const idleClock = createIdleClock({ paths, bus, me, limitMs: idleExitMs });
  try {
    loop = await openInboxLoop({ paths, complaints, look, onFailure });
  } catch (error) {
    await janitor.close();
    throw error;
  }
  return { ring, close };

  function onEnd(): void {
    try {
      if (!shutdown.isRequested() && shutdown.findRetirement() === undefined) dispatcher.refill();
      complaints.worked("claiming jobs");
    } catch (error) {
      complaints.failed("claiming jobs", error);
    }
    ring();
  }

  function look(names: readonly string[]): void {
    if (shutdown.isRequested()) return;
    const retirement = shutdown.findRetirement();
    if (retirement !== undefined) return waitForEnd(names, retirement);
    const found = dispatcher.scan(names);
    health.scanned(found.waiting);
    const isBusy = dispatcher.countInFlight() > 0 || janitor.isBusy();
    const isIdle = !isBusy && names.length === 0 && found.failed.length === 0;
    const end = once ? (isBusy ? undefined : findEnd(found, hasKept())) : idleClock.look(!isIdle);
    if (end !== undefined) shutdown.request(end.reason, end.code);
  }

  /** Jobs of watchers that are gone, whose runners go on. */
  function hasKept(): boolean {
    return listDir(paths.reclaim).some((folder) => folder.endsWith(`@${me}`));
  }

  function waitForEnd(names: readonly string[], { reason, code }: StopRequest): void {
    health.scanned(names.filter(isJobName).length);
    if (dispatcher.countInFlight() === 0) shutdown.request(reason, code);
  }

  function onFailure(error: unknown): void {
    if (once) shutdown.request(`cannot read the inbox or what goes with it: ${String(error)}`, EXIT_TEMPORARY);
  }

  async function close(): Promise<void> {
    await loop?.close();
    await Promise.all([dispatcher.whenIdle(), janitor.close()]);
  }
}
