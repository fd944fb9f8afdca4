import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { getMonotonicMs } from "../../lib/io/monotonic.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import type { Claims } from "../claim.ts";
import type { EventBus } from "../events.ts";
import type { Complaints } from "../health/complaints.ts";
import { createInboxView, type Waiting } from "../inbox/inbox.ts";
import { getClaimId } from "../inbox/job-name.ts";
import { createChooser, type Choice, type Flight } from "./choose.ts";
import { createJobWorker } from "./job-worker.ts";
import type { JobEffects } from "../process-job.ts";
import type { JudgeSettings } from "../settings.ts";
import { isFree } from "./select-jobs.ts";
import type { Starts } from "./starts.ts";

export interface DispatchOptions {
  readonly paths: StatePaths;
  readonly starts: Starts;
  /** Those of this moment: they may be read anew while jobs run. */
  readonly getSettings: () => JudgeSettings;
  readonly bus: EventBus;
  readonly complaints: Complaints;
  readonly claims: Claims;
  readonly effects: JobEffects;
  /** Something ended: there may be room for more. */
  readonly onEnd: () => void;
}

/** What a look through the inbox found. */
export interface Scan {
  /** Job files that are there. */
  readonly waiting: number;
  /** Of these, how many somebody may be writing still. */
  readonly halfWritten: number;
  /** What failed and is still to be done. */
  readonly failed: readonly { readonly name: string; readonly count: number }[];
  /** Why nobody knows what may be spent, so that no question is asked; absent: it is known. */
  readonly unknownLimits?: string;
}

/** Decides which jobs run when, and sees each one to its end. */
export interface Dispatcher {
  /** Takes in the names of the inbox and claims what there is room for. */
  readonly scan: (names: readonly string[]) => Scan;
  /** Claims what there is room for, of what the last scan has found. */
  readonly refill: () => void;
  countInFlight(): number;
  /** Resolves when nothing is in flight. */
  whenIdle(): Promise<void>;
}

export function createDispatcher(options: DispatchOptions): Dispatcher {
  const { paths, starts, getSettings, bus, complaints, claims, effects, onEnd } = options;
  const view = createInboxView(paths.inbox, getMonotonicMs);
  const flights = new Map<string, Flight>();
  const holds = new Map<string, string>();
  const choose = createChooser({ paths, starts, getSettings, emit: bus.emit });
  const worker = createJobWorker({ claims, effects, bus, complaints });
  const working = new Set<Promise<void>>();
  let unknownLimits: string | undefined;

  bus.subscribe((event) => {
    const name = event.event === "job:start" ? `${event.id}.json` : "";
    const flight = flights.get(name);
    if (flight !== undefined) flights.set(name, { ...flight, isCounted: true });
  });

  function scan(names: readonly string[]): Scan {
    view.update(names, effects.now().getTime());
    const all = view.list();
    for (const name of holds.keys()) if (!view.has(name)) holds.delete(name);
    worker.forgetGone((name) => view.has(name) || flights.has(name));
    refill();
    const halfWritten = all.filter(({ kind }) => kind === "half-written").length;
    const failed = worker.listFailed();
    return { waiting: all.length, halfWritten, failed, ...(unknownLimits !== undefined && { unknownLimits }) };
  }

  function refill(): void {
    const now = effects.now().getTime();
    worker.retryStranded();
    const claimed = findClaimed(paths);
    const isReady = (name: string) =>
      !flights.has(name) && !claimed.has(`${getClaimId(name)}.json`) && !worker.isResting(name);
    const all = view.list();
    const ready = all.filter(({ name }) => isReady(name));
    const { chosen, holds: held, failure } = choose({ all, ready, flights: [...flights.values()] }, now);
    for (const [name, hold] of held) holds.set(name, hold);
    for (const waiting of chosen) start(waiting, now);
    noteLimits(failure);
  }

  function noteLimits(failure: Choice["failure"]): void {
    unknownLimits = failure && String(failure.error);
    if (failure === undefined) complaints.worked("counting starts");
    else complaints.failed("counting starts", failure.error);
  }

  function start(waiting: Waiting, now: number): void {
    const { name } = waiting;
    const hold = holds.get(name);
    holds.delete(name);
    flights.set(name, { slot: getSlot(waiting, now), hook: waiting.hook, isCounted: false });
    const done = worker.work(hold === undefined ? waiting : { ...waiting, hold }).then(() => {
      view.forget(name);
      flights.delete(name);
      working.delete(done);
      onEnd();
    });
    working.add(done);
  }

  async function whenIdle(): Promise<void> {
    while (working.size > 0) await Promise.all(working);
  }

  return { scan, refill, countInFlight: () => flights.size, whenIdle };
}

function getSlot(waiting: Waiting, now: number): Flight["slot"] {
  if (isFree(waiting, now)) return "none";
  return waiting.kind === "investigate" ? "investigate" : "default";
}

/**
 * A second file of an id that is being worked on, here or by another watcher, waits until that is done; then it finds the verdict.
 */
function findClaimed(paths: StatePaths): ReadonlySet<string> {
  const folders = [paths.claimed, paths.reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)));
  return new Set(folders.flatMap(listDir));
}
