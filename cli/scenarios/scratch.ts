import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";
import type { Env } from "../../lib/io/paths.ts";

/** On Linux, a folder in memory. */
const MEMORY = "/dev/shm";

/**
 * Where scratch folders are made: in memory where there is such a folder and no `TMPDIR` says otherwise. Jobs and verdicts are synced to the disk as in
 * earnest, which takes most of a story's time elsewhere.
 */
export function getScratchParent(env: Env): string {
  if (env["TMPDIR"]) return env["TMPDIR"];
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK);
    return MEMORY;
  } catch {
    return tmpdir();
  }
}
