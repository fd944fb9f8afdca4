import { readSync } from "node:fs";

const CHUNK_BYTES = 1024 * 1024;

/** A longer line is passed over: the largest prompt with pictures stays below it, and memory has an end. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 10;

/** Receives the lines of a file in order. `bytes` is only valid during the call; the same object serves many lines. */
export interface LineVisitor {
  /** The line is `bytes[start, end)`, without its line end; it begins at byte `offset` of the file. */
  line(bytes: Buffer, start: number, end: number, offset: number): void;
  /** A line longer than `MAX_LINE_BYTES`. */
  oversized(): void;
}

/** How to read a stretch of a file. */
export interface ReadOptions {
  /** The stretch begins within a line that is being passed over. */
  readonly skipping: boolean;
  /** After so many bytes it stops, though not before it has come forward. */
  readonly budget: number;
  /** How many bytes more the work on the lines so far counts as. */
  readonly getExtraCost: () => number;
}

const wholeStretch: ReadOptions = { skipping: false, budget: Infinity, getExtraCost: () => 0 };

/** What came of reading a stretch of a file. */
export interface LinesRead {
  /** Where to read on: the line after the last complete one begins here, unless `skipping`. */
  readonly offset: number;
  /** `offset` is within a line that is being passed over. */
  readonly skipping: boolean;
  /** False when it stopped because of its budget. */
  readonly complete: boolean;
  readonly bytesRead: number;
  /** The unfinished line at the end; empty when the stretch ends with a line end, or it is oversized. */
  readonly tail: Buffer;
}

/**
 * Reads the file from byte `from` up to `to` in chunks and visits every complete line. Stops early when the file has
 * become shorter. Throws the file system's error when it cannot be read.
 */
export function readLines(
  fd: number,
  from: number,
  to: number,
  visitor: LineVisitor,
  { skipping, budget, getExtraCost }: ReadOptions = wholeStretch,
): LinesRead {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(to - from, 1), Math.max(budget, 1)));
  let filled = 0; // bytes of an unfinished line, at the start of the buffer
  let oversized = skipping; // the unfinished line is being passed over
  let position = from;
  let offset = from;
  const isSpent = (): boolean => offset > from && position - from + getExtraCost() >= budget;
  while (position < to && !isSpent()) {
    if (filled === buffer.length) buffer = grow(buffer, to - position);
    const count = readSync(fd, buffer, filled, Math.min(buffer.length - filled, to - position), position);
    if (count === 0) break;
    const bytes = buffer.subarray(0, filled + count);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE, filled); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      if (oversized || end - start > MAX_LINE_BYTES) visitor.oversized();
      else visitor.line(bytes, start, end, position - filled + start);
      oversized = false;
      start = end + 1;
    }
    position += count;
    if (start > 0) offset = position - (bytes.length - start);
    oversized ||= bytes.length - start > MAX_LINE_BYTES;
    if (oversized) offset = position;
    filled = oversized ? 0 : bytes.length - start;
    if (start > 0) buffer.copyWithin(0, start, bytes.length);
  }
  const tail = oversized ? Buffer.alloc(0) : buffer.subarray(0, filled);
  return { offset, skipping: oversized, complete: position >= to || !isSpent(), bytesRead: position - from, tail };
}

/** Twice the size, but never more than what is left to read needs. */
function grow(buffer: Buffer, left: number): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length + Math.min(buffer.length, left));
  buffer.copy(larger);
  return larger;
}
