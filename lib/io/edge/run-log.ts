import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { addRun, parseRunRecord, type Run, type RunRecord } from "../../harness/run-record.ts";
import { errorCode } from "../error-code.ts";
import { listDir } from "../list-dir.ts";
import type { StatePaths } from "../paths.ts";
import { makePrivateDir } from "../publish-file.ts";
import { findSmallText } from "../read-small-file.ts";

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
/** Every record fills as much, so that a shorter one leaves nothing of a longer one behind and a full disk has room for it. */
const RECORD_BYTES = 512;

/**
 * Counts a run in `run/hooks/<harness>.<event>.json`. It is written at every turn: one small file in place, nothing synced. Two runs that end
 * at the same moment may be counted as one. Never throws: what cannot be written is not known later, and that is all.
 */
export function noteRun({ runs }: Pick<StatePaths, "runs">, run: Run): void {
  try {
    const fd = openRecord(runs, `${run.harness}.${run.event}.json`);
    try {
      const bytes = Buffer.alloc(RECORD_BYTES);
      const before = parseRunRecord(bytes.toString("utf8", 0, readSync(fd, bytes, 0, RECORD_BYTES, 0)));
      if (before === undefined) ftruncateSync(fd, RECORD_BYTES);
      writeSync(fd, JSON.stringify(addRun(before, run)).padEnd(RECORD_BYTES - 1) + "\n", 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    // A full or read-only disk must not be felt at every turn.
  }
}

/** What is known of all runs, by harness and event. Broken records are left out. Throws the system's error. */
export function readRuns({ runs }: Pick<StatePaths, "runs">): RunRecord[] {
  return listDir(runs)
    .sort()
    .flatMap((name) => parseRunRecord(findSmallText(join(runs, name)) ?? "") ?? []);
}

function openRecord(folder: string, name: string): number {
  const open = () => openSync(join(folder, name), O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    return open();
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makePrivateDir(folder);
    return open();
  }
}
