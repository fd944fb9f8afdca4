import { closeSync, constants, ftruncateSync, openSync, readSync, statSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { addRun, parseRunRecord, type Run, type RunRecord } from "../../harness/run-record.ts";
import { errorCode } from "../error-code.ts";
import { getMonotonicMs } from "../monotonic.ts";
import { listDir } from "../list-dir.ts";
import type { StatePaths } from "../paths.ts";
import { makePrivateDir, unlinkQuietly } from "../publish-file.ts";
import { findSmallText } from "../read-small-file.ts";

const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
/** Every record fills as much, so that a shorter one leaves nothing of a longer one behind and a full disk has room for it. */
const RECORD_BYTES = 512;
/** Others hold a record for less than a millisecond. */
const PATIENCE_MS = 300;
const PAUSE_MS = 1;
/** Who holds it for longer was killed, or the clock was set. */
const LONGEST_HOLD_MS = 1000;

/**
 * Counts a run in `run/hooks/<harness>.<event>.json`. It is written at every turn: one small file in place, nothing synced, one writer at a
 * time. One that finds it held for too long writes all the same: then a run may be missing. Never throws: what cannot be written is not known later, and that is all.
 */
export function noteRun({ runs }: Pick<StatePaths, "runs">, run: Run): void {
  try {
    const name = `${run.harness}.${run.event}.json`;
    const fd = openRecord(runs, name);
    const lock = join(runs, `${name}.lock`);
    const isHeld = hold(lock);
    try {
      const bytes = Buffer.alloc(RECORD_BYTES);
      const before = parseRunRecord(bytes.toString("utf8", 0, readSync(fd, bytes, 0, RECORD_BYTES, 0)));
      if (before === undefined) ftruncateSync(fd, RECORD_BYTES);
      writeSync(fd, JSON.stringify(addRun(before, run)).padEnd(RECORD_BYTES - 1) + "\n", 0);
    } finally {
      closeSync(fd);
      if (isHeld) unlinkQuietly(lock);
    }
  } catch {
    // A full or read-only disk must not be felt at every turn.
  }
}

/** Makes the lock file; false when it cannot be had. */
function hold(path: string): boolean {
  for (const deadline = getMonotonicMs() + PATIENCE_MS; getMonotonicMs() < deadline;) {
    try {
      closeSync(openSync(path, "wx", 0o600));
      return true;
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || !waitFor(path)) return false;
    }
  }
  return false;
}

/** Waits a moment for its end, or takes a lock away that nobody holds any more; false where that cannot be done. */
function waitFor(path: string): boolean {
  try {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (Math.abs(age) > LONGEST_HOLD_MS) unlinkSync(path);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    return true;
  } catch (error) {
    return errorCode(error) === "ENOENT";
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
