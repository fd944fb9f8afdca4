import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { unlinkQuietly } from "../../lib/io/publish-file.ts";
import { probeAuthorship, type Authorship } from "./signature.ts";
import type { ServiceFile } from "./service.ts";

/** For everybody to read, as supervisors expect (systemd warns of a unit that is not); no file holds a secret. */
const FILE_MODE = 0o644;

/** What stands at a file's place; `same` is what would be written. */
export type FileState = "absent" | "same" | Authorship;

/** Looks at the place of a file and follows no link: a masked unit is a link to /dev/null. Throws the system's error. */
export function readFileState({ path, text }: ServiceFile): FileState {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return "absent";
  if (!stat.isFile()) return "foreign";
  const found = readFileSync(path, "utf8");
  return found === text ? "same" : probeAuthorship(found);
}

/** Writes or replaces the file in one step. Throws the system's error; nothing is left behind then. */
export function writeServiceFile({ path, text }: ServiceFile): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(temporary, text, { mode: FILE_MODE, flag: "wx", flush: true });
    renameSync(temporary, path);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
}
