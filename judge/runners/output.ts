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
  const chunks: Buffer[] = [];
  let room = maxBytes;
  pipe.on("data", (chunk: Buffer) => {
    if (chunk.length > room) onOverflow();
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room = Math.max(0, room - chunk.length);
  });
  // Destroying a pipe that somebody still holds is how a run ends; there is nothing to read after an error anyway.
  pipe.on("error", () => {});
  const closed = new Promise<void>((resolve) => pipe.once("close", resolve));
  return { text: () => Buffer.concat(chunks).toString("utf8"), closed };
}
