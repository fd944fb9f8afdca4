/** Which names are not to be tried for a while, since they failed. Times are ms of one clock. */
export interface Backoff {
  isOn(name: string, now: number): boolean;
  /** Twice as long as the last time: from 1 s to a minute. */
  add(name: string, now: number): void;
  clear(name: string): void;
  /** What failed and was neither cleared nor forgotten, with how often it failed in a row. */
  list(): readonly { readonly name: string; readonly count: number }[];
  /** Forgets the names that are not `isKept`: they will not be tried again. */
  forget(isKept: (name: string) => boolean): void;
}

const FIRST_MS = 1000;
const MAX_MS = 60_000;

export function createBackoff(): Backoff {
  const failures = new Map<string, { until: number; waitMs: number; count: number }>();
  return {
    isOn: (name, now) => now < (failures.get(name)?.until ?? 0),
    add(name, now) {
      const last = failures.get(name);
      const waitMs = last === undefined ? FIRST_MS : Math.min(2 * last.waitMs, MAX_MS);
      failures.set(name, { until: now + waitMs, waitMs, count: (last?.count ?? 0) + 1 });
    },
    clear: (name) => void failures.delete(name),
    list: () => [...failures].map(([name, { count }]) => ({ name, count })),
    forget(isKept) {
      for (const name of failures.keys()) if (!isKept(name)) failures.delete(name);
    },
  };
}
