import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Adapter } from "../../transcript/adapter.ts";
import { type Digest, emptyDigest, type Fold } from "../../transcript/digest.ts";
import { type CachedDigest, getCachePath, pruneCache, readCachedDigest, writeCachedDigest } from "./digest-cache.ts";
import { foldLines, foldTail } from "./fold-lines.ts";
import { errorCode } from "../error-code.ts";
import type { CommandFilter } from "./row-filter.ts";

export interface DigestRequest {
  readonly path: string;
  readonly adapter: Adapter;
  readonly fold: Fold;
  readonly cacheDir: string;
  /** Names the code that folds: a digest folded by other code is not used. */
  readonly bundleHash: string;
  /** Called before more new bytes than `LONG_READ_BYTES` are read. */
  readonly beforeLongRead?: () => void;
  /** Whether a command may change a digest; absent: any may. */
  readonly mayMatter?: CommandFilter;
  /** How many new bytes one call reads at most, except for one whole line; bytes that are parsed count several times. */
  readonly budget?: number;
}

export type DigestReading =
  | {
      readonly ok: true;
      readonly digest: Digest;
      /** False: the digest ends before the transcript does. The next call goes on from there. */
      readonly complete: boolean;
      readonly bytesRead: number;
      readonly fromCache: boolean;
    }
  | { readonly ok: false; readonly reason: "absent" | "not-a-file" | "unreadable"; readonly error: string };

/** No turn adds so much; the first sight of a session often does. */
const LONG_READ_BYTES = 1_000_000;

/** Read in less than two seconds. Of lines that are parsed a sixteenth is as much; the longest sessions have less. */
export const BUDGET_BYTES = 192 * 1024 * 1024;

/** Enough to hold what differs in the first row and in a short last one. */
const FINGERPRINT_BYTES = 1024;

/**
 * The digest of a transcript. What an earlier call has folded is taken from the cache and only new lines are read. Total
 * for any path and any content; never waits (a pipe or a device is refused). `bytesRead` counts bytes of new lines. What is too
 * long for one call is read in several.
 */
export function readDigest(request: DigestRequest): DigestReading {
  const { path } = request;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for its writer. Windows has neither.
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stat = fstatSync(fd, { bigint: true });
      if (!stat.isFile()) return refuse("not-a-file", path, "something else");
      return readOpened(fd, `${stat.dev}:${stat.ino}`, Number(stat.size), request);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return refuse(code === "ENOENT" || code === "ENOTDIR" ? "absent" : "unreadable", path, code);
  }
}

function refuse(reason: "absent" | "not-a-file" | "unreadable", path: string, got: string): DigestReading {
  return { ok: false, reason, error: `expected a readable transcript file at ${path}, got ${got}` };
}

function readOpened(fd: number, file: string, size: number, request: DigestRequest): DigestReading {
  const { path, adapter, fold, cacheDir, beforeLongRead, mayMatter, budget = BUDGET_BYTES } = request;
  // A file may be read as a transcript of another harness.
  const bundle = `${request.bundleHash} ${adapter.name}`;
  const cachePath = getCachePath(cacheDir, path);
  const cached = readCachedDigest(cachePath, bundle);
  const known = cached !== undefined && isSameFile(cached, fd, file) ? cached : undefined;
  const start = known ?? { offset: 0, skipping: false, digest: emptyDigest };
  if (size - start.offset > LONG_READ_BYTES) beforeLongRead?.();
  const options = { skipping: start.skipping, budget, mayMatter };
  const read = foldLines(fd, start.offset, size, start.digest, adapter, fold, options);
  const { digest, offset, skipping, complete, bytesRead, tail } = read;
  if (offset !== known?.offset) {
    const fingerprint = readFingerprint(fd, offset);
    writeCachedDigest(cachePath, bundle, { file, offset, skipping, fingerprint, digest });
    if (cached === undefined) pruneCache(cacheDir);
  }
  const whole = complete ? foldTail(digest, tail, adapter, fold) : digest;
  return { ok: true, digest: whole, complete, bytesRead, fromCache: known !== undefined };
}

/** False when the file was replaced, cut or rewritten since. */
function isSameFile(cached: CachedDigest, fd: number, file: string): boolean {
  return cached.file === file && cached.fingerprint === readFingerprint(fd, cached.offset);
}

/**
 * The first and the last bytes before `offset`, as they are: loading a hash costs more than keeping them. A change in
 * between goes unnoticed; no client makes one.
 */
function readFingerprint(fd: number, offset: number): string {
  const length = Math.min(FINGERPRINT_BYTES, offset);
  return readBytes(fd, 0, length) + readBytes(fd, offset - length, length);
}

function readBytes(fd: number, position: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString("latin1", 0, readSync(fd, bytes, 0, length, position));
}
