import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { isJobEvent, type EventBus } from "../events.ts";
import type { Scan } from "../schedule/dispatch.ts";
import { EXIT_TEMPORARY } from "./exit-codes.ts";
import type { StopRequest } from "./shutdown.ts";

/** With `once`, what failed this often in a row is left. */
const MAX_FAILURES = 3;

/**
 * How a watcher that is to end when all is done ends, when nothing runs; undefined: there is something to wait for. `hasKept`: a job
 * waits for its old runner, which could not be ended; whoever comes next tries again.
 */
export function findEnd(
  { waiting, halfWritten, failed, unknownLimits }: Scan,
  hasKept: boolean,
): StopRequest | undefined {
  if (halfWritten > 0 || failed.some(({ count }) => count < MAX_FAILURES)) return undefined;
  if (failed.length === 0 && hasKept) {
    return { reason: "an old runner could not be ended; judge.log says which", code: EXIT_TEMPORARY };
  }
  if (failed.length === 0 && waiting > 0 && unknownLimits !== undefined) {
    return { reason: `nobody may be asked: ${unknownLimits}`, code: EXIT_TEMPORARY };
  }
  if (failed.length === 0) return { reason: "nothing left", code: 0 };
  const names = failed.map(({ name }) => name).join(", ");
  return { reason: `tried ${MAX_FAILURES} times in vain: ${names}; judge.log says why`, code: EXIT_TEMPORARY };
}

export interface IdleClockOptions {
  readonly paths: StatePaths;
  readonly bus: EventBus;
  /** Our own instance, whose claims are known to be worked on. */
  readonly me: string;
  readonly limitMs: number;
}

/** Tells a watcher when it has had nothing to do for so long that it may end. */
export interface IdleClock {
  /** `isBusy`: something runs, waits or is being cleaned up. Gives the end once there was nothing for the whole time. */
  look(isBusy: boolean): StopRequest | undefined;
}

/**
 * Supervisors that start a watcher when the inbox is not empty look at nothing else, and look again when it has ended. So whoever calls
 * `look` counts everything in the inbox as something that waits, also what is no job or has no budget left today.
 */
export function createIdleClock({ paths, bus, me, limitMs }: IdleClockOptions): IdleClock {
  let since = performance.now();
  const reset = () => (since = performance.now());
  bus.subscribe((event) => {
    if (isJobEvent(event)) reset();
  });
  return {
    look(isBusy) {
      if (isBusy) reset();
      if (performance.now() - since < limitMs) return undefined;
      if (!hasForeignClaims(paths, me)) return { reason: `nothing to do for ${limitMs / 1000} s`, code: 0 };
      reset();
      return undefined;
    },
  };
}

/** Folders of other watchers: if one of these dies, somebody has to give back the jobs in it. */
function hasForeignClaims({ claimed, reclaim }: StatePaths, me: string): boolean {
  return listDir(reclaim).length > 0 || listDir(claimed).some((name) => name !== me);
}
