import { closeSync, fstatSync, openSync } from "node:fs";
import { readLines } from "../../lib/io/transcript/read-lines.ts";
import type { Adapter } from "../../lib/transcript/adapter.ts";
import type { Entry } from "../../lib/transcript/entry.ts";

/** Visits every line of a transcript, parsed; `undefined` for a broken one. Throws when it is no readable file. */
export function readRows(path: string, adapter: Adapter, visit: (entries: readonly Entry[] | undefined) => void): void {
  const fd = openSync(path, "r");
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is no file");
    const { tail } = readLines(fd, 0, stat.size, {
      line: (bytes, start, end) => visit(adapter.parseLine(bytes.toString("utf8", start, end))),
      oversized: () => visit(undefined),
    });
    if (tail.length > 0) visit(adapter.parseLine(tail.toString("utf8")));
  } finally {
    closeSync(fd);
  }
}
