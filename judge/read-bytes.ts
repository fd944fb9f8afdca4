import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { errorCode } from "../lib/io/error-code.ts";

/**
 * The bytes of a regular file, at most `limit` of them, or in a word what is wrong with it: the code of an error that the file itself
 * is to blame for, `ENOTREG` for a pipe or a folder. Follows no link and waits for no writer. Throws when the system is at fault.
 */
export function readBytes(path: string, limit: number): Buffer | string {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return getFileFault(error);
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() ? readAll(fd, Math.min(stats.size, limit)) : "ENOTREG";
  } catch (error) {
    return getFileFault(error);
  } finally {
    closeSync(fd);
  }
}

function readAll(fd: number, size: number): Buffer {
  const buffer = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(fd, buffer, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function getFileFault(error: unknown): string {
  const code = errorCode(error);
  if (code !== undefined && ["ENOENT", "EACCES", "EPERM", "ELOOP", "ENXIO", "EISDIR", "EIO"].includes(code))
    return code;
  throw error;
}
