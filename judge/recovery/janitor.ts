import { restoreAbandoned } from "../../lib/io/delivery/delivering.ts";
import { createReclaimer, type ReclaimOptions } from "./reclaim.ts";
import { sweep } from "./sweep.ts";

/** Puts right what watchers that are gone have left. */
export interface Janitor {
  isBusy(): boolean;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
}

export interface JanitorOptions extends ReclaimOptions {
  /** One round is over: there may be more in the inbox. */
  readonly onEnd: () => void;
}

const ROUND_MS = 10_000;
const SWEEP_MS = 60 * 60 * 1000;

/** Begins a round now, and another every 10 s. */
export function startJanitor(options: JanitorOptions): Janitor {
  const { paths, now, complaints, onEnd } = options;
  const reclaimDead = createReclaimer(options);
  let round: Promise<void> | undefined;
  let sweptAt = -Infinity;

  async function clean(): Promise<void> {
    try {
      await reclaimDead();
      restoreAbandoned(paths, now());
      if (performance.now() - sweptAt >= SWEEP_MS) {
        sweep(paths, now());
        sweptAt = performance.now();
      }
      complaints.worked("cleaning up");
    } catch (error) {
      complaints.failed("cleaning up", error);
    }
    round = undefined;
    onEnd();
  }

  const begin = () => {
    round ??= clean();
  };
  begin();
  const timer = setInterval(begin, ROUND_MS);
  return {
    isBusy: () => round !== undefined,
    async close() {
      clearInterval(timer);
      await round;
    },
  };
}
