import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What is in a folder, by path below it: mode and bytes of files, target of links. Times are left out. */
export type Snapshot = Readonly<Record<string, string>>;

export function takeSnapshot(folder: string): Snapshot {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(names.map((name) => [name, describe(join(folder, name))]));
}

function describe(path: string): string {
  const stats = lstatSync(path);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (stats.isDirectory()) return `${mode} /`;
  return stats.isFile() ? `${mode} ${readFileSync(path, "latin1")}` : `${mode} special`;
}

/** The paths that came, went or changed, sorted. */
export function findChanges(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).toSorted();
}
