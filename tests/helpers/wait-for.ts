import { setTimeout as delay } from "node:timers/promises";

/** Looks again and again until `find` gives something. Throws, naming `what`, when it has not after `deadlineMs`. */
export async function waitFor<T>(what: string, find: () => T | undefined, deadlineMs = 30_000): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = find();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`expected ${what} within ${deadlineMs} ms, got nothing`);
    await delay(10);
  }
}
