import { readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { MAX_DIGEST_BYTES } from "../../transcript/bounds.ts";
import { type Digest, isDigest } from "../../transcript/digest.ts";
import { isRow } from "../../transcript/row.ts";
import { makePrivateDir, replaceFile } from "../publish-file.ts";
import { findSmallText } from "../read-small-file.ts";
import { getTranscriptKey } from "../transcript-key.ts";

/** What is known of a transcript up to `offset`. */
export interface CachedDigest {
  /** Device and inode of the file. */
  readonly file: string;
  /** Where to read on: the line after the last one folded begins here, unless `skipping`. */
  readonly offset: number;
  /** `offset` is within a line that is being passed over. */
  readonly skipping: boolean;
  /** Of bytes before `offset`: tells a file that was rewritten in place. */
  readonly fingerprint: string;
  readonly digest: Digest;
}

const VERSION = 1;
const SUFFIX = ".digest.json";
/** A digest and what stands beside it. */
const MAX_CACHE_BYTES = MAX_DIGEST_BYTES + 64 * 1024;

/** So many transcripts are remembered; one that is forgotten is read from its start again. */
export const MAX_CACHED_TRANSCRIPTS = 256;

/** Where the digest of a transcript is kept, for every spelling of its folder. */
export function getCachePath(cacheDir: string, transcript: string): string {
  return join(cacheDir, `${getTranscriptKey(transcript)}${SUFFIX}`);
}

/** The digest kept at `path` by the same `bundle`; undefined when there is none, or it cannot be used for any reason. */
export function readCachedDigest(path: string, bundle: string): CachedDigest | undefined {
  try {
    const value: unknown = JSON.parse(findSmallText(path, MAX_CACHE_BYTES) ?? "null");
    if (!isRow(value) || value["version"] !== VERSION || value["bundle"] !== bundle) return undefined;
    const { file, offset, skipping, fingerprint, digest } = value;
    if (typeof skipping !== "boolean") return undefined;
    if (typeof file !== "string" || typeof fingerprint !== "string" || !isDigest(digest)) return undefined;
    if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0) return undefined;
    return { file, offset, skipping, fingerprint, digest };
  } catch {
    return undefined;
  }
}

/**
 * Keeps a digest for the next turn, in one step: two hooks at once leave the one or the other. A cache that cannot be
 * written costs time, never an answer, so nothing is thrown.
 */
export function writeCachedDigest(path: string, bundle: string, cached: CachedDigest): void {
  try {
    makePrivateDir(dirname(path));
    replaceFile(path, JSON.stringify({ version: VERSION, bundle, ...cached }));
  } catch {
    // The next turn reads the transcript again.
  }
}

/** Forgets the transcripts that were read longest ago, and what a crash left half-written. Nothing is thrown. */
export function pruneCache(cacheDir: string): void {
  try {
    const names = readdirSync(cacheDir).filter((name) => name.includes(SUFFIX));
    if (names.length <= MAX_CACHED_TRANSCRIPTS) return;
    const files = names.map((name) => join(cacheDir, name)).map((path) => ({ path, time: statSync(path).mtimeMs }));
    files.sort((a, b) => b.time - a.time);
    for (const { path } of files.slice(MAX_CACHED_TRANSCRIPTS)) rmSync(path, { force: true });
  } catch {
    // Another hook is pruning.
  }
}
