import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything in a folder, the folder itself included: a path below it, and what would tell that it changed. */
export type Snapshot = ReadonlyMap<string, string>;

/** Reads every file; for a small folder of our own. Throws the system's error. */
export function takeSnapshot(folder: string): Snapshot {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map([".", ...names].map((name) => [name, describe(join(folder, name))]));
}

/** What is there now and was not, is gone, or is another. */
export function listChanges(before: Snapshot, after: Snapshot): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.filter((path) => before.get(path) !== after.get(path));
}

/** Times of change too: what was made and removed again leaves its trace in the folder's. */
function describe(path: string): string {
  const stats = lstatSync(path, { bigint: true });
  const shared = `${stats.mode} ${stats.uid} ${stats.ino} ${stats.mtimeNs}`;
  if (stats.isSymbolicLink()) return `${shared} ${readlinkSync(path)}`;
  if (!stats.isFile()) return shared;
  return `${shared} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}
