import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { errorCode } from "./error-code.ts";

/** A regular file that is open for reading; else `nothing` of that name, or `other`: a folder, a pipe, a socket or a device. */
export type Opened = { readonly fd: number; readonly stats: Stats } | "nothing" | "other";

/**
 * Opens a file for reading, through symbolic links unless `flags` (of open(2)) say otherwise, and waits for nobody: neither a named pipe nor a
 * device holds the reader up. Throws the system's error when it cannot be opened.
 */
export function openRegular(path: string, flags = 0): Opened {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return "nothing";
    // A socket, or a device that is not there.
    if (code === "ENXIO") return "other";
    throw error;
  }
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, stats };
  closeSync(fd);
  return "other";
}

/** The bytes from `offset` on: `length` of them, or fewer where the file ends. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}
