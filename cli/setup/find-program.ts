import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";

/** Where PATH has a program that may be run; undefined where it has none. */
export function findProgram(name: string, env: Env): string | undefined {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
