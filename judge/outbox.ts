import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseVerdict } from "../inbox-schema/parse-verdict.ts";
import type { Verdict } from "../inbox-schema/verdict.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { errorCode, linkOnce, makePrivateDir, syncDir, unlinkQuietly, writeTemporary } from "../lib/io/publish-file.ts";
import type { CrashPoint } from "./crash-point.ts";

/** Whoever delivers a verdict sets this mode on it, after printing and before it takes the link away. */
export const DELIVERED_MODE = 0o400;

export function getVerdictPath(paths: StatePaths, id: string): string {
  return join(paths.outbox, `${id}.json`);
}

export function hasVerdict(paths: StatePaths, id: string): boolean {
  return existsSync(getVerdictPath(paths, id));
}

/**
 * Commits a verdict: the first one of an id wins, and is on disk and queued for delivery when this returns.
 * Returns false when there was one already; then that one is queued, if it still has to be.
 */
export function publishVerdict(verdict: Verdict, paths: StatePaths, crash: CrashPoint): boolean {
  makePrivateDir(paths.outbox);
  const temporary = writeTemporary(paths.tmp, `${verdict.id}.json`, `${JSON.stringify(verdict)}\n`, true);
  try {
    crash("verdict-written");
    const first = linkOnce(temporary, getVerdictPath(paths, verdict.id));
    crash("verdict-committed");
    if (first) queueForDelivery(verdict, paths);
    else requeueForDelivery(verdict.id, paths);
    crash("verdict-queued");
    return first;
  } finally {
    unlinkQuietly(temporary);
  }
}

/**
 * After a crash between commit and delivery: queues the verdict again, unless it waits for delivery, is being delivered or was.
 * Looked at in the order in which a delivery passes these places, so that one under way cannot slip through.
 */
export function requeueForDelivery(id: string, paths: StatePaths): void {
  const verdict = readVerdict(paths, id);
  if (verdict === undefined) return;
  if (existsSync(join(paths.undelivered, verdict.transcript_key, `${id}.json`))) return;
  if (listDir(paths.delivering).some((deliverer) => existsSync(join(paths.delivering, deliverer, `${id}.json`))))
    return;
  if (isDelivered(paths, id)) return;
  queueForDelivery(verdict, paths);
}

/** Undefined when there is none, or none that this build can read. */
export function readVerdict(paths: StatePaths, id: string): Verdict | undefined {
  try {
    const parsed = parseVerdict(readFileSync(getVerdictPath(paths, id), "utf8"));
    return parsed.ok ? parsed.verdict : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A clean verdict has nothing to say. */
function queueForDelivery(verdict: Verdict, paths: StatePaths): void {
  if (verdict.outcome === "clean") return;
  const folder = join(paths.undelivered, verdict.transcript_key);
  for (let tries = 0; ; tries++) {
    const isNew = !existsSync(folder);
    makePrivateDir(folder);
    if (isNew) syncDir(paths.undelivered);
    try {
      linkOnce(getVerdictPath(paths, verdict.id), join(folder, `${verdict.id}.json`));
      return;
    } catch (error) {
      // A delivery that emptied the folder may have removed it just now.
      if (errorCode(error) !== "ENOENT" || tries === 3) throw error;
    }
  }
}

function isDelivered(paths: StatePaths, id: string): boolean {
  const stats = statSync(getVerdictPath(paths, id), { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & 0o777) === DELIVERED_MODE;
}
