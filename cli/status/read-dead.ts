import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listDir } from "../../lib/io/list-dir.ts";
import { parseRow } from "../../lib/transcript/row.ts";

/** Why one file is in dead/. */
export interface DeadReason {
  /** Its name there. */
  readonly file: string;
  readonly reason: string;
  readonly at: Date;
}

const SUFFIX = ".reason.json";

/** The newest reasons in dead/, at most `limit`; broken ones are left out. */
export function readDeadReasons(dir: string, limit: number): DeadReason[] {
  const found = listDir(dir).flatMap((name) => {
    const stat = lstatSync(join(dir, name), { throwIfNoEntry: false });
    return name.endsWith(SUFFIX) && stat?.isFile() === true ? [{ name, at: stat.mtime }] : [];
  });
  return found
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, limit)
    .flatMap(({ name, at }) => {
      const reason = parseRow(readFileSync(join(dir, name), "utf8"))?.["reason"];
      return typeof reason === "string" ? [{ file: name.slice(0, -SUFFIX.length), reason, at }] : [];
    });
}
