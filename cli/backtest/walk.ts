import { setImmediate as nextTick } from "node:timers/promises";
import type { Hook } from "../../lib/hook.ts";
import type { ResultCache } from "./cache.ts";
import { checkSession } from "./check-session.ts";
import type { TranscriptFile } from "./find-transcripts.ts";
import type { SessionResult } from "./firing.ts";
import type { Progress } from "./progress.ts";
import { tryTranscript } from "./try-transcript.ts";

/** A file and what the hooks would have done in it. */
export interface WalkedSession {
  readonly path: string;
  readonly result: SessionResult;
}

export interface Walk {
  readonly sessions: readonly WalkedSession[];
  /** Files that could not be read, a line each. */
  readonly problems: readonly string[];
  /** How many files had not been read when the person ended it. */
  readonly left: number;
  /** How many were read in this run. */
  readonly read: number;
}

interface WalkOptions {
  readonly hooks: readonly Hook[];
  readonly cache: ResultCache;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Reads one transcript after the other, those that have changed since an earlier run; each result is kept as soon as it is there. */
export async function walkTranscripts(
  files: readonly TranscriptFile[],
  { hooks, cache, progress, signal }: WalkOptions,
): Promise<Walk> {
  const sessions: WalkedSession[] = [];
  const problems: string[] = [];
  const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let read = 0;
  let bytes = 0;
  let turns = 0;
  for (const [index, file] of files.entries()) {
    // What is kept from an earlier run is read at once: a signal is heard between two files, too.
    await nextTick();
    const interrupted = { sessions, problems, left: files.length - index, read };
    if (signal.aborted) return interrupted;
    progress.show({ done: index, total: files.length, bytes, totalBytes, turns });
    const known = cache.find(file);
    const tell = (problem: string): void => void problems.push(problem);
    const check = () => checkSession(file.path, hooks, { signal });
    const result = known ?? (await tryTranscript(file.path, check, { tell, signal }));
    if (signal.aborted && result === undefined) return interrupted;
    bytes += file.bytes;
    if (result === undefined) continue;
    if (known === undefined) {
      read += 1;
      cache.keep(file, result);
    }
    turns += result.turns.length;
    sessions.push({ path: file.path, result });
  }
  return { sessions, problems, left: 0, read };
}
