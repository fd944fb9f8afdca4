import { statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import type { Env } from "../../lib/io/paths.ts";

/** The file in which a CLI keeps its login, as it looked at some moment. */
export interface Login {
  readonly file: string;
  /** Its number, size and time of change; never what stands in it. */
  readonly stamp: string;
}

/**
 * The login of a CLI as it is now; undefined for a program whose file is not known. `~/.claude.json` is none: claude rewrites it with every
 * run. On macOS claude keeps its login in the keychain, where nothing is seen of it.
 */
export function findLogin(program: string, env: Env): Login | undefined {
  const file = findLoginFile(basename(program), env);
  return file === undefined ? undefined : { file, stamp: getStamp(file) };
}

/** Whether somebody logged in, or out, since. */
export function hasLoginChanged({ file, stamp }: Login): boolean {
  return getStamp(file) !== stamp;
}

function findLoginFile(program: string, { HOME: home = "", CODEX_HOME, CLAUDE_CONFIG_DIR }: Env): string | undefined {
  const file =
    program === "codex"
      ? join(CODEX_HOME || join(home, ".codex"), "auth.json")
      : program === "claude"
        ? join(CLAUDE_CONFIG_DIR || join(home, ".claude"), ".credentials.json")
        : "";
  return isAbsolute(file) ? file : undefined;
}

/** One that is not there, or cannot be looked at, has a stamp too. */
function getStamp(file: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return "none";
  }
}
