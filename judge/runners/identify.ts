import { createHash } from "node:crypto";
import { statSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Mode } from "../../inbox-schema/job.ts";
import type { Env } from "../../lib/io/paths.ts";
import { getRunnerEnv } from "./env.ts";
import type { Runner } from "./runner.ts";

/** How a runner is called, without what it is asked: its name and its argv. Two that are called alike answer alike. */
export function describeCall(runner: Runner, mode: Mode): readonly string[] {
  const { file, args } = runner.invoke("", mode);
  return [runner.name, file, ...args];
}

/**
 * Which program that call would run, and for whom, as 16 hex digits: they change when it is installed, updated or removed, and with the
 * account's variables. Nothing can be read from them.
 */
export function identifyProgram(runner: Runner, mode: Mode, parent: Env): string {
  const { PATH, ...env } = getRunnerEnv(parent, { jobId: "", state: "", extra: runner.getVariables(parent) });
  const own = runner.getVariables(parent).map((name) => name.replace(/\*$/, ""));
  const account = Object.entries(env).filter(([name]) => isHome(name) || own.some((start) => name.startsWith(start)));
  return hash([findProgram(runner.invoke("", mode).file, PATH), account]);
}

/** Where a program was looked for, and what was there: to be looked at again by somebody with another PATH. */
export interface Lookup {
  readonly file: string;
  readonly path: string;
  readonly found: string | null;
}

/** Looks for the program of a call as the system will. */
export function lookUp(runner: Runner, mode: Mode, parent: Env): Lookup {
  const { file } = runner.invoke("", mode);
  const { PATH: path = "" } = parent;
  return { file, path, found: findProgram(file, path) };
}

/** Whether it was installed, updated or removed since. */
export function hasProgramChanged({ file, path, found }: Lookup): boolean {
  return findProgram(file, path) !== found;
}

/** The first 16 hex digits of the SHA-256 of a value that JSON can hold. */
export function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

function isHome(name: string): boolean {
  return ["HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"].includes(name);
}

/** Where the program is and what tells one version of it from another; null when it is not there. */
function findProgram(file: string, path = ""): string | null {
  const places = file.startsWith("/") ? [file] : path.split(":").map((folder) => join(folder, file));
  for (const place of places) {
    const stats = findStats(place);
    if (stats?.isFile() === true) return `${place} ${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  }
  return null;
}

/** What cannot be looked at, such as in a folder of another account's, is passed over as by the system. */
function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
