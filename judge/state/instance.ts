import { hostname } from "node:os";
import { getInstancePath, type Instance } from "../../lib/io/instance.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { getOwnIdentity } from "../../lib/io/process-identity.ts";
import { replaceFile } from "../../lib/io/publish-file.ts";
import { version } from "../../lib/version.ts";

/** This process as a watcher. `<start in ms, base 36>-<pid>-<random>`: no two watchers ever share a name. */
export function createInstance(now: Date, random: string): Instance {
  const identity = getOwnIdentity();
  const name = `${now.getTime().toString(36)}-${identity.pid}-${random}`;
  return { ...identity, name, hostname: hostname(), version, startedAt: now.toISOString() };
}

/** Makes the instance known. Must come before its first claim, which others would take for a dead one's. */
export function writeInstance(paths: StatePaths, instance: Instance): void {
  replaceFile(getInstancePath(paths, instance.name), `${JSON.stringify(instance)}\n`);
}
