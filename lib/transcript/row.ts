/** A parsed JSON object of unknown make. */
export type Row = Readonly<Record<string, unknown>>;

/** The object a line holds; undefined when it is no JSON object. A byte order mark before it is allowed. */
export function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line.startsWith("\uFEFF") ? line.slice(1) : line);
    return isRow(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
