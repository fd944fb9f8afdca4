import type { RowRule } from "../../transcript/adapter.ts";
import { Needle } from "./needle.ts";

const BACKSLASH = 0x5c;

/** Whether the line `bytes[start, end)` meets a rule while the calls of these ids are pending. */
export type RowFilter = (bytes: Buffer, start: number, end: number, pending: ReadonlySet<string>) => boolean;

interface Search {
  readonly all: readonly Needle[];
  readonly none: Needle | undefined;
  readonly awaitedAt: Needle | undefined;
  readonly whilePending: boolean;
}

/** The filter that rules make. Of one buffer, lines must be asked for in their order. */
export function createRowFilter(rules: readonly RowRule[]): RowFilter {
  const needles = new Map<string, Needle>();
  const getNeedle = (text: string): Needle => {
    const needle = needles.get(text) ?? new Needle(text);
    needles.set(text, needle);
    return needle;
  };
  const searches = rules.map(({ all, none, awaitedAt, whilePending }): Search => ({
    all: all.map(getNeedle),
    none: none === undefined ? undefined : getNeedle(none),
    awaitedAt: awaitedAt === undefined ? undefined : new Needle(awaitedAt),
    whilePending: whilePending === true || awaitedAt !== undefined,
  }));
  return (bytes, start, end, pending) => {
    for (const search of searches) if (meets(search, bytes, start, end, pending)) return true;
    return false;
  };
}

function meets(search: Search, bytes: Buffer, start: number, end: number, pending: ReadonlySet<string>): boolean {
  if (search.whilePending && pending.size === 0) return false;
  const at = search.none?.find(bytes, start, end);
  // Behind a backslash it is quoted text: the line is parsed, and the parser knows.
  if (at !== undefined && bytes[at - 1] !== BACKSLASH) return false;
  for (const needle of search.all) if (needle.find(bytes, start, end) === undefined) return false;
  return search.awaitedAt === undefined || hasAwaited(search.awaitedAt, bytes, start, end, pending);
}

function hasAwaited(key: Needle, bytes: Buffer, start: number, end: number, pending: ReadonlySet<string>): boolean {
  for (let at = key.find(bytes, start, end); at !== undefined; at = key.find(bytes, at + 1, end)) {
    const open = bytes.indexOf('"', bytes.indexOf(":", at));
    const id = bytes.toString("latin1", open + 1, bytes.indexOf('"', open + 1));
    if (pending.has(id)) return true;
  }
  return false;
}
