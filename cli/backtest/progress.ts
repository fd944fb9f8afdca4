import { formatAge } from "../plain-text.ts";

export interface Step {
  readonly done: number;
  readonly total: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly turns: number;
}

/** A line on a terminal that tells how far the work is. */
export interface Progress {
  show(step: Step): void;
  say(text: string): void;
  /** Takes the line away. */
  clear(): void;
}

/** What a progress line needs of a stream. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Often enough to be seen moving. */
const EVERY_MS = 200;

/** Writes nothing where nobody watches. */
export function openProgress(screen: Screen, getMs: () => number = () => performance.now()): Progress {
  if (screen.isTTY !== true) return { show: () => {}, say: () => {}, clear: () => {} };
  const began = getMs();
  let shownAt = -Infinity;
  const write = (text: string): void => void screen.write(`\r\u001B[K${text}`);
  return {
    show(step) {
      if (getMs() - shownAt < EVERY_MS) return;
      shownAt = getMs();
      write(formatStep(step, shownAt - began));
    },
    say: write,
    clear: () => write(""),
  };
}

/** "12 of 40 files, 310 turns, 8 s to go" */
export function formatStep({ done, total, bytes, totalBytes, turns }: Step, elapsedMs: number): string {
  const counts = `${done} of ${total} files, ${turns} turns`;
  // At the start a guess would be far off.
  if (elapsedMs < 2000 || bytes === 0) return counts;
  return `${counts}, ${formatAge((elapsedMs / bytes) * (totalBytes - bytes))} to go`;
}
