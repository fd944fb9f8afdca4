import { restoreAbandoned } from "../../lib/io/delivery/delivering.ts";
import { prepareState } from "../state/prepare-state.ts";
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
  const { paths, now, emit, complaints, onEnd } = options;
  const reclaimDead = createReclaimer(options);
  const closing = new AbortController();
  let round: Promise<void> | undefined;
  let sweptAt = -Infinity;

  async function clean(): Promise<void> {
    // Somebody may have removed one of the folders, or taken the right to write there.
    await attempt("the state directory", () => prepareState(paths));
    await attempt("cleaning up", async () => {
      await reclaimDead();
      restoreAbandoned(paths, now());
    });
    if (performance.now() - sweptAt >= SWEEP_MS) {
      sweptAt = performance.now();
      await attempt("removing what is old", () => sweep({ paths, now: now(), signal: closing.signal, onBurial }));
    }
    round = undefined;
    onEnd();
  }

  async function attempt(what: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
      complaints.worked(what);
    } catch (error) {
      complaints.failed(what, error);
    }
  }

  function onBurial({ from, file }: { readonly from: string; readonly file: string }): void {
    emit({ event: "watcher:note", message: `${from} is no job; moved to dead/${file}` });
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
      closing.abort();
      await round;
    },
  };
}
