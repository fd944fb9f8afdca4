/** Ctrl-C, heard between two steps. */
export interface Interrupt {
  readonly signal: AbortSignal;
  close(): void;
}

/** The first SIGINT asks for an end; the second one ends the process as ever. */
export function listenForInterrupt(): Interrupt {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.once("SIGINT", abort);
  return { signal: controller.signal, close: () => void process.off("SIGINT", abort) };
}
