import { closeSync, readFileSync } from "node:fs";
import { openRegular } from "./open-regular.ts";

/** What is written down of a process, a watcher or a job that runs is far smaller. */
const MAX_STATE_FILE_BYTES = 1024 * 1024;

/** What stands under a name that should be a small file. */
export type SmallFile =
  | { readonly is: "file"; readonly bytes: Buffer }
  | { readonly is: "nothing" }
  /** Something else, or too large; the reason says what was expected and what came. */
  | { readonly is: "other"; readonly reason: string };

/**
 * Reads a file whole, through symbolic links. Only a regular file of at most `maxBytes` is read, so that neither a named pipe nor a device
 * holds the reader up, nor fills its memory. Throws the system's error when it cannot be read.
 */
export function readSmallFile(path: string, maxBytes: number): SmallFile {
  const opened = openRegular(path);
  if (opened === "nothing") return { is: "nothing" };
  if (opened === "other") return { is: "other", reason: "expected a file, got something else" };
  const { fd, stats } = opened;
  try {
    if (stats.size > maxBytes) return { is: "other", reason: `expected at most ${maxBytes} bytes, got ${stats.size}` };
    return { is: "file", bytes: readFileSync(fd) };
  } finally {
    closeSync(fd);
  }
}

/** The text of a file of the state folder; undefined when it is not there or cannot be ours. Throws as `readSmallFile`. */
export function findSmallText(path: string, maxBytes = MAX_STATE_FILE_BYTES): string | undefined {
  const file = readSmallFile(path, maxBytes);
  return file.is === "file" ? file.bytes.toString("utf8") : undefined;
}
