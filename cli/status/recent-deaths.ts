import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readReason } from "../../judge/dead/list-dead.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { REASON_SUFFIX } from "../../lib/io/paths.ts";

/** A file that died, and why. */
export interface RecentDeath {
  /** Its name in dead/. */
  readonly file: string;
  readonly reason: string;
  readonly at: Date;
}

/** Those with the newest reasons in dead/, at most `limit`; broken reasons are left out. */
export function readRecentDeaths(dir: string, limit: number): RecentDeath[] {
  const names = listDir(dir).filter((name) => name.endsWith(REASON_SUFFIX));
  const found = names.flatMap((name) => {
    const stat = lstatSync(join(dir, name), { throwIfNoEntry: false });
    return stat?.isFile() === true ? [{ name, at: stat.mtime }] : [];
  });
  return found
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, limit)
    .flatMap(({ name, at }) => {
      const { reason } = readReason(join(dir, name));
      return reason === undefined ? [] : [{ file: name.slice(0, -REASON_SUFFIX.length), reason: reason.reason, at }];
    });
}
