import { readSync } from "node:fs";
import type { Adapter } from "../transcript/adapter.ts";
import { MAX_REPLIES } from "../transcript/bounds.ts";
import type { Digest, Fold } from "../transcript/digest.ts";
import type { Entry, ReplyEntry } from "../transcript/entry.ts";
import { foldRow } from "../transcript/fold.ts";
import { type LinesRead, readLines } from "./read-lines.ts";
import { createRowFilter } from "./row-filter.ts";

/** A line that may hold a reply: where it is, or the replies when it was parsed for another reason. */
type ReplySource = { readonly offset: number; readonly length: number } | readonly ReplyEntry[];

/**
 * Folds the complete lines between two offsets of a transcript. It parses only what the digest needs: by the adapter's
 * rules, and of the lines that hold replies only the last. The digest is the one that folding every line gives.
 */
export function foldLines(
  fd: number,
  from: number,
  to: number,
  digest: Digest,
  adapter: Adapter,
  fold: Fold,
): LinesRead & { readonly digest: Digest } {
  const getInterest = createRowFilter(adapter.rules);
  const sources: ReplySource[] = [];
  let { rows, broken } = digest;
  let folded = digest;
  let pending = getPendingIds(digest);
  const read = readLines(fd, from, to, {
    line(bytes, start, end, offset) {
      rows += 1;
      const shape = getShape(bytes, start, end);
      if (shape === "broken") broken += 1;
      const interest = shape === "object" ? getInterest(bytes, start, end, pending) : "none";
      if (interest === "reply") sources.push({ offset, length: end - start });
      if (interest !== "now") return;
      const entries = adapter.parseLine(bytes.toString("utf8", start, end));
      if (entries === undefined) broken += 1;
      const next = foldNow({ ...folded, rows, broken }, entries ?? [], fold, sources);
      if (next.pending !== folded.pending) pending = getPendingIds(next);
      folded = next;
    },
    oversized() {
      rows += 1;
      broken += 1;
    },
  });
  return { ...read, digest: findLastReplies(fd, sources, adapter).reduce(fold, { ...folded, rows, broken }) };
}

/** Folds a last line that is complete but for its line end; anything else is still being written and is left alone. */
export function foldTail(digest: Digest, tail: Buffer, adapter: Adapter, fold: Fold): Digest {
  if (getShape(tail, 0, tail.length) !== "object") return digest;
  const entries = adapter.parseLine(tail.toString("utf8"));
  return entries === undefined ? digest : foldRow(fold, digest, entries);
}

function getPendingIds({ pending }: Digest): ReadonlySet<string> {
  return new Set(pending.map(({ callId }) => callId));
}

/** Folds all but the replies, which wait until the last ones are known. */
function foldNow(digest: Digest, entries: readonly Entry[], fold: Fold, sources: ReplySource[]): Digest {
  const replies = entries.filter((entry) => entry.kind === "reply");
  if (replies.length === 0) return entries.reduce(fold, digest);
  sources.push(replies);
  return entries.filter((entry) => entry.kind !== "reply").reduce(fold, digest);
}

/** The last replies of the main conversation in order, as many as a digest keeps. */
function findLastReplies(fd: number, sources: readonly ReplySource[], adapter: Adapter): readonly ReplyEntry[] {
  let found: readonly ReplyEntry[] = [];
  for (let i = sources.length - 1; i >= 0 && found.length < MAX_REPLIES; i--) {
    found = [...getReplies(fd, sources[i] ?? [], adapter).filter(({ sidechain }) => !sidechain), ...found];
  }
  return found;
}

function getReplies(fd: number, source: ReplySource, adapter: Adapter): readonly ReplyEntry[] {
  if (!("offset" in source)) return source;
  const bytes = Buffer.alloc(source.length);
  readSync(fd, bytes, 0, source.length, source.offset);
  return (adapter.parseLine(bytes.toString("utf8")) ?? []).filter((entry) => entry.kind === "reply");
}

type Shape = "object" | "empty" | "broken";

/** By the first and the last character only: what JSON allows around an object, and a byte order mark before it. */
function getShape(bytes: Buffer, start: number, end: number): Shape {
  let first = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start;
  let last = end - 1;
  while (first < end && isSpace(bytes[first])) first++;
  while (last > first && isSpace(bytes[last])) last--;
  if (first >= end) return "empty";
  return bytes[first] === 0x7b && bytes[last] === 0x7d ? "object" : "broken";
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
