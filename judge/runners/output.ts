import type { Readable } from "node:stream";

/** What a process printed so far. */
export interface Output {
  stdout(): string;
  stderr(): string;
  /** Resolves when nobody holds either pipe any more. */
  readonly closed: Promise<void>;
  isClosed(): boolean;
}

/**
 * Collects both pipes, at most `maxBytes` of each. At the first byte beyond, `onOverflow` is called and the rest of that pipe
 * is read and thrown away, so that the process does not hang in a write.
 */
export function collectOutput(
  pipes: { readonly stdout: Readable; readonly stderr: Readable },
  maxBytes: number,
  onOverflow: () => void,
): Output {
  const stdout = collect(pipes.stdout, maxBytes, onOverflow);
  const stderr = collect(pipes.stderr, maxBytes, onOverflow);
  let isClosed = false;
  const closed = Promise.all([stdout.closed, stderr.closed]).then(() => void (isClosed = true));
  return { stdout: stdout.text, stderr: stderr.text, closed, isClosed: () => isClosed };
}

function collect(pipe: Readable, maxBytes: number, onOverflow: () => void) {
  // One growing piece: a list of what comes in single bytes would take a hundred times the memory.
  let store: Buffer = Buffer.alloc(0);
  let size = 0;
  pipe.on("data", (chunk: Buffer) => {
    if (size + chunk.length > maxBytes) onOverflow();
    const end = Math.min(size + chunk.length, maxBytes);
    if (end > store.length) store = grow(store, Math.min(Math.max(2 * store.length, end), maxBytes));
    chunk.copy(store, size, 0, end - size);
    size = end;
  });
  // Destroying a pipe that somebody still holds is how a run ends; there is nothing to read after an error anyway.
  pipe.on("error", () => {});
  const closed = new Promise<void>((resolve) => pipe.once("close", resolve));
  return { text: () => store.toString("utf8", 0, size), closed };
}

function grow(store: Buffer, size: number): Buffer {
  const grown = Buffer.alloc(size);
  store.copy(grown);
  return grown;
}
