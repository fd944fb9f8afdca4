import { readdirSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** The names in a directory; none when there is no such directory. Throws the system's error when it cannot be read. */
export function listDir(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
