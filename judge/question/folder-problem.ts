import { statSync } from "node:fs";
import { errorCode } from "../../lib/io/error-code.ts";

/** Why nothing can run in `path`, to be read behind its name; undefined: it is a folder. Never throws. */
export function findFolderProblem(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : "is not a folder";
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR"
      ? "does not exist"
      : `cannot be looked at (${code ?? String(error)})`;
  }
}
