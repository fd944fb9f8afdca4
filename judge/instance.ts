import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { parseObject } from "../inbox-schema/problem.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { getOwnIdentity, probeLiveness, type Liveness, type ProcessIdentity } from "../lib/io/process-identity.ts";
import { errorCode, replaceFile } from "../lib/io/publish-file.ts";
import { version } from "./version.ts";

/** One running watcher, as `run/instances/<name>.json` tells others of it. */
export interface Instance extends ProcessIdentity {
  readonly name: string;
  readonly hostname: string;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

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

/** Undefined when there is no such file or it is broken: an instance that cannot be named cannot be alive. */
export function readInstance(paths: StatePaths, name: string): Instance | undefined {
  try {
    return parseInstance(readFileSync(getInstancePath(paths, name), "utf8"), name);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Every instance that has a readable file, running or not. */
export function readInstances(paths: StatePaths): Instance[] {
  return listInstanceNames(paths).flatMap((name) => readInstance(paths, name) ?? []);
}

/** The names of all instance files. */
export function listInstanceNames(paths: StatePaths): string[] {
  return listDir(paths.instances).flatMap((file) =>
    file.endsWith(".json") && !file.startsWith(".") ? [file.slice(0, -5)] : [],
  );
}

export function getInstancePath(paths: StatePaths, name: string): string {
  return join(paths.instances, `${name}.json`);
}

/** Whether the watcher runs. `unknown`: on another machine or in another container, where its process cannot be seen. */
export function probeInstance(instance: Instance): Liveness {
  return instance.hostname === hostname() ? probeLiveness(instance) : "unknown";
}

function parseInstance(text: string, name: string): Instance | undefined {
  const parsed = parseObject(text);
  if (!parsed.ok) return undefined;
  const { pid, startTime, bootId, pidNamespace, hostname, version, startedAt } = parsed.value;
  if (typeof pid !== "number" || typeof startTime !== "string" || typeof bootId !== "string") return undefined;
  if (typeof pidNamespace !== "string" || typeof hostname !== "string") return undefined;
  if (typeof version !== "string" || typeof startedAt !== "string") return undefined;
  return { name, pid, startTime, bootId, pidNamespace, hostname, version, startedAt };
}
