import { existsSync, lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseVerdict, type ParsedVerdict } from "../inbox-schema/parse-verdict.ts";
import type { Verdict } from "../inbox-schema/verdict.ts";
import { buryClaim, DELIVERED_MODE } from "../lib/io/delivery/delivering.ts";
import { listDir } from "../lib/io/list-dir.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { errorCode } from "../lib/io/error-code.ts";
import { linkOnce, makePrivateDir, syncDir, unlinkQuietly, writeTemporary } from "../lib/io/publish-file.ts";
import { readBytes } from "../lib/io/read-bytes.ts";

/** None of ours is as long as a half of this; what is cut here is no JSON. */
const MAX_VERDICT_BYTES = 8 * 1024 * 1024;

function getVerdictPath(paths: StatePaths, id: string): string {
  return join(paths.outbox, `${id}.json`);
}

/** Whether anything has the name of the id's verdict. */
export function isTaken(paths: StatePaths, id: string): boolean {
  return lstatSync(getVerdictPath(paths, id), { throwIfNoEntry: false }) !== undefined;
}

/**
 * The verdict of an id; not ok: one of a format that this build does not know. Undefined when there is none; what is no verdict, such as
 * an empty file or a pipe, is moved to dead/ first, since it would answer the job for ever.
 */
export function findVerdict(paths: StatePaths, id: string, now: Date): ParsedVerdict | undefined {
  const path = getVerdictPath(paths, id);
  const parsed = readVerdictFile(path);
  if (parsed === undefined || parsed.ok || parsed.code === "unsupported_schema") return parsed;
  buryClaim(path, `${id}.json`, parsed.reason, paths, now);
  return undefined;
}

/**
 * Commits a verdict: the first one of an id wins, and is on disk and queued for delivery when this returns.
 * Returns false when there was one already; then that one is queued, if it still has to be.
 */
export function publishVerdict(verdict: Verdict, paths: StatePaths): boolean {
  makePrivateDir(paths.tmp);
  makePrivateDir(paths.outbox);
  const temporary = writeTemporary(paths.tmp, `${verdict.id}.json`, `${JSON.stringify(verdict)}\n`, true);
  try {
    const path = getVerdictPath(paths, verdict.id);
    const isFirst = () => linkOnce(temporary, path);
    const first =
      isFirst() || (findVerdict(paths, verdict.id, new Date(verdict.finished_at)) === undefined && isFirst());
    if (first) queueForDelivery(verdict, paths);
    else requeueForDelivery(verdict.id, paths);
    return first;
  } finally {
    unlinkQuietly(temporary);
  }
}

/**
 * After a crash between commit and delivery: queues the verdict again, unless it waits for delivery, is being delivered or was. It is on
 * disk when this returns: who gave it its name may have died before that was.
 * Looked at in the order in which a delivery passes these places, so that one under way cannot slip through.
 */
export function requeueForDelivery(id: string, paths: StatePaths): void {
  const verdict = readVerdict(paths, id);
  if (verdict === undefined) return;
  syncDir(paths.outbox);
  if (existsSync(join(paths.undelivered, verdict.transcript_key, `${id}.json`))) return;
  if (listDir(paths.delivering).some((deliverer) => existsSync(join(paths.delivering, deliverer, `${id}.json`))))
    return;
  if (isDelivered(paths, id)) return;
  queueForDelivery(verdict, paths);
}

/** Undefined when there is none, or none that this build can read. */
export function readVerdict(paths: StatePaths, id: string): Verdict | undefined {
  const parsed = readVerdictFile(getVerdictPath(paths, id));
  return parsed?.ok === true ? parsed.verdict : undefined;
}

export interface VerdictList {
  readonly found: readonly Verdict[];
  readonly broken: readonly { readonly path: string; readonly reason: string }[];
}

/** The newest verdicts first, `limit` at most, of one transcript where a key is given. */
export function listVerdicts(paths: StatePaths, limit: number, transcriptKey?: string): VerdictList {
  const files = listDir(paths.outbox).flatMap((name) => {
    const path = join(paths.outbox, name);
    const stats = name.startsWith(".") ? undefined : statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? [{ path, at: stats.mtimeMs }] : [];
  });
  const found: Verdict[] = [];
  const broken: { path: string; reason: string }[] = [];
  for (const { path } of files.sort((a, b) => b.at - a.at)) {
    if (found.length === limit) break;
    const parsed = readVerdictFile(path);
    if (parsed === undefined) continue;
    if (!parsed.ok) broken.push({ path, reason: parsed.reason });
    else if (transcriptKey === undefined || parsed.verdict.transcript_key === transcriptKey) found.push(parsed.verdict);
  }
  return { found, broken };
}

function readVerdictFile(path: string): ParsedVerdict | undefined {
  const bytes = readBytes(path, MAX_VERDICT_BYTES);
  if (typeof bytes !== "string") return parseVerdict(bytes.toString("utf8"));
  if (bytes === "ENOENT") return undefined;
  return { ok: false, code: "invalid", reason: `expected a verdict in a regular file, got ${bytes}; remove it` };
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

/** Whether it was printed; also true when it is gone. */
export function isDelivered(paths: StatePaths, id: string): boolean {
  const stats = statSync(getVerdictPath(paths, id), { throwIfNoEntry: false });
  return stats === undefined || (stats.mode & 0o777) === DELIVERED_MODE;
}
