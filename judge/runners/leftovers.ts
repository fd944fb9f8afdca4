import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "../../lib/io/error-code.ts";
import type { Descendants } from "./descendants.ts";
import { toVariables, type Mark } from "./mark.ts";
import { hasProc, listProcesses, readEnviron, type ProcessRow } from "./proc.ts";
import { within } from "./within.ts";

/** By what the processes of a runner are found. */
export interface Trail {
  /** The process group that the runner leads, or led until a moment ago. */
  readonly group?: number;
  readonly descendants?: Descendants;
  /** On Linux what a job's runners have started carries it in its environment. */
  readonly mark?: Mark | undefined;
  /** When the runner started, if that is known: what is older is none of its. */
  readonly since?: string | undefined;
}

/** Turns of the event loop, of 10 ms or more, that one environment may take to be read: that of a process which hangs may hang as well. */
const ENVIRON_TURNS = 50;
const TURN_MS = 10;

/** Environments that are being read, by pid, for whichever jobs. */
const reads = new Map<number, Promise<readonly string[]>>();

/** A process without an environment may be one that is about to get it: so many looks at it are taken, 10 ms apart. */
const SETTLING_LOOKS = 25;

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
  const search: Search = { trail, strays: new Map(), hanging: new Set() };
  if (trail.group !== undefined) signalGroup(trail.group, "SIGKILL");
  for (let look = 1; ; look++) {
    const left = killSeen(search);
    const found = await findStrays(search);
    const isOver = left.length === 0 && (found === "none" || (found === "unsettled" && look >= SETTLING_LOOKS));
    if (isOver || performance.now() >= deadline) {
      const survivors = isOver ? [] : await killLast(search);
      return trail.since === undefined ? survivors : [...new Set([...survivors, ...search.hanging])];
    }
    await delay(10);
  }
}

/** What was found at the deadline was killed a moment ago: on a busy machine it has yet to die. Told by looks, not by a clock. */
async function killLast(search: Search): Promise<readonly number[]> {
  for (let look = 1; ; look++) {
    const left = killSeen(search);
    if (left.length === 0 || look === SETTLING_LOOKS) return left;
    await delay(10);
  }
}

interface Search {
  readonly trail: Trail;
  /** Start times by pid. */
  readonly strays: Map<number, string>;
  readonly hanging: Set<number>;
}

/** Kills whatever one look shows to be the runner's, strays that were found before among it; gives all of it. */
function killSeen({ trail: { group, descendants }, strays }: Search): readonly number[] {
  const answer = group === undefined ? "nobody" : signalQuietly(-group, 0);
  // Without /proc a look starts a process: not when there is nobody to be seen.
  if (!hasProc && answer === "nobody" && (descendants === undefined || descendants.isAlone())) return [];
  const rows = listProcesses();
  if (rows.length === 0) return answer === "sent" && group !== undefined ? [group] : [];
  const kin = new Set(descendants?.select(rows));
  // The kernel counts zombies as members of a group, and macOS refuses to signal a group of nothing else.
  const isTheirs = (row: ProcessRow) =>
    !row.isZombie && (row.group === group || kin.has(row) || strays.get(row.pid) === row.startTime);
  const pids = rows.filter(isTheirs).map(({ pid }) => pid);
  for (const pid of pids) signalQuietly(pid, "SIGKILL");
  return pids;
}

/** Looks for more marked processes, which the next look kills. `unsettled`: none yet, but one that may turn out to be marked. */
async function findStrays({ trail: { mark, since }, strays, hanging }: Search): Promise<"some" | "none" | "unsettled"> {
  if (!hasProc || mark === undefined) return "none";
  const isYoung = ({ startTime }: ProcessRow) => since === undefined || Number(startTime) >= Number(since);
  const isNew = ({ pid, startTime }: ProcessRow) => !hanging.has(pid) && strays.get(pid) !== startTime;
  const orphans = selectOrphans(listProcesses()).filter((row) => isYoung(row) && isNew(row));
  const states = await Promise.all(orphans.map(({ pid }) => lookForMark(pid, mark)));
  for (const [index, { pid, startTime }] of orphans.entries()) {
    // It is not read again: each such read takes a thread with it.
    if (states[index] === "hangs") hanging.add(pid);
    if (states[index] === "marked") strays.set(pid, startTime);
  }
  if (states.includes("marked")) return "some";
  return states.includes("unsettled") ? "unsettled" : "none";
}

async function lookForMark(pid: number, mark: Mark): Promise<"marked" | "unmarked" | "unsettled" | "hangs"> {
  const environ = await findEnviron(pid);
  if (environ === undefined) return "hangs";
  if (environ.length === 1 && environ[0] === "") return "unsettled";
  const entries = Object.entries(toVariables(mark)).map(([name, value]) => `${name}=${value}`);
  return entries.every((entry) => environ.includes(entry)) ? "marked" : "unmarked";
}

/**
 * Undefined: it hangs. That is told by turns and not by a clock: on a busy machine every read takes long, and a timer that is late comes
 * before a read that is over. Whoever else looks for a job at this moment shares the read, so that it takes one thread and no more.
 */
async function findEnviron(pid: number): Promise<readonly string[] | undefined> {
  const read = reads.get(pid) ?? readEnviron(pid).finally(() => reads.delete(pid));
  reads.set(pid, read);
  for (let turn = 0; turn < ENVIRON_TURNS; turn++) {
    const environ = await within(read, TURN_MS, undefined);
    if (environ !== undefined) return environ;
  }
  return undefined;
}

/**
 * The processes that nobody runs any more: their parent is one that adopts orphans, which is the first process or an ancestor of ours.
 * So a runner of the same job id under another watcher is not among them. Nor is what lives in its session: each runner leads one, and
 * in one that somebody else leads nothing is ours. What an orphan has started itself becomes one as soon as the orphan is dead.
 */
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
