import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../lib/io/publish-file.ts";
import { listProcesses, readEnviron, type ProcessRow } from "./proc.ts";

/** Signals every process of a group. None left, or none that is ours, is what was wanted. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  signalQuietly(-group, signal);
}

/**
 * Kills a group and waits, at most `waitMs`, until none of it runs. Gives the pids that could not be ended (a process in an
 * uninterruptible wait, or another user's); where there is no /proc, the group's own number stands for them.
 */
export function endGroup(group: number, waitMs: number): Promise<readonly number[]> {
  signalGroup(group, "SIGKILL");
  return waitUntilNone(() => findMembers(group), waitMs);
}

/**
 * Kills what a job's runners started and what left their group: on Linux such a process still carries `CATSTACK_JOB=<id>` in
 * its environment. Gives the pids that were not ended within `waitMs`. Elsewhere there is nothing to find them by.
 */
export function endStrays(jobId: string, waitMs: number): Promise<readonly number[]> {
  return waitUntilNone(async () => {
    const strays = await findStrays(`CATSTACK_JOB=${jobId}`);
    for (const pid of strays) signalQuietly(pid, "SIGKILL");
    return strays;
  }, waitMs);
}

async function findMembers(group: number): Promise<number[]> {
  const answer = signalQuietly(-group, 0);
  if (answer === "nobody") return [];
  const rows = await listProcesses();
  // The kernel counts zombies as members. The list does not, and macOS refuses to signal a group of nothing else.
  if (rows.length === 0) return answer === "refused" ? [] : [group];
  return rows.filter((row) => row.group === group).map((row) => row.pid);
}

/**
 * The marked processes that nobody runs any more: their parent is one that adopts orphans, which is the first process or an
 * ancestor of ours. A runner of the same job id under another watcher is not among them. What an orphan has started itself
 * becomes one as soon as the orphan is dead.
 */
async function findStrays(mark: string): Promise<number[]> {
  const rows = new Map((await listProcesses()).map((row) => [row.pid, row]));
  const adopters = new Set([1, ...getAncestors(process.ppid, rows)]);
  const orphans = [...rows.values()].filter(({ pid, parent }) => adopters.has(parent) && pid !== process.pid);
  const marks = await Promise.all(orphans.map(async ({ pid }) => (await readEnviron(pid)).includes(mark)));
  return orphans.filter((_, index) => marks[index]).map(({ pid }) => pid);
}

function getAncestors(pid: number, rows: ReadonlyMap<number, ProcessRow>): number[] {
  const row = rows.get(pid);
  return row === undefined ? [] : [pid, ...getAncestors(row.parent, rows)];
}

async function waitUntilNone(find: () => Promise<readonly number[]>, waitMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const left = await find();
    if (left.length === 0 || performance.now() >= deadline) return left;
    await delay(10);
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): "sent" | "nobody" | "refused" {
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    const code = errorCode(error);
    if (code === "ESRCH") return "nobody";
    if (code === "EPERM") return "refused";
    throw error;
  }
}
