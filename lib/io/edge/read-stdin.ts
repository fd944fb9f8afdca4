import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { getMonotonicMs } from "../monotonic.ts";
import { errorCode } from "../error-code.ts";

export interface StdinLimits {
  readonly maxBytes: number;
  /** So long is waited for the end of the stream; what has come by then is taken for all of it. */
  readonly timeoutMs: number;
}

export type StdinReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** The part of a process that its input comes through. */
export interface StdinSource {
  readonly stdinFd: number;
  readonly getStdin: () => Readable;
}

const CHUNK_BYTES = 64 * 1024;
const PAUSE_MS = 2;

/**
 * Reads all input. A harness that forgets to close the pipe is not waited for beyond the limit, and of input beyond `maxBytes` the rest is read and
 * dropped, so that the writer meets no broken pipe. Rejects only for a `stdinFd`
 * that is not open.
 */
export async function readStdin(source: StdinSource, limits: StdinLimits): Promise<StdinReading> {
  const input = collectInput(limits.maxBytes);
  if (!readWithoutWaiting(source.stdinFd, limits.timeoutMs, input)) {
    await readStream(source.getStdin(), limits.timeoutMs, input);
  }
  return input.finish();
}

interface Input {
  add(chunk: Buffer): void;
  finish(): StdinReading;
}

function collectInput(maxBytes: number): Input {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
    },
    finish() {
      if (size > maxBytes) return { ok: false, reason: `expected at most ${maxBytes} bytes on stdin, got ${size}` };
      return { ok: true, text: Buffer.concat(chunks).toString("utf8") };
    },
  };
}

/**
 * Reads what never makes a reader wait, which spares loading streams: a file, and on Linux a pipe that is opened anew. False when the input is
 * something else, such as a socket.
 */
function readWithoutWaiting(fd: number, timeoutMs: number, input: Input): boolean {
  const stats = fstatSync(fd);
  if (stats.isFile()) return readFd(fd, timeoutMs, input);
  if (!stats.isFIFO() || process.platform !== "linux") return false;
  const pipe = openAnew(fd);
  if (pipe === undefined) return false;
  try {
    return readFd(pipe, timeoutMs, input);
  } finally {
    closeSync(pipe);
  }
}

/** Undefined where /proc is missing or closed to us. */
function openAnew(fd: number): number | undefined {
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

function readFd(fd: number, timeoutMs: number, input: Input): true {
  const deadline = getMonotonicMs() + timeoutMs;
  for (let count = 1; count > 0;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    count = readNow(fd, chunk, deadline);
    input.add(chunk.subarray(0, count));
  }
  return true;
}

/** Bytes read; 0 at the end, at the deadline and when there is nothing to be had for another reason. */
function readNow(fd: number, chunk: Buffer, deadline: number): number {
  while (getMonotonicMs() < deadline) {
    try {
      return readSync(fd, chunk);
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") return 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
  return 0;
}

async function readStream(stream: Readable, timeoutMs: number, input: Input): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    stream.on("data", (chunk: Buffer) => input.add(chunk));
    stream.once("end", finish).once("close", finish).once("error", finish);
  });
  stream.destroy();
}
