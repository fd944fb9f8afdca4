import { linkSync, readFileSync, renameSync, statSync } from "node:fs";
import { appendText } from "./append-text.ts";
import { errorCode } from "./error-code.ts";
import { unlinkQuietly } from "./publish-file.ts";

/**
 * Moves a file that has `maxBytes` or more to `<path>.1`, in place of an older one. Several processes may do so at once, while others append:
 * none of what they write is lost by it. Throws the system's error.
 */
export function rotateFile(path: string, maxBytes: number): void {
  if (getSize(path) < maxBytes) return;
  // A leftover of this name is swept.
  const aside = `${path}.${process.pid}.rotate.tmp`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  // Another process was faster, and this is the new file.
  if (getSize(aside) < maxBytes) putBack(aside, path);
  else renameSync(aside, `${path}.1`);
}

function putBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    appendText(path, readFileSync(aside));
  }
  unlinkQuietly(aside);
}

function getSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
