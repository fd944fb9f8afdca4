/** Ctrl-C, heard between two steps. */
export interface Interrupt {
  readonly signal: AbortSignal;
  close(): void;
}

/** Programs that start others pass on a signal that the terminal has sent to both. */
const ECHO_MS = 1000;

/**
 * The first SIGINT asks for an end; one that comes a while later ends the process as ever. The listener stays all the time: lock files bring one of their own, which
 * ends the process where it is the only one.
 */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  let first = Infinity;
  const close = (): void => void process.off("SIGINT", hear);
  function hear(): void {
    if (!controller.signal.aborted) {
      first = performance.now();
      controller.abort();
    } else if (performance.now() - first > ECHO_MS) {
      close();
      process.kill(process.pid, "SIGINT");
    }
  }
  process.on("SIGINT", hear);
  return { signal: controller.signal, close };
}
