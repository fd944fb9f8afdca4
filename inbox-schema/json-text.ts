import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { showText } from "./describe.ts";

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units, as editors count. */
  readonly column: number;
}

export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  /** No position where the text nests too deeply to be walked. */
  | { readonly ok: false; readonly reason: string; readonly position: Position | undefined };

/**
 * Parses plain JSON (no comments, no trailing commas) as `JSON.parse` does, but for one byte order mark at the start.
 * A failure says what was expected, what came and where. Never throws.
 */
export function parseJson(text: string): JsonText {
  const json = withoutByteOrderMark(text);
  try {
    const value: unknown = JSON.parse(json);
    return { ok: true, value };
  } catch (error) {
    return describeSyntaxError(json, String(error));
  }
}

/** ` at line 3, column 14`, or nothing where the place is not known. */
export function showPosition(position: Position | undefined): string {
  return position === undefined ? "" : ` at line ${position.line}, column ${position.column}`;
}

/** Where the value at `path` stands, or its nearest enclosing value where that is missing. Undefined for broken JSON. */
export function findPosition(text: string, path: readonly PropertyKey[]): Position | undefined {
  const json = withoutByteOrderMark(text);
  let node = findTree(json).root;
  if (node === undefined) return undefined;
  for (const key of path) {
    const child = findChild(node, key);
    if (child === undefined) break;
    node = child;
  }
  return getPosition(json, node.offset);
}

/**
 * The top-level keys of a broken JSON object whose values stand whole, such as those around a `NaN`. Best effort: a value
 * that is cut off is left out.
 */
export function salvageKeys(text: string): Record<string, unknown> {
  const json = withoutByteOrderMark(text);
  const { root } = findTree(json);
  const properties = root?.type === "object" ? (root.children ?? []) : [];
  const found = new Map<string, unknown>();
  for (const property of properties) {
    const [key, value] = property.children ?? [];
    if (typeof key?.value !== "string" || value === undefined) continue;
    found.set(key.value, parseWhole(json.slice(value.offset, value.offset + value.length)));
  }
  return Object.fromEntries(found);
}

const expectations: Readonly<Record<string, string>> = {
  InvalidSymbol: "a JSON value or a key in double quotes",
  InvalidNumberFormat: "a number",
  PropertyNameExpected: "a key in double quotes",
  ValueExpected: "a value",
  ColonExpected: "`:`",
  CommaExpected: "`,`",
  CloseBraceExpected: "`}`",
  CloseBracketExpected: "`]`",
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: "JSON without comments",
  UnexpectedEndOfComment: "JSON without comments",
  UnexpectedEndOfString: "a string that ends with a double quote",
  UnexpectedEndOfNumber: "a whole number",
  InvalidUnicode: "four hexadecimal digits after `\\u`",
  InvalidEscapeCharacter: "a valid escape after `\\`",
  InvalidCharacter: "a string whose control characters are escaped",
};

function describeSyntaxError(json: string, thrown: string): JsonText {
  if (json.trim() === "")
    return { ok: false, reason: "expected JSON, got nothing, as the file is empty,", position: getPosition("", 0) };
  const [error] = findTree(json).errors;
  if (error === undefined)
    return { ok: false, reason: `expected JSON, got a ${showText(thrown)}`, position: undefined };
  const token = json.slice(error.offset, error.offset + Math.max(error.length, 1));
  const got = token === "" ? "the end of the file" : `\`${showText(token)}\``;
  return {
    ok: false,
    reason: `expected ${expectations[printParseErrorCode(error.error)] ?? "JSON"}, got ${got}`,
    position: getPosition(json, error.offset),
  };
}

/** The tolerant parser's tree; without a root when the text holds no value, or nests too deeply for its recursion. */
function findTree(json: string): { root: Node | undefined; errors: ParseError[] } {
  const errors: ParseError[] = [];
  try {
    return { root: parseTree(json, errors, { disallowComments: true }), errors };
  } catch {
    return { root: undefined, errors: [] };
  }
}

function findChild(node: Node, key: PropertyKey): Node | undefined {
  if (node.type === "array") return node.children?.[Number(key)];
  // Of two equal keys the last counts, as for `JSON.parse`.
  return node.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function getPosition(json: string, offset: number): Position {
  const before = json.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function parseWhole(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
