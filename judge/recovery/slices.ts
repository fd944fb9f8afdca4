import { setImmediate as breathe } from "node:timers/promises";

/** So long other work waits, at most, for a long list of small tasks. */
const SLICE_MS = 10;

/** Does a small piece of work on each item, letting other work go on in between; ends early when the signal is given. */
export async function forEachSliced<T>(
  items: readonly T[],
  work: (item: T) => void,
  signal: AbortSignal,
): Promise<void> {
  let begin = performance.now();
  for (const item of items) {
    if (signal.aborted) return;
    work(item);
    if (performance.now() - begin < SLICE_MS) continue;
    await breathe();
    begin = performance.now();
  }
}
