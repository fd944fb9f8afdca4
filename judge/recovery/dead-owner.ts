import { statSync } from "node:fs";
import { join } from "node:path";
import { listInstanceNames, probeInstance, readInstance } from "../../lib/io/instance.ts";
import type { StatePaths } from "../../lib/io/paths.ts";

/** An owner whose process cannot be seen is dead when its lock was not touched for so long: it should be every 5 s. */
const LEASE_MS = 60_000;

/**
 * Tells whether the watcher of a name is gone. One on another machine or in another container is judged by its lock alone, by how
 * long that looked the same on our own `monotonic` clock (ms): the clocks of two machines are never compared.
 */
export function createDeadTest(paths: StatePaths, monotonic: () => number): (name: string) => boolean {
  const seen = new Map<string, { readonly touched: number | undefined; readonly since: number }>();
  return (name) => {
    const instance = readInstance(paths, name);
    // It writes its file before it claims anything and removes it when all is given back.
    if (instance === undefined) return true;
    const liveness = probeInstance(instance);
    if (liveness !== "unknown") return liveness === "dead";
    const touched = statSync(join(paths.locks, name), { throwIfNoEntry: false })?.mtimeMs;
    const last = seen.get(name);
    if (last !== undefined && last.touched === touched) return monotonic() - last.since >= LEASE_MS;
    const known = new Set(listInstanceNames(paths));
    for (const other of seen.keys()) if (!known.has(other)) seen.delete(other);
    seen.set(name, { touched, since: monotonic() });
    return false;
  };
}
