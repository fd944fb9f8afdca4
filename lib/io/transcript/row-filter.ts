import type { RowRule } from "../../transcript/adapter.ts";
import { Needle } from "./needle.ts";
import { readStringAfter } from "./raw-json.ts";

const BACKSLASH = 0x5c;

/** Whether the line `bytes[start, end)` meets a rule while the calls of these ids are pending. */
export type RowFilter = (bytes: Buffer, start: number, end: number, pending: ReadonlySet<string>) => boolean;

/** Whether a command line can change a digest. It may say yes to one that does not. */
export type CommandFilter = (command: string) => boolean;

interface Search {
  /** Undefined: every line has it. */
  readonly first: Needle | undefined;
  readonly more: readonly Needle[];
  readonly none: Needle | undefined;
  readonly awaitedAt: Needle | undefined;
  readonly commandAt: Needle | undefined;
  readonly nested: boolean;
  readonly whilePending: boolean;
}

/** The filter that rules make. Of one buffer, lines must be asked for in their order. */
export function createRowFilter(rules: readonly RowRule[], mayMatter: CommandFilter = () => true): RowFilter {
  const searches = toSearches(rules);
  const always = searches.filter(({ whilePending }) => !whilePending);
  let known: { readonly bytes: Buffer; readonly searches: readonly Search[] } | undefined;
  let next = 0; // where the first text of any rule stands next: lines before it need no more than one comparison
  return (bytes, start, end, pending) => {
    const active = pending.size === 0 ? always : searches;
    if (known?.bytes !== bytes || known.searches !== active || next < start) {
      known = { bytes, searches: active };
      next = findNext(active, bytes, start);
    }
    return next < end && active.some((search) => meets(search, bytes, start, end, pending, mayMatter));
  };
}

function toSearches(rules: readonly RowRule[]): readonly Search[] {
  const needles = new Map<string, Needle>();
  const getNeedle = (text: string): Needle => {
    const needle = needles.get(text) ?? new Needle(text);
    needles.set(text, needle);
    return needle;
  };
  return rules.map(({ all: [first, ...more], none, awaitedAt, commandAt, nested, whilePending }) => ({
    first: first === undefined ? undefined : getNeedle(first),
    more: more.map(getNeedle),
    none: none === undefined ? undefined : getNeedle(none),
    awaitedAt: awaitedAt === undefined ? undefined : new Needle(awaitedAt),
    commandAt: commandAt === undefined ? undefined : new Needle(commandAt),
    nested: nested === true,
    whilePending: whilePending === true || awaitedAt !== undefined,
  }));
}

function findNext(searches: readonly Search[], bytes: Buffer, start: number): number {
  let next = Infinity;
  for (const { first } of searches) {
    const at = first === undefined ? start : first.find(bytes, start, Infinity);
    if (at !== undefined && at < next) next = at;
  }
  return next;
}

function meets(
  search: Search,
  bytes: Buffer,
  start: number,
  end: number,
  pending: ReadonlySet<string>,
  mayMatter: CommandFilter,
): boolean {
  if (search.first !== undefined && search.first.find(bytes, start, end) === undefined) return false;
  const at = search.none?.find(bytes, start, end);
  // Behind a backslash it is quoted text: the line is parsed, and the parser knows.
  if (at !== undefined && bytes[at - 1] !== BACKSLASH) return false;
  for (const needle of search.more) if (needle.find(bytes, start, end) === undefined) return false;
  if (search.commandAt !== undefined && !hasCommand(search, search.commandAt, bytes, start, end, mayMatter))
    return false;
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

/** True as well for a line in which no command is found: the parser may find one. */
function hasCommand(
  { nested }: Search,
  key: Needle,
  bytes: Buffer,
  start: number,
  end: number,
  mayMatter: CommandFilter,
): boolean {
  const first = key.find(bytes, start, end);
  if (first === undefined) return true;
  for (let at: number | undefined = first; at !== undefined; at = key.find(bytes, at + 1, end)) {
    const text = readStringAfter(bytes, at + key.length, end);
    if (text === undefined || (nested ? mayHoldOne(text, mayMatter) : mayMatter(text))) return true;
  }
  return false;
}

/** A text of JSON or of a script spells some characters of its commands with a backslash; what is left of others is a letter. */
const SPELLED = /\\[^nrt"'`\\/]/;

function mayHoldOne(text: string, mayMatter: CommandFilter): boolean {
  if (!text.includes("\\")) return mayMatter(text);
  return (
    SPELLED.test(text) || mayMatter(text.replaceAll(/\\(.)/g, (_, char: string) => (/[nrt]/.test(char) ? "\n" : char)))
  );
}
