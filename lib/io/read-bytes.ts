import { closeSync, constants } from "node:fs";
import { errorCode } from "./error-code.ts";
import { openRegular, readAt } from "./open-regular.ts";

/**
 * The bytes of a regular file, at most `limit` of them, or in a word what is wrong with it: the code of an error that the file itself
 * is to blame for, `ENOTREG` for a pipe or a folder. Follows no link and waits for no writer. Throws when the system is at fault.
 */
export function readBytes(path: string, limit: number): Buffer | string {
  try {
    const opened = openRegular(path, constants.O_NOFOLLOW);
    if (opened === "nothing") return "ENOENT";
    if (opened === "other") return "ENOTREG";
    const { fd, stats } = opened;
    try {
      return readAt(fd, 0, Math.min(stats.size, limit));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && ["EACCES", "EPERM", "ELOOP", "EIO"].includes(code)) return code;
    throw error;
  }
}
