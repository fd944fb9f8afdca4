import type { StatePaths } from "../../lib/io/paths.ts";
import { MAX_HEALTH_AGE_MS } from "../health/health.ts";
import { describeEnd } from "../schedule/tripwire.ts";
import { describeModesAtRest } from "./modes-at-rest.ts";
import type { Status, WatcherStatus } from "./status.ts";

/** What a person should do something about, the worst first; none: all is well. Pure. */
export function listStatusProblems(status: Status, paths: StatePaths, now: Date): string[] {
  const { watchers, counts, trip, modesAtRest, unreadable } = status;
  const silent = watchers.flatMap((watcher) => findSilence(watcher, watchers.length, now) ?? []);
  const waiting = watchers.length === 0 ? counts.inbox + counts.claimed : 0;
  return [
    ...(waiting === 0 ? [] : [describeWaiting(waiting)]),
    ...silent,
    ...(trip === null ? [] : [describeEnd(trip, paths)]),
    ...unreadable,
    ...describeModesAtRest(modesAtRest),
    ...describeFailing(watchers),
  ];
}

function describeWaiting(count: number): string {
  const jobs = count === 1 ? "1 job waits" : `${count} jobs wait`;
  return `${jobs} and no watcher runs; start one with \`catstack watch\`, to keep: \`catstack service install\``;
}

/** One that has just been started may have said nothing yet. */
function findSilence({ pid, startedAt, health }: WatcherStatus, watchers: number, now: Date): string | undefined {
  const lastSign = Math.max(Date.parse(startedAt), health === null ? 0 : Date.parse(health.at));
  const age = now.getTime() - lastSign;
  if (age <= MAX_HEALTH_AGE_MS) return undefined;
  const whose = watchers === 1 ? "the watcher" : `watcher ${pid}`;
  return `${whose}'s last sign of life is ${Math.round(age / 1000)} s old, expected one every 5 s; restart it`;
}

/** What several watchers meet is said once. */
function describeFailing(watchers: readonly WatcherStatus[]): string[] {
  const problems = watchers.flatMap(({ health }) => health?.problems ?? []);
  return [...new Set(problems.map(({ what, message }) => `${what}: ${message}`))];
}
