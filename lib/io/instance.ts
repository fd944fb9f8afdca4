import { hostname } from "node:os";
import { join } from "node:path";
import { isTime } from "./time.ts";
import { parseRow } from "../transcript/row.ts";
import { listDir } from "./list-dir.ts";
import type { StatePaths } from "./paths.ts";
import { parseIdentity, probeLiveness, type Liveness, type ProcessIdentity } from "./process-identity.ts";
import { findSmallText } from "./read-small-file.ts";

/** One running watcher, as `run/instances/<name>.json` tells others of it. */
export interface Instance extends ProcessIdentity {
  readonly name: string;
  readonly hostname: string;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** Undefined when there is no such file or it is broken: an instance that cannot be named cannot be alive. Throws the system's error. */
export function readInstance(paths: StatePaths, name: string): Instance | undefined {
  const text = findSmallText(getInstancePath(paths, name));
  return text === undefined ? undefined : parseInstance(text, name);
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
  const identity = parseIdentity(text);
  const { hostname, version, startedAt } = parseRow(text) ?? {};
  if (identity === undefined || typeof hostname !== "string") return undefined;
  if (typeof version !== "string" || !isTime(startedAt)) return undefined;
  return { ...identity, name, hostname, version, startedAt };
}
