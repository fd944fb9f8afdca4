import { writeSync } from "node:fs";
import { getMonotonicMs } from "../monotonic.ts";
import { errorCode } from "../error-code.ts";

/** How long a reader that does not read is waited for. */
const PATIENCE_MS = 3000;
const PAUSE_MS = 5;

/**
 * Writes the whole text; it is with the reader, or in the pipe to it, when this returns. Throws EPIPE when the reader is gone, EAGAIN when
 * it does not read.
 */
export function writeOutput(fd: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  const deadline = getMonotonicMs() + PATIENCE_MS;
  for (let offset = 0; offset < bytes.length;) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      if (errorCode(error) !== "EAGAIN" || getMonotonicMs() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
