import { lstatSync, readdirSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { countNone, type Figure } from "../helpers/figures.ts";
import { findProcessesWith } from "../helpers/proc.ts";
import type { Site } from "./site.ts";

const TWO_HOURS_S = 2 * 60 * 60;

/** Watchers leave the temporary files of others alone for an hour: this makes those of killed ones two hours old. */
export function ageTemporaryFiles({ paths }: Site): number {
  const then = Date.now() / 1000 - TWO_HOURS_S;
  const files = listFiles(paths.root).filter((path) => path.endsWith(".tmp"));
  for (const file of files) utimesSync(file, then, then);
  return files.length;
}

/** What no watcher may leave behind once there is nothing to do. */
export function findLeftovers(site: Site): Figure[] {
  const { home, temp, paths } = site;
  const processes = findProcessesWith(`HOME=${home}`).map((pid) => `process ${pid}`);
  const { root, inbox, claimed, reclaim, attempts, tmp, locks, instances } = paths;
  const list = (...folders: string[]) => folders.flatMap((folder) => listDir(folder).map((name) => join(folder, name)));
  const all = listFiles(root);
  const records = all.filter((path) => /\.(?:run|death)\.json$/.test(path));
  const temporary = [...all.filter((path) => path.endsWith(".tmp")), ...list(tmp)];
  const show = (found: readonly string[]) => [...new Set(found)].map((path) => relative(site.folder, path));
  return [
    countNone("left behind: processes", "processes", processes),
    countNone("left behind: job files", "files", show(list(inbox))),
    countNone("left behind: claims", "files", show(list(claimed, reclaim))),
    countNone("left behind: records of runs and deaths", "files", show(records)),
    countNone("left behind: counts of attempts", "files", show(list(attempts))),
    countNone("left behind: locks and instance files", "files", show(list(locks, instances))),
    countNone("left behind: temporary files", "files", show(temporary)),
    countNone("left behind: temporary folders", "files", show(list(temp))),
  ];
}

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.map((name) => join(folder, name)).filter((path) => lstatSync(path).isFile());
}
