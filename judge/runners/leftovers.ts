import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../lib/io/publish-file.ts";
import type { Descendants } from "./descendants.ts";
import { hasProc, listProcesses, readEnviron, type ProcessRow } from "./proc.ts";
import { within } from "./within.ts";

/** By what the processes of a runner are found. */
export interface Trail {
  /** The process group that the runner leads, or led until a moment ago. */
  readonly group?: number;
  readonly descendants?: Descendants;
  /** On Linux what a job's runners have started carries `CATSTACK_JOB=<id>` in its environment. */
  readonly jobId?: string | undefined;
  /** When the runner started, if that is known: what is older is none of its. */
  readonly since?: string | undefined;
}

/** To read one environment: that of a process which hangs may hang as well. */
const ENVIRON_MS = 500;

/** Signals every process of a group. None left, or none that is ours, is what was wanted. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
  signalQuietly(-group, signal);
}

/**
 * Kills what a runner started and waits, at most `waitMs`, until none of it runs. Gives the pids that could not be ended (in an
 * uninterruptible wait, or another user's) and those that hang so that nobody can tell whose they are. Where the system lists no
 * processes, the group's own number stands for its members.
 */
export async function endLeftovers(trail: Trail, waitMs: number): Promise<readonly number[]> {
  const deadline = performance.now() + waitMs;
  const hanging = new Set<number>();
  if (trail.group !== undefined) signalGroup(trail.group, "SIGKILL");
  for (;;) {
    const left = await killOnce(trail, hanging);
    if (left.length === 0 || performance.now() >= deadline) {
      return trail.since === undefined ? left : [...new Set([...left, ...hanging])];
    }
    await delay(10);
  }
}

async function killOnce(trail: Trail, hanging: Set<number>): Promise<readonly number[]> {
  const { group, descendants } = trail;
  const answer = group === undefined ? "nobody" : signalQuietly(-group, 0);
  // Without /proc a look starts a process: not when there is nobody to be seen.
  if (!hasProc && answer === "nobody" && (descendants === undefined || descendants.isAlone())) return [];
  const rows = listProcesses();
  if (rows.length === 0) return answer === "sent" && group !== undefined ? [group] : [];
  // The kernel counts zombies as members of a group, and macOS refuses to signal a group of nothing else.
  const members = rows.filter((row) => row.group === group && !row.isZombie);
  const strays = await findStrays(trail, rows, hanging);
  const pids = new Set([...members, ...(descendants?.select(rows) ?? []), ...strays].map(({ pid }) => pid));
  for (const pid of pids) signalQuietly(pid, "SIGKILL");
  return [...pids];
}

/**
 * The marked processes that nobody runs any more: their parent is one that adopts orphans, which is the first process or an
 * ancestor of ours. A runner of the same job id under another watcher is not among them, nor is what lives in its session.
 * What an orphan has started itself becomes one as soon as the orphan is dead.
 */
async function findStrays(
  { jobId, since }: Trail,
  rows: readonly ProcessRow[],
  hanging: Set<number>,
): Promise<readonly ProcessRow[]> {
  if (!hasProc || jobId === undefined) return [];
  const orphans = selectOrphans(rows).filter(
    ({ pid, startTime }) => !hanging.has(pid) && (since === undefined || Number(startTime) >= Number(since)),
  );
  const environs = await Promise.all(orphans.map(({ pid }) => within(readEnviron(pid), ENVIRON_MS, undefined)));
  return orphans.filter(({ pid }, index) => {
    const environ = environs[index];
    // It is not read again: each such read takes a thread with it.
    if (environ === undefined) hanging.add(pid);
    return environ?.includes(`CATSTACK_JOB=${jobId}`) === true;
  });
}

/** A runner leads a session of its own: in one that somebody else leads, nothing is a runner's. */
function selectOrphans(rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  const adopters = new Set([1, ...getAncestors(process.ppid, byPid)]);
  const isOrphan = ({ pid, parent, isZombie }: ProcessRow) =>
    adopters.has(parent) && !adopters.has(pid) && pid !== process.pid && !isZombie;
  return rows.filter((row) => {
    const leader = row.session === undefined ? undefined : byPid.get(row.session);
    return isOrphan(row) && (leader === undefined || leader.isZombie || isOrphan(leader));
  });
}

function getAncestors(pid: number, rows: ReadonlyMap<number, ProcessRow>): number[] {
  const row = rows.get(pid);
  return row === undefined ? [] : [pid, ...getAncestors(row.parent, rows)];
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
