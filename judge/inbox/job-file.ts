import { isUtf8 } from "node:buffer";
import { lstatSync, type Stats } from "node:fs";
import { toEnvelope, type JobEnvelope } from "../../inbox-schema/envelope.ts";
import { MAX_JOB_BYTES, type Job } from "../../inbox-schema/job.ts";
import { parseJob } from "../../inbox-schema/parse-job.ts";
import type { ErrorCode } from "../../inbox-schema/problem.ts";
import { readBytes } from "../../lib/io/read-bytes.ts";

export interface LoadedJob {
  readonly is: "job";
  readonly job: Job;
  /** The whole file. */
  readonly text: string;
  readonly stats: Stats;
}

/** What was found under a job's name. */
export type JobFile =
  | LoadedJob
  /** Somebody seems to be writing it still. */
  | { readonly is: "half-written"; readonly stats: Stats }
  | ({ readonly is: "bad"; readonly stats: Stats } & Refusal)
  | { readonly is: "gone" };

/** Why a file is no job, and what can still be said of it. */
export interface Refusal {
  readonly code: ErrorCode | "not_a_file" | "foreign_owner" | "unreadable";
  readonly reason: string;
  readonly envelope: JobEnvelope;
  /** The file's start, where it could be read. */
  readonly text?: string;
}

/** Invalid JSON that was changed less than this long ago may be half a file. */
export const SETTLE_MS = 10_000;
/** So much of an oversized file is read to find the transcript that its verdict belongs to. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/**
 * Reads and checks a job file; `stem` is its name in the inbox without `.json`. Only a regular file of this account's is opened,
 * and no link is followed. Throws only when the system is at fault, such as for too many open files.
 */
export function readJobFile(path: string, stem: string, now: number): JobFile {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { is: "gone" };
  const problem = findFileProblem(stats);
  if (problem !== undefined) return { is: "bad", stats, ...problem, envelope: toEnvelope({}, stem) };
  const bytes = readBytes(path, MAX_READ_BYTES);
  if (typeof bytes === "string") {
    if (bytes === "ENOENT") return { is: "gone" };
    const reason = `expected a file that can be read, got ${bytes}; change its permissions`;
    return { is: "bad", stats, code: "unreadable", reason, envelope: toEnvelope({}, stem) };
  }
  return judgeText(bytes, stats, stem, now);
}

function judgeText(bytes: Buffer, stats: Stats, stem: string, now: number): JobFile {
  const text = bytes.toString("utf8");
  const parsed = parseJob(text, stem);
  if (stats.size > MAX_JOB_BYTES) {
    const reason = `expected a file of at most ${MAX_JOB_BYTES} bytes, got ${stats.size}; shorten it`;
    return { is: "bad", stats, code: "too_large", reason, envelope: getEnvelope(parsed, stem), text };
  }
  const broken = !isUtf8(bytes) || (!parsed.ok && parsed.code === "invalid_json");
  if (broken && Math.abs(now - stats.mtimeMs) < SETTLE_MS) {
    return { is: "half-written", stats };
  }
  if (!parsed.ok) {
    return { is: "bad", stats, code: parsed.code, reason: parsed.reason, envelope: parsed.envelope, text };
  }
  if (isUtf8(bytes)) return { is: "job", stats, job: parsed.job, text };
  const reason = "expected UTF-8 text, got other bytes; save it as UTF-8";
  return { is: "bad", stats, code: "invalid_json", reason, envelope: getEnvelope(parsed, stem), text };
}

function getEnvelope(parsed: ReturnType<typeof parseJob>, stem: string): JobEnvelope {
  return parsed.ok ? toEnvelope(parsed.job, stem) : parsed.envelope;
}

function findFileProblem(stats: Stats): Omit<Refusal, "envelope"> | undefined {
  if (!stats.isFile()) {
    const reason = `expected a regular file, got ${describeType(stats)}; drop a copy of the file itself`;
    return { code: "not_a_file", reason };
  }
  const uid = process.getuid?.();
  if (uid !== undefined && stats.uid !== uid) {
    const reason = `expected a file of account ${uid}, got one of account ${stats.uid}; drop it as the account that runs the watcher`;
    return { code: "foreign_owner", reason };
  }
  return undefined;
}

function describeType(stats: Stats): string {
  if (stats.isSymbolicLink()) return "a symbolic link, which is never followed";
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a named pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
