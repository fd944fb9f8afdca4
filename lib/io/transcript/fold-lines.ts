import { readSync } from "node:fs";
import type { Adapter } from "../../transcript/adapter.ts";
import { MAX_REPLIES } from "../../transcript/bounds.ts";
import type { Digest, Fold } from "../../transcript/digest.ts";
import type { Entry, ReplyEntry } from "../../transcript/entry.ts";
import { foldRow } from "../../transcript/fold.ts";
import { type LinesRead, type LineVisitor, type ReadOptions, readLines } from "./read-lines.ts";
import { type CommandFilter, createRowFilter } from "./row-filter.ts";

/**
 * Parsing and folding a line takes some forty times as long as passing it over (measured with Node 20.20). It counts as less, so
 * that an ordinary session is read in one call.
 */
const PARSE_COST = 16;

export interface FoldOptions extends Omit<ReadOptions, "getExtraCost"> {
  /** Absent: any command may. */
  readonly mayMatter?: CommandFilter | undefined;
}

/**
 * Folds the complete lines between two offsets of a transcript. It parses only what the digest needs: forwards the lines
 * that meet a rule of the adapter, then backwards as many as it takes to find the last replies. The digest is the one
 * that folding every line gives.
 */
export function foldLines(
  fd: number,
  from: number,
  to: number,
  digest: Digest,
  adapter: Adapter,
  fold: Fold,
  { mayMatter: mayCommandMatter, ...options }: FoldOptions,
): LinesRead & { readonly digest: Digest } {
  const mayMatter = createRowFilter(adapter.rules, mayCommandMatter);
  const places: Places = { offsets: [], lengths: [] };
  let { rows, broken } = digest;
  let folded = digest;
  let pending = getPendingIds(digest);
  let parsedBytes = 0;
  const visitor: LineVisitor = {
    line(bytes, start, end, offset) {
      rows += 1;
      const shape = getShape(bytes, start, end);
      if (shape === "broken") broken += 1;
      if (shape !== "object") return;
      places.offsets.push(offset);
      places.lengths.push(end - start);
      if (!mayMatter(bytes, start, end, pending)) return;
      parsedBytes += end - start;
      const entries = adapter.parseLine(bytes.toString("utf8", start, end));
      if (entries === undefined) broken += 1;
      const next = (entries ?? []).filter(isNoReply).reduce(fold, { ...folded, rows, broken });
      if (next.pending !== folded.pending) pending = getPendingIds(next);
      folded = next;
    },
    oversized() {
      rows += 1;
      broken += 1;
    },
  };
  const getExtraCost = (): number => PARSE_COST * parsedBytes;
  const read = readLines(fd, from, to, visitor, { ...options, getExtraCost });
  return { ...read, digest: findLastReplies(fd, places, adapter).reduce(fold, { ...folded, rows, broken }) };
}

/** Where lines stand in the file, in order. */
interface Places {
  readonly offsets: number[];
  readonly lengths: number[];
}

/** The last replies of the main conversation in order, as many as a digest keeps. */
function findLastReplies(fd: number, { offsets, lengths }: Places, adapter: Adapter): readonly ReplyEntry[] {
  const mayReply = createRowFilter(adapter.replyRules);
  let found: readonly ReplyEntry[] = [];
  for (let i = offsets.length - 1; i >= 0 && found.length < MAX_REPLIES; i--) {
    const bytes = Buffer.allocUnsafe(lengths[i] ?? 0);
    const end = readSync(fd, bytes, 0, bytes.length, offsets[i] ?? 0);
    if (!mayReply(bytes, 0, end, new Set())) continue;
    found = [...(adapter.parseLine(bytes.toString("utf8", 0, end)) ?? []).filter(isMainReply), ...found];
  }
  return found;
}

/** Folds a last line that is complete but for its line end; anything else is still being written and is left alone. */
export function foldTail(digest: Digest, tail: Buffer, adapter: Adapter, fold: Fold): Digest {
  if (getShape(tail, 0, tail.length) !== "object") return digest;
  const entries = adapter.parseLine(tail.toString("utf8"));
  return entries === undefined ? digest : foldRow(fold, digest, entries);
}

function getPendingIds({ pending }: Digest): ReadonlySet<string> {
  return new Set(pending.flatMap(({ callId, awaits }) => (awaits === undefined ? [callId] : [callId, awaits])));
}

function isMainReply(entry: Entry): entry is ReplyEntry {
  return entry.kind === "reply" && !entry.sidechain;
}

function isNoReply(entry: Entry): boolean {
  return entry.kind !== "reply";
}

type Shape = "object" | "empty" | "broken";

/** By the first and the last character only: what JSON allows around an object, and a byte order mark before it. */
export function getShape(bytes: Buffer, start: number, end: number): Shape {
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
