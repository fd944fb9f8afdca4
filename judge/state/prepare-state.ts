import { accessSync, constants } from "node:fs";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makePrivateDir } from "../../lib/io/publish-file.ts";

/** Makes every directory that a watcher needs and checks that it may write there. Throws the system's error. */
export function prepareState(paths: StatePaths): void {
  const { root, tmp, inbox, claimed, reclaim, attempts, outbox, undelivered, dead, instances, locks } = paths;
  for (const dir of [root, tmp, inbox, claimed, reclaim, attempts, outbox, undelivered, dead, instances, locks]) {
    makePrivateDir(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  }
}
