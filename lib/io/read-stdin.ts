import type { Readable } from "node:stream";

export interface StdinLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export type StdinReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a stream to its end, or takes what has come when the time is over: a harness that forgets to close the pipe has sent its payload by
 * then. Beyond `maxBytes` the rest is read and dropped, so that the writer meets no broken pipe. Never rejects.
 */
export async function readStdin(stream: Readable, { maxBytes, timeoutMs }: StdinLimits): Promise<StdinReading> {
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    stream.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
    });
    stream.once("end", finish).once("close", finish).once("error", finish);
  });
  stream.destroy();
  if (size > maxBytes) return { ok: false, reason: `expected at most ${maxBytes} bytes on stdin, got more` };
  return { ok: true, text: Buffer.concat(chunks).toString("utf8") };
}
