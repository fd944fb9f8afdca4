import { statSync } from "node:fs";
import { listDir } from "../../lib/io/list-dir.ts";

/** Two changes within one tick of the file system's clock leave one time, so a time of just now tells nothing. */
const SETTLED_MS = 2000;

/**
 * Counts the files of folders, hidden ones apart. A folder that has not changed since its last count is not read again: there may be
 * thousands of verdicts, and they are counted every few seconds.
 */
export function createFileCounter(): (dir: string, isCounted?: (name: string) => boolean) => number {
  const counts = new Map<string, { readonly changedAt: number; readonly count: number }>();
  return (dir, isCounted = () => true) => {
    const changedAt = statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const last = counts.get(dir);
    if (last?.changedAt === changedAt) return last.count;
    const count = listDir(dir).filter((name) => !name.startsWith(".") && isCounted(name)).length;
    if (Date.now() - changedAt > SETTLED_MS) counts.set(dir, { changedAt, count });
    return count;
  };
}
