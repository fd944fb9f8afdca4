import { statSync } from "node:fs";
import { createMark, isMarked, type Mark } from "./once.ts";
import { getMonotonicMs } from "../monotonic.ts";
import { shortHash } from "../transcript-key.ts";
import type { DigestReading } from "../transcript/read-transcript.ts";

/** Claude Code 2.1.197 starts the hooks at a turn's end before its last rows are on disk; they came within 20 ms. */
const PATIENCE_MS = 250;
const PAUSE_MS = 5;

export interface AwaitedTranscript {
  readonly path: string;
  readonly read: () => DigestReading;
  /** Where is written down what never came, so that no later turn waits for it. */
  readonly onceDir: string;
  readonly now: Date;
  readonly pause?: (ms: number) => void;
}

/**
 * The reading, taken anew for at most 250 ms while the result of a check is missing that the agent must have had: it ends no turn before the
 * results of its calls, but for commands in the background. Turns without such a check cost nothing. A result that did not come is not
 * waited for a second time.
 */
export function awaitResults(first: DigestReading, transcript: AwaitedTranscript): DigestReading {
  const { path, read, onceDir, now, pause = sleep } = transcript;
  const findMissing = (reading: DigestReading): readonly Mark[] =>
    findAwaited(reading, path, onceDir).filter((mark) => !isMarked(mark, now));
  let reading = first;
  let size = -1;
  if (findMissing(reading).length === 0) return reading;
  for (const deadline = getMonotonicMs() + PATIENCE_MS; getMonotonicMs() < deadline;) {
    const grown = statSync(path, { throwIfNoEntry: false })?.size ?? size;
    if (grown === size) pause(PAUSE_MS);
    else reading = read();
    size = grown;
    if (findMissing(reading).length === 0) return reading;
  }
  for (const mark of findMissing(reading)) giveUp(mark, now);
  return reading;
}

function giveUp(mark: Mark, now: Date): void {
  try {
    createMark(mark, now);
  } catch {
    // A later turn waits once more.
  }
}

/** One mark for each check that was waited for and has no result. */
function findAwaited(reading: DigestReading, path: string, dir: string): readonly Mark[] {
  if (!reading.ok || !reading.complete) return [];
  const waitedFor = reading.digest.pending.filter(({ taskId }) => taskId === undefined);
  return waitedFor.map(({ callId }) => ({ dir, name: shortHash(`never-came::${path}::${callId}`), content: callId }));
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
