import { hasProc, listProcesses, type ProcessRow } from "./proc.ts";

/** The processes that are known to descend from a runner, and the sessions that it and they have made. */
interface Known {
  /** Start times by pid. */
  readonly starts: ReadonlyMap<number, string>;
  readonly sessions: ReadonlySet<number>;
}

/** Who descends from a runner, as far as looks at the processes have shown. Whoever was seen once stays known. */
export interface Descendants {
  /** When the runner started; undefined when no look has found it. */
  readonly getStartTime: () => string | undefined;
  readonly look: () => void;
  /** Looks where that is cheap, and not so often that it would take more than a hundredth of the time. */
  readonly lookNowAndThen: () => void;
  /** Those of `rows`, which are of this moment, that do not only wait to be buried. The runner is one of them. */
  readonly select: (rows: readonly ProcessRow[]) => readonly ProcessRow[];
  /** None but the runner has been seen so far. */
  readonly isAlone: () => boolean;
}

/** From one look to the next one, at least. */
const MIN_GAP_MS = 100;

/**
 * Tracks the descendants of a runner that leads a session of its own. It has to be there still when this is called, or at the
 * first look where the system has no /proc: its pid is then known to be its own.
 */
export function trackDescendants(runner: number): Descendants {
  let startTime: string | undefined;
  let known: Known = { starts: new Map(), sessions: new Set() };
  let nextLookAt = 0;

  function select(rows: readonly ProcessRow[]): readonly ProcessRow[] {
    if (startTime === undefined) {
      startTime = rows.find(({ pid, session = pid }) => pid === runner && session === runner)?.startTime;
      if (startTime === undefined) return [];
      known = { starts: new Map([[runner, startTime]]), sessions: new Set([runner]) };
    }
    const found = selectDescendants(rows, known);
    known = {
      starts: new Map(found.map((row) => [row.pid, row.startTime])),
      sessions: new Set(found.flatMap(({ session }) => session ?? [])),
    };
    return found.filter(({ isZombie }) => !isZombie);
  }

  const look = () => void select(listProcesses());
  if (hasProc) look();
  return {
    getStartTime: () => startTime,
    look,
    lookNowAndThen() {
      const begin = performance.now();
      if (!hasProc || begin < nextLookAt) return;
      look();
      const end = performance.now();
      nextLookAt = end + Math.max(MIN_GAP_MS, 100 * (end - begin));
    },
    select,
    isAlone: () => [...known.starts.keys()].every((pid) => pid === runner),
  };
}

/**
 * Of `rows` the known processes, whatever is in a session of theirs, and all that descends from either. A process comes into a
 * session by being born into it alone, and the number of a session or a process is given to no other while it is there; so of the
 * known ones those are left whose start time is the same. Pure.
 */
export function selectDescendants(rows: readonly ProcessRow[], { starts, sessions }: Known): readonly ProcessRow[] {
  const pids = new Set<number>();
  const theirs = new Set(sessions);
  const isIn = ({ pid, parent, session, startTime }: ProcessRow) =>
    starts.get(pid) === startTime || pids.has(parent) || (session !== undefined && theirs.has(session));
  for (;;) {
    const added = rows.filter((row) => !pids.has(row.pid) && isIn(row));
    if (added.length === 0) return rows.filter(({ pid }) => pids.has(pid));
    for (const { pid, session } of added) {
      pids.add(pid);
      if (session !== undefined) theirs.add(session);
    }
  }
}
