import { setMaxListeners } from "node:events";
import { EXIT_TEMPORARY } from "./exit-codes.ts";
import { signalGroup } from "../runners/leftovers.ts";

/** Why a watcher ends, and its exit code. */
export interface StopRequest {
  readonly reason: string;
  readonly code: number;
}

/** The end of a watcher, from the first request to the last runner. */
export interface Shutdown {
  /** The runners are to end. */
  readonly signal: AbortSignal;
  /** Resolves with the first request. */
  readonly requested: Promise<StopRequest>;
  isRequested(): boolean;
  /** From now on nothing is claimed; the end is requested when nothing runs any more, however long that takes. */
  readonly retire: (request: StopRequest) => void;
  findRetirement(): StopRequest | undefined;
  /** From now on nothing is claimed; what runs may go on for the time of grace. The exit code is 0 if absent. */
  readonly request: (reason: string, code?: number) => void;
  /** What runs is killed at once. */
  readonly kill: (reason: string, code?: number) => void;
  /** A lock of ours was taken away, so our jobs are somebody else's: nothing may be published any more. */
  compromise(reason: string): void;
  isCompromised(): boolean;
  /** Notes a process group that runs for a job, until the function it gives is called. */
  track(group: number): () => void;
  /** Nothing runs any more. */
  close(): void;
}

/** From SIGTERM at the end of the grace to SIGKILL: less than at a job's own limit, since a supervisor waits for the watcher. */
const TERM_MS = 2000;

export function createShutdown(graceMs: number): Shutdown {
  const abort = new AbortController();
  // Every job listens. Node would warn of more than ten, in the middle of the log on stderr.
  setMaxListeners(0, abort.signal);
  const groups = new Set<number>();
  const timers: NodeJS.Timeout[] = [];
  let isRequested = false;
  let isCompromised = false;
  let retirement: StopRequest | undefined;
  let resolveRequested: (request: StopRequest) => void;
  const requested = new Promise<StopRequest>((resolve) => (resolveRequested = resolve));

  function request(reason: string, code = 0): void {
    if (isRequested) return;
    isRequested = true;
    timers.push(
      setTimeout(() => abort.abort(), graceMs),
      setTimeout(killGroups, graceMs + TERM_MS),
    );
    resolveRequested({ reason, code });
  }

  function kill(reason: string, code = 0): void {
    request(reason, code);
    abort.abort();
    killGroups();
  }

  function killGroups(): void {
    for (const group of groups) signalGroup(group, "SIGKILL");
  }

  return {
    signal: abort.signal,
    requested,
    isRequested: () => isRequested,
    retire: (request) => void (retirement ??= request),
    findRetirement: () => retirement,
    request,
    kill,
    compromise(reason) {
      isCompromised = true;
      kill(reason, EXIT_TEMPORARY);
    },
    isCompromised: () => isCompromised,
    track(group) {
      groups.add(group);
      return () => void groups.delete(group);
    },
    close: () => timers.forEach(clearTimeout),
  };
}
