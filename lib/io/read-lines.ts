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

/** What came of reading a stretch of a file. */
export interface LinesRead {
  /** Where the line after the last complete one begins. */
  readonly offset: number;
  readonly bytesRead: number;
  /** The unfinished line at the end; empty when the stretch ends with a line end, or it is oversized. */
  readonly tail: Buffer;
}

/**
 * Reads the file from byte `from` up to `to` in chunks and visits every complete line. Stops early when the file has
 * become shorter. Throws the file system's error when it cannot be read.
 */
export function readLines(fd: number, from: number, to: number, visitor: LineVisitor): LinesRead {
  let buffer: Buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(to - from, 1)));
  let filled = 0; // bytes of an unfinished line, at the start of the buffer
  let oversized = false; // the unfinished line is being passed over
  let position = from;
  let offset = from;
  while (position < to) {
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
    filled = oversized ? 0 : bytes.length - start;
    if (start > 0) buffer.copyWithin(0, start, bytes.length);
  }
  return { offset, bytesRead: position - from, tail: oversized ? Buffer.alloc(0) : buffer.subarray(0, filled) };
}

/** Twice the size, but never more than what is left to read needs. */
function grow(buffer: Buffer, left: number): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length + Math.min(buffer.length, left));
  buffer.copy(larger);
  return larger;
}
