import { appendFileSync } from "node:fs";
import type { StatePaths } from "../../lib/io/paths.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { readSmallFile } from "../../lib/io/read-small-file.ts";
import { dropOldStarts } from "./budget.ts";

/** So many lines are a file worth shortening. */
const MAX_LINES = 4096;
const MAX_BYTES = 1024 * 1024;

/** When jobs began to ask a model, in ms since 1970, from all watchers of this state directory. Throws when they cannot be read. */
export function readStarts(paths: StatePaths): number[] {
  const file = readSmallFile(paths.starts, MAX_BYTES);
  if (file.is === "nothing") return [];
  if (file.is === "other") throw new Error(`${file.reason} (${paths.starts}); remove it`);
  const lines = file.bytes.toString("utf8").split("\n");
  return lines.map(Number).filter((start) => Number.isFinite(start) && start > 0);
}

/** Counts one start. Two watchers may pass a cap by one each when they start at the same moment. */
export function addStart(paths: StatePaths, now: number): void {
  const starts = readStarts(paths);
  if (starts.length >= MAX_LINES)
    replaceFile(
      paths.starts,
      dropOldStarts(starts, now)
        .map((start) => `${start}\n`)
        .join(""),
    );
  appendFileSync(paths.starts, `${now}\n`, { mode: 0o600 });
}
