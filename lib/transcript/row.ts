/** A parsed JSON object of unknown make. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * The object a line holds; undefined when it is no JSON object, or a large one with lists or objects more than 1,000 deep. A
 * byte order mark before it is allowed.
 */
export function parseRow(line: string): Row | undefined {
  if (isTooDeep(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line.startsWith("\uFEFF") ? line.slice(1) : line);
    return isRow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reading what is nested a million deep takes seconds; no client nests more than a few dozen. */
const DEEPEST = 1000;
/** The parser is fast enough for any nesting that fits in here. */
const LARGE = 64 * 1024;

/** Whether a text is better not given to `JSON.parse`: a large one with lists or objects more than 1,000 deep. */
export function isTooDeep(json: string): boolean {
  return json.length > LARGE && isDeeperThan(DEEPEST, json);
}

/** Whether lists and objects stand more than so many levels inside each other, in one pass. */
function isDeeperThan(deepest: number, json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) at = findStringEnd(json, at + 1);
    else if (char === BRACE || char === BRACKET) depth++;
    else if (char === BRACE + 2 || char === BRACKET + 2) depth--;
    if (depth > deepest) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Where the string that holds `from` ends: at the first quote with an even number of backslashes before it. */
function findStringEnd(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end !== -1; end = json.indexOf('"', end + 1)) {
    let start = end;
    while (start > from && json.charCodeAt(start - 1) === BACKSLASH) start--;
    if ((end - start) % 2 === 0) return end;
  }
  return json.length;
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value when it is a string with at least one character. */
export function findText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The objects of a list; none when it is no list. */
export function getRows(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.filter(isRow) : [];
}

/** A text, or the text blocks of a list, joined by line ends. */
export function getText(content: unknown): string {
  if (typeof content === "string") return content;
  return getRows(content)
    .map((block) => (block["type"] === "text" ? (findText(block["text"]) ?? "") : ""))
    .filter((text) => text !== "")
    .join("\n");
}
