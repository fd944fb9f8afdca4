import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";

/** Makes a fresh, empty folder for one attempt below `TMPDIR`, private to the account. Rejects when it cannot be made. */
export function makeTempFolder(env: Env): Promise<string> {
  const parent = env["TMPDIR"] ?? "";
  return mkdtemp(join(isAbsolute(parent) ? parent : tmpdir(), "catstack-judge-"));
}

/** Removes it with all that a runner left in it. Gives why that failed; never rejects, since the answer is there already. */
export async function removeTempFolder(folder: string): Promise<string | undefined> {
  try {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    return `could not remove ${folder}: ${String(error)}`;
  }
}
