import { closeSync, fstatSync, readSync, statSync, type Stats } from "node:fs";
import { openRegular } from "../../lib/io/open-regular.ts";

/** A file of the log that is read from where it was left, also when its name has gone to another one since. */
export interface LogFile {
  /** The same for every name of the file, another for every other file that is there at the same time. */
  readonly identity: string;
  /** Gives the whole lines that were added since. One without its end waits for the rest; a file that was cut begins anew. */
  readLines(onLine: (line: string) => void): void;
  /** Gives the last line, if it has no end, and closes the file. */
  close(onLine: (line: string) => void): void;
}

/** Where the last lines of a file begin, and how many there are. */
interface Tail {
  readonly start: number;
  readonly count: number;
}

const CHUNK_BYTES = 64 * 1024;
const LINE_END = 0x0a;

/** What `LogFile.identity` of the file under this name would be; undefined when it is no regular file. Follows links. */
export function findIdentity(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? getIdentity(stats) : undefined;
}

/**
 * Opens a file so that its last `lines` lines are read first, or all of it. Undefined when it is no regular file: a pipe is
 * not waited for. Throws the system's error when it cannot be read.
 */
export function openLogFile(path: string, lines = Infinity): (LogFile & { readonly count: number }) | undefined {
  const opened = openRegular(path);
  if (typeof opened === "string") return undefined;
  const { fd, stats } = opened;
  const tail = lines === Infinity ? { start: 0, count: 0 } : findTail(fd, stats.size, lines);
  return { identity: getIdentity(stats), count: tail.count, ...createReader(fd, tail.start) };
}

function getIdentity({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}

function createReader(fd: number, start: number): Pick<LogFile, "readLines" | "close"> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let offset = start;
  /** The pieces of a line whose end is not there yet. */
  let pending: Buffer[] = [];

  function takeLine(rest: Buffer): string {
    const line = Buffer.concat([...pending, rest]).toString("utf8");
    pending = [];
    return line;
  }

  return {
    readLines(onLine) {
      if (fstatSync(fd).size < offset) {
        offset = 0;
        pending = [];
      }
      for (let bytes = readInto(fd, buffer, offset); bytes.length > 0; bytes = readInto(fd, buffer, offset)) {
        offset += bytes.length;
        let from = 0;
        for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, from)) {
          onLine(takeLine(bytes.subarray(from, end)));
          from = end + 1;
        }
        // Copied: the buffer is used again.
        if (from < bytes.length) pending.push(Buffer.from(bytes.subarray(from)));
      }
    },
    close(onLine) {
      if (pending.length > 0) onLine(takeLine(Buffer.alloc(0)));
      closeSync(fd);
    },
  };
}

/** A part of `buffer`; empty at the end of the file. */
function readInto(fd: number, buffer: Buffer, offset: number, length = buffer.length): Buffer {
  return buffer.subarray(0, readSync(fd, buffer, 0, length, offset));
}

/** Reads from the end, no more than it takes. A last line without its end counts. */
function findTail(fd: number, size: number, lines: number): Tail {
  if (lines === 0 || size === 0) return { start: size, count: 0 };
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let count = 0;
  // The last byte ends the last line and begins no other.
  for (let before = size - 1; before > 0;) {
    const from = Math.max(0, before - CHUNK_BYTES);
    const bytes = readInto(fd, buffer, from, before - from);
    for (let at = bytes.lastIndexOf(LINE_END); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(LINE_END, at - 1)) {
      count += 1;
      if (count === lines) return { start: from + at + 1, count };
    }
    before = from;
  }
  return { start: 0, count: count + 1 };
}
