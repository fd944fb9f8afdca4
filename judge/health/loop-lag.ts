/** How late a process is for what its clocks call it to. */
export interface LagMeter {
  /** The longest delay since the last call, in ms. */
  take(): number;
  close(): void;
}

/** A loop that is held up for less may be missed: it harms nobody here, and looking more often would cost more. */
const SAMPLE_MS = 1000;

/** Looks how late its own clock is. */
export function measureLoopLag(): LagMeter {
  let longest = 0;
  let due = performance.now() + SAMPLE_MS;
  const note = (now: number) => (longest = Math.max(longest, now - due));
  const timer = setInterval(() => {
    const now = performance.now();
    note(now);
    due = now + SAMPLE_MS;
  }, SAMPLE_MS).unref();
  return {
    take() {
      const now = performance.now();
      const lag = note(now);
      longest = 0;
      // What is told now is not told again when the clock is called at last.
      due = Math.max(due, now);
      return Math.round(lag);
    },
    close: () => clearInterval(timer),
  };
}
