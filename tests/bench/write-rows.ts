import { closeSync, openSync, writeSync } from "node:fs";

/** Writes rows as JSON lines to `path` until there are at least `megabytes` (1,000,000 bytes each). */
export function writeRows(path: string, megabytes: number, rows: Iterable<object>): void {
  const fd = openSync(path, "w");
  try {
    let written = 0;
    let block = "";
    for (const row of rows) {
      block += `${JSON.stringify(row)}\n`;
      if (block.length < 1_000_000) continue;
      written += writeSync(fd, block);
      block = "";
      if (written >= megabytes * 1_000_000) return;
    }
  } finally {
    closeSync(fd);
  }
}
