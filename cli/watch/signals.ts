import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";

export interface SignalListener {
  /** SIGTERM or SIGINT, or SIGHUP from a terminal that was closed; `count` is 1 for the first of them. */
  readonly onStop: (signal: NodeJS.Signals, count: number) => void;
  /** SIGHUP. */
  readonly onReload: () => void;
}

/** Listens for the signals that a watcher understands; gives the function that ends it. */
export function listenForSignals({ onStop, onReload }: SignalListener): () => void {
  let stops = 0;
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  const stop = (signal: NodeJS.Signals) => onStop(signal, ++stops);
  const hangUp = (signal: NodeJS.Signals) => {
    // The same signal says that the terminal was closed; then nobody would know of the watcher any more.
    const closed = terminals.filter((fd) => !isatty(fd));
    for (const fd of closed) replaceByNothing(fd);
    if (closed.length > 0) stop(signal);
    else onReload();
  };
  process.on("SIGTERM", stop).on("SIGINT", stop).on("SIGHUP", hangUp);
  return () => void process.off("SIGTERM", stop).off("SIGINT", stop).off("SIGHUP", hangUp);
}

/** At its end Node gives a terminal its settings back, and aborts where that terminal is gone. The lowest free number is given anew. */
function replaceByNothing(fd: number): void {
  closeSync(fd);
  openSync("/dev/null", "r+");
}
