/** A list as it stands in a text: its brackets, and the commas between its items. */
export interface TomlList {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

/** A key or the header of a table: its name as it is written, and where its first line begins and its last one ends, line end included. */
export interface TomlKey {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Undefined where the value is no list. */
  readonly list?: TomlList;
}

interface TomlTop {
  /** Those of no table, which come before the first one. */
  readonly keys: readonly TomlKey[];
  readonly tables: readonly TomlKey[];
}

/** Finds what is on the top level of a text that a parser has found to be TOML. It is read once, however long it is. */
export function findTop(text: string): TomlTop {
  const keys: TomlKey[] = [];
  const tables: TomlKey[] = [];
  for (let start = 0; start < text.length;) {
    const first = skipBlanks(text, start);
    const isTable = text[first] === "[";
    const equals = isTable ? undefined : findEquals(text, first);
    const { end, list } = readLine(text, equals === undefined ? first : equals + 1);
    const key = { name: text.slice(first, equals ?? end).trim(), start, end };
    if (isTable) tables.push(key);
    else if (equals !== undefined && tables.length === 0) keys.push(list === undefined ? key : { ...key, list });
    start = end;
  }
  return { keys, tables };
}

/** Where the sign behind a key stands; undefined on a line without one. */
function findEquals(text: string, at: number): number | undefined {
  for (let index = at; index < text.length;) {
    const char = text[index] ?? "";
    if (char === "=") return index;
    if (char === "#" || char === "\n") return undefined;
    index = isQuote(char) ? skipText(text, index) : index + 1;
  }
  return undefined;
}

/** Reads on to the end of the line, behind all lists, tables and texts that are open there. */
function readLine(text: string, at: number): { readonly end: number; readonly list: TomlList | undefined } {
  const open = skipBlanks(text, at);
  const commas: number[] = [];
  let close: number | undefined;
  let depth = 0;
  let index = open;
  for (let char = text[index]; char !== undefined && (char !== "\n" || depth > 0); char = text[index]) {
    if (char === "[" || char === "{") depth += 1;
    if (char === "," && depth === 1) commas.push(index);
    if ((char === "]" || char === "}") && --depth === 0) close ??= index;
    index = isQuote(char) ? skipText(text, index) : char === "#" ? findLineEnd(text, index) : index + 1;
  }
  const list = text[open] === "[" && close !== undefined ? { open, close, commas } : undefined;
  return { end: Math.min(index + 1, text.length), list };
}

/** Behind the text whose first quote stands at `at`. */
function skipText(text: string, at: number): number {
  const quote = text[at] ?? "";
  const closing = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let index = at + closing.length;
  while (index < text.length && !text.startsWith(closing, index))
    index += quote === '"' && text[index] === "\\" ? 2 : 1;
  // A text of many lines may end in quotes of its own.
  const last = index + (closing === quote ? 1 : 5);
  index += closing.length;
  while (index < last && text[index] === quote) index += 1;
  return index;
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'";
}

function skipBlanks(text: string, at: number): number {
  let index = at;
  while (text[index] === " " || text[index] === "\t") index += 1;
  return index;
}

function findLineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
