import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { sha1 } from "./sha1.ts";

/**
 * Where a verdict is delivered: 16 hex digits that stay the same for every spelling of one transcript path. The folder is
 * resolved through symbolic links, the file itself need not exist yet (Claude Code creates it after the first prompt).
 */
export function getTranscriptKey(transcriptPath: string): string {
  const folder = dirname(resolve(transcriptPath));
  return shortHash(join(realpathOrSelf(folder), basename(transcriptPath)));
}

/** The key of a session that has no transcript file. */
export function getSessionKey(harness: string, sessionId: string): string {
  return shortHash(`${harness}:${sessionId}`);
}

/** The first 16 hex digits of the SHA-1 of `text`. A name, not a secret. */
export function shortHash(text: string): string {
  return sha1(text).slice(0, 16);
}

/** Without its links; as it is where the system cannot tell, as below another process's root in /proc. */
export function realpathOrSelf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
