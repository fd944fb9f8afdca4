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
 * The marked processes that nobody runs any more: followed upwards through marked parents, they end at a process that adopts
 * orphans, which is the first one or an ancestor of ours. A runner of the same job id under another watcher is not among them.
 */
async function findStrays(mark: string): Promise<number[]> {
  const rows = new Map((await listProcesses()).map((row) => [row.pid, row]));
  const environs = await Promise.all([...rows.keys()].map(async (pid) => ({ pid, environ: await readEnviron(pid) })));
  const marked = new Set(environs.filter(({ environ }) => environ.includes(mark)).map(({ pid }) => pid));
  marked.delete(process.pid);
  const adopters = new Set([1, ...getAncestors(process.ppid, rows)]);
  return [...marked].filter((pid) => adopters.has(findUnmarkedAncestor(pid, marked, rows)));
}

function getAncestors(pid: number, rows: ReadonlyMap<number, ProcessRow>): number[] {
  const row = rows.get(pid);
  return row === undefined ? [] : [pid, ...getAncestors(row.parent, rows)];
}

function findUnmarkedAncestor(pid: number, marked: ReadonlySet<number>, rows: ReadonlyMap<number, ProcessRow>): number {
  const parent = rows.get(pid)?.parent ?? 1;
  return marked.has(parent) ? findUnmarkedAncestor(parent, marked, rows) : parent;
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
