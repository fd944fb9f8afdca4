import { formatAge } from "../../plain-text.ts";
import { ok, problem, type Check } from "../check.ts";

export interface QueueFacts {
  readonly jobs: number;
  readonly oldestAt: Date | null;
  /** Files that could not be judged, and when the last of them died. */
  readonly dead: number;
  readonly lastDeathAt: Date | null;
}

const OLD_MS = 3_600_000;
const RECENT_MS = 7 * 86_400_000;

/** Whether jobs are taken, and whether any could not be. Pure. */
export function checkQueue({ jobs, oldestAt, dead, lastDeathAt }: QueueFacts, now: Date): Check[] {
  const age = oldestAt === null ? 0 : now.getTime() - oldestAt.getTime();
  const waiting = jobs === 0 ? "no job waits" : `${jobs} waiting, the oldest for ${formatAge(age)}`;
  const queue =
    age > OLD_MS ? problem("warn", "queue", waiting, "see what keeps them: catstack status") : ok("queue", waiting);
  if (dead === 0 || lastDeathAt === null) return [queue, ok("dead jobs", String(dead))];
  const since = now.getTime() - lastDeathAt.getTime();
  const says = `${dead}, the last ${formatAge(since)} ago`;
  return [
    queue,
    since < RECENT_MS ? problem("warn", "dead jobs", says, "see: catstack dead list") : ok("dead jobs", says),
  ];
}
