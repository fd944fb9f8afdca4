import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import type { Listener } from "../../judge/events.ts";
import { readVerdict } from "../../judge/outbox.ts";
import type { JudgeSettings } from "../../judge/settings.ts";
import type { WatcherEnd } from "../../judge/watcher.ts";
import { claimVerdicts } from "../../lib/io/delivery/delivery.ts";
import { enqueueJob } from "../../lib/io/enqueue.ts";
import { probeInstance, readInstances } from "../../lib/io/instance.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Progress } from "./progress.ts";
import { BACKTEST_KEY, createJobMaker, type Standing } from "./questions.ts";

export interface JudgeOptions {
  readonly paths: StatePaths;
  readonly env: Env;
  readonly settings: JudgeSettings;
  readonly now: () => Date;
  readonly progress: Progress;
  /** Aborted: asks nothing more. */
  readonly signal: AbortSignal;
  readonly report: (error: unknown) => void;
}

export interface Judged {
  readonly verdicts: readonly Verdict[];
  /** Questions that have no verdict yet. */
  readonly left: number;
  /** Why it ended before all were answered. */
  readonly because?: string;
}

/** So many wait in the inbox at a time: a live session's question is not far behind them. */
const MAX_BATCH = 20;
const MINUTE_MS = 60_000;
const POLL_MS = 250;
/** When so many in a row could not be answered, neither can the next. */
const MAX_UNCHECKED = 5;

/**
 * Asks through the queue, with all its limits: a watcher that runs judges the jobs, else this process does. Jobs go in by small batches and slower than
 * what the judge takes for a runaway hook. What is left when it ends is asked by the next run.
 */
export async function judgeQuestions(standings: readonly Standing[], options: JudgeOptions): Promise<Judged> {
  const { paths, settings, now, progress, signal } = options;
  const makeJob = createJobMaker(paths);
  const verdicts: Verdict[] = [];
  const waiting = [...standings];
  const dropTimes: number[] = [];
  let unchecked = 0;
  const end = (because: string): Judged => ({ verdicts, left: standings.length - verdicts.length, because });
  while (waiting.length > 0) {
    const room = await waitForRoom(dropTimes, settings.tripPerMinute, signal);
    if (signal.aborted) return end("interrupted");
    const batch = waiting.splice(0, Math.min(MAX_BATCH, room));
    const claimed = listClaimed(paths);
    for (const standing of batch) {
      if (claimed.has(`${standing.id}.json`)) continue;
      enqueueJob(makeJob(standing, now()), paths);
      dropTimes.push(performance.now());
    }
    const tell = (found: number): void =>
      progress.say(`judged ${verdicts.length + found} of ${standings.length} questions`);
    const { found, because } = await judgeBatch(batch, options, tell);
    takeDeliveries(paths, now());
    verdicts.push(...found);
    if (signal.aborted) withdraw(batch, paths);
    if (found.length < batch.length) return end(signal.aborted ? "interrupted" : because);
    for (const { outcome } of found) unchecked = outcome === "unchecked" ? unchecked + 1 : 0;
    const last = found.at(-1);
    if (unchecked >= MAX_UNCHECKED && last !== undefined && waiting.length > 0)
      return end(`nobody could answer the last ${unchecked}: ${last.reason}`);
  }
  return { verdicts, left: 0 };
}

/** What an earlier run has asked, or one beside this, is judged or given back by the watcher: a second job of its id would be one too many. */
function listClaimed({ claimed }: StatePaths): ReadonlySet<string> {
  return new Set(listDir(claimed).flatMap((instance) => listDir(join(claimed, instance))));
}

/** Whoever ends it wants to spend nothing more. What a watcher has taken by now is answered. */
function withdraw(batch: readonly Standing[], { inbox }: StatePaths): void {
  for (const { id } of batch) unlinkQuietly(join(inbox, `${id}.json`));
}

/** How many more may be dropped now: half of what the judge bears within a minute, since sessions go on meanwhile. */
async function waitForRoom(times: readonly number[], tripPerMinute: number, signal: AbortSignal): Promise<number> {
  const limit = tripPerMinute === 0 ? Infinity : Math.max(1, Math.floor(tripPerMinute / 2));
  for (;;) {
    const recent = times.filter((time) => time > performance.now() - MINUTE_MS);
    if (recent.length < limit || signal.aborted) return limit - recent.length;
    await sleep(POLL_MS, signal);
  }
}

interface JudgedBatch {
  readonly found: readonly Verdict[];
  /** Why there are no more. */
  readonly because: string;
}

async function judgeBatch(
  batch: readonly Standing[],
  options: JudgeOptions,
  tell: (found: number) => void,
): Promise<JudgedBatch> {
  const { paths, signal } = options;
  const find = (): Verdict[] => batch.flatMap(({ id }) => readVerdict(paths, id) ?? []);
  tell(0);
  if (!isWatched(paths)) {
    const { code, reason } = await judgeHere(options, () => tell(find().length));
    return { found: find(), because: code === 0 ? "a cap is used up" : reason };
  }
  for (;;) {
    const found = find();
    tell(found.length);
    if (found.length === batch.length || signal.aborted) return { found, because: "interrupted" };
    if (!isWatched(paths)) return { found, because: "the watcher has ended" };
    await sleep(POLL_MS, signal);
  }
}

/** As `catstack watch --once` does. What waits in the inbox besides is judged too. */
async function judgeHere(options: JudgeOptions, onJudged: () => void): Promise<WatcherEnd> {
  const { paths, env, settings, now, signal, report } = options;
  const { startWatcher } = await import("../../judge/watcher.ts");
  const { createLogListener } = await import("../../judge/health/log.ts");
  const onEvent: Listener = ({ event }) => {
    if (event === "job:judged") onJudged();
  };
  const listeners = [createLogListener(paths.judgeLog, now), onEvent];
  const watcher = await startWatcher({ paths, env, settings, once: true, now, listeners, report, graceMs: GRACE_MS });
  const stop = (): void => watcher.stop("the backtest was interrupted");
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const end = await watcher.ended;
  signal.removeEventListener("abort", stop);
  return end;
}

/** As for `catstack watch`. */
const GRACE_MS = 10_000;

/** Whether a watcher runs that takes jobs. */
export function isWatched(paths: StatePaths): boolean {
  return readInstances(paths).some((instance) => probeInstance(instance) === "alive");
}

/** Nobody else reads what is delivered here: it is marked as delivered, or it would lie about until retention takes it. */
function takeDeliveries(paths: StatePaths, now: Date): void {
  for (let round = 0; round < MAX_BATCH; round++) {
    const claims = claimVerdicts(BACKTEST_KEY, { paths, now, ownHooks: [] });
    if (claims.deliveries.length === 0) return;
    claims.commit();
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
