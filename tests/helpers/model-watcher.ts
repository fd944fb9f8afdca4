import { setImmediate as nextTurn } from "node:timers/promises";
import type { AskResult } from "../../judge/question/ask.ts";
import type { Claim, Claims } from "../../judge/claim.ts";
import { createEventBus, isJobEvent, type JudgeEvent } from "../../judge/events.ts";
import { createComplaints } from "../../judge/health/complaints.ts";
import { createJobEffects } from "../../judge/job-effects.ts";
import { advance, type JobState } from "../../judge/lifecycle.ts";
import { enter, type Presence } from "../../judge/presence.ts";
import type { JobEffects } from "../../judge/process-job.ts";
import { createReclaimer } from "../../judge/recovery/reclaim.ts";
import { createDispatcher } from "../../judge/schedule/dispatch.ts";
import { openStarts } from "../../judge/schedule/starts.ts";
import { writeRun } from "../../judge/state/run-file.ts";
import { createShutdown } from "../../judge/supervision/shutdown.ts";
import { getInstancePath } from "../../lib/io/instance.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { getOwnIdentity } from "../../lib/io/process-identity.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { generous } from "./queue.ts";

/** What a watcher does of which it can be told to die, just before or just after. */
export const effectNames = [
  "take",
  "lock",
  "read",
  "findVerdict",
  "addAttempt",
  "isOurs",
  "publish",
  "requeue",
  "bury",
  "drop",
] as const;
export type EffectName = (typeof effectNames)[number];
export interface DeathPoint {
  readonly effect: EffectName;
  readonly when: "before" | "after";
}

/** A question that was put to the runners, or a verdict that is about to be published. */
export interface Parked {
  readonly at: "ask" | "publish";
  readonly id: string;
  /** Lets it go on; an answer is for a question. */
  readonly go: (answer: AskResult | Error) => void;
}

/**
 * The parts of a watcher, all real, on a real state directory, in this process. Only two things wait for a word: the runners' answer, which
 * is given here, and the publishing of a verdict. It can die as a killed process does: at once, undoing nothing, answering nothing.
 */
export interface ModelWatcher {
  readonly parked: Parked[];
  readonly isAlive: () => boolean;
  /** Looks into the inbox and claims what there is room for. */
  scan(): void;
  reclaim(): Promise<void>;
  /** As a signal does: what runs is ended, and it leaves. False: it died of it. */
  stop(): Promise<boolean>;
  /** Others hold it for dead from now on, and it goes on. */
  disown(): void;
  readonly isDisowned: () => boolean;
  kill(): void;
  /** Has it die there, the next time it comes there. */
  arm(point: DeathPoint): void;
  /** Resolves when all that it works on waits for a word, or nothing is left. */
  settle(): Promise<void>;
}

export interface ModelWatcherOptions {
  readonly paths: StatePaths;
  readonly now: () => Date;
  /** Hears every event of it while it lives. */
  readonly onEvent: (event: JudgeEvent) => void;
  /** Hears of every attempt that is counted, also when it dies right after. */
  readonly onAttempt: (id: string) => void;
  /** Hears of every attempt that is given back. */
  readonly onRefund: (id: string) => void;
  /** Hears what must never happen. */
  readonly onProblem: (problem: unknown) => void;
}

/** Names no process: ours has that number, and began earlier. Nothing on this machine is younger. */
const notBegun = { startTime: "9".repeat(15) };

/** Stands for the end of the process: nothing of ours may come after it. */
class Killed extends Error {}

const stopped: AskResult = {
  outcome: "unchecked",
  reason: "stopped",
  runner: null,
  answer: null,
  attempts: [],
  aborted: true,
};

export async function startModelWatcher({
  paths,
  now,
  onEvent,
  onAttempt,
  onRefund,
  onProblem,
}: ModelWatcherOptions): Promise<ModelWatcher> {
  const env = { HOME: paths.root, TMPDIR: paths.root, CATSTACK_LLM_JUDGE_RUNNERS: '[["model",["/bin/true"]]]' };
  const parked: Parked[] = [];
  const states = new Map<string, JobState>();
  let isDead = false;
  let isDisowned = false;
  let deathPoint: DeathPoint | undefined;
  const bus = createEventBus(onProblem);
  bus.subscribe((event) => {
    if (isDead) return;
    onEvent(event);
    if (!isJobEvent(event)) return;
    const state = advance(states.get(event.id) ?? { at: "queued" }, event);
    if (state.at === "claimed" || state.at === "running") states.set(event.id, state);
    else states.delete(event.id);
  });
  const shutdown = createShutdown(0);
  const presence = await enter(paths, now(), onProblem);
  const name = presence.instance.name;
  const starts = openStarts(paths);
  const real = createJobEffects({ paths, env, starts, getSettings: () => generous, now, emit: bus.emit, shutdown });
  const complaints = createComplaints(bus.emit);
  const options = { paths, starts, bus, complaints, getSettings: () => generous, onEnd: () => {} };
  const dispatcher = createDispatcher({ ...options, claims: watchClaims(presence), effects: watchEffects() });
  const reclaim = createReclaimer({ paths, env, me: name, now, emit: bus.emit, complaints });

  const countBusy = () => (isDead ? 0 : dispatcher.countInFlight());

  function kill(): void {
    if (isDead) return;
    isDead = true;
    parked.length = 0;
    disown();
  }

  function disown(): void {
    isDisowned = true;
    replaceFile(getInstancePath(paths, name), `${JSON.stringify({ ...presence.instance, ...notBegun })}\n`);
  }

  /** Does it, unless it is dead or dies of it. */
  function live<Result>(effect: EffectName, act: () => Result): Result {
    dieAt(effect, "before");
    const result = act();
    dieAt(effect, "after");
    return result;
  }

  function dieAt(effect: EffectName, when: DeathPoint["when"]): void {
    if (!isDead && deathPoint?.effect === effect && deathPoint.when === when) kill();
    if (isDead) throw new Killed();
  }

  /** What a dead process awaits never comes. */
  async function park(at: Parked["at"], id: string): Promise<AskResult> {
    const answer = await new Promise<AskResult | Error>((resolve) => {
      const entry: Parked = {
        at,
        id,
        go(word) {
          parked.splice(parked.indexOf(entry), 1);
          resolve(word);
        },
      };
      parked.push(entry);
    });
    if (answer instanceof Error) throw answer;
    return answer;
  }

  function watchClaims({ claims }: Presence): Claims {
    return {
      take: (waiting) => live("take", () => claims.take(waiting)),
      async lock(claim) {
        dieAt("lock", "before");
        await claims.lock(claim);
        dieAt("lock", "after");
      },
      release: (claim) => (isDead ? new Promise(() => {}) : claims.release(claim)),
      close: () => claims.close(),
    };
  }

  function watchEffects(): JobEffects {
    return {
      ...real,
      read: (claim) => live("read", () => real.read(claim)),
      findVerdict: (id) => live("findVerdict", () => real.findVerdict(id)),
      addAttempt: (id) =>
        live("addAttempt", () => {
          real.addAttempt(id);
          onAttempt(id);
        }),
      refundAttempt(id) {
        if (isDead) throw new Killed();
        real.refundAttempt(id);
        onRefund(id);
      },
      ask: (job, claim) => ask(job, claim),
      // The one question that is asked after a death, by code that would not run then.
      isOurs: (claim) => !isDead && live("isOurs", () => real.isOurs(claim)),
      async publish(verdict) {
        await park("publish", verdict.id);
        dieAt("publish", "before");
        const published = await real.publish(verdict);
        dieAt("publish", "after");
        return published;
      },
      requeueDelivery(id) {
        if (isDead) throw new Killed();
        real.requeueDelivery(id);
      },
      requeue: (claim) => live("requeue", () => real.requeue(claim)),
      bury: (claim, cause) => live("bury", () => real.bury(claim, cause)),
      finishDeath(claim) {
        if (isDead) throw new Killed();
        return real.finishDeath(claim);
      },
      drop: (claim) => live("drop", () => real.drop(claim)),
    };
  }

  async function ask(job: Parameters<JobEffects["ask"]>[0], claim: Claim): Promise<AskResult> {
    if (job.answer !== undefined) return real.ask(job, claim);
    if (shutdown.signal.aborted) return stopped;
    const { hook, mode = "default" } = job;
    const run = { id: claim.id, hook, mode, runner: "model", startedAt: now().toISOString(), limitSeconds: 60 };
    writeRun(claim.dir, { ...getOwnIdentity(), ...notBegun, ...run });
    return park("ask", claim.id);
  }

  return {
    parked,
    isAlive: () => !isDead,
    kill,
    disown,
    isDisowned: () => isDisowned,
    arm: (point) => void (deathPoint = point),
    scan: () => void dispatcher.scan(listDir(paths.inbox)),
    reclaim,
    async stop() {
      shutdown.kill("the model says so");
      while (countBusy() > 0) {
        for (const { go } of parked.slice()) go(stopped);
        await nextTurn();
      }
      if (isDead) return false;
      await presence.leave(true);
      shutdown.close();
      isDead = true;
      return true;
    },
    settle: async () => {
      const deadline = performance.now() + 20_000;
      while (countBusy() > parked.length) {
        if (performance.now() > deadline)
          throw new Error("expected every job to wait for a word, got some that do not");
        await nextTurn();
      }
    },
  };
}
