import { createScanner, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Node, ParseError } from "jsonc-parser";
import { Failure } from "../failure.ts";

/** How a client reads its file: as JSON alone, or with comments and commas behind a last item. */
export type Dialect = "strict" | "comments";

/** A settings text and the name that errors give it. */
export interface NamedText {
  readonly text: string;
  readonly path: string;
}

/** Far more than any settings have, and far less than what exhausts the stack of a parser. */
const MAX_DEPTH = 200;

// jsonc-parser's kinds are a const enum, which a compiler that looks at one file alone cannot read.
const OPENERS: readonly number[] = [1, 3];
const CLOSERS: readonly number[] = [2, 4];
const WHITE_SPACE: readonly number[] = [14, 15];
const END = 17;

/** The tree of a settings file, which is an object. Throws a Failure that names the place of the first error. */
export function parseObject(named: NamedText, dialect: Dialect): Node {
  const deep = findDeepPlace(named.text);
  if (deep !== undefined) {
    throw new Failure(
      `${where(named, deep)}: expected at most ${MAX_DEPTH} lists and objects in each other, got more; correct the file and run this again`,
    );
  }
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: dialect === "comments", disallowComments: dialect === "strict" };
  const root = parseTree(named.text, errors, options);
  const [error] = errors;
  if (error !== undefined) {
    throw new Failure(
      `${where(named, error.offset)}: expected JSON, got an error (${printParseErrorCode(error.error)}); correct the file and run this again`,
    );
  }
  if (root === undefined) throw new Failure(`${where(named, 0)}: expected JSON, got nothing readable`);
  expectType(root, "object", "the file", named);
  return root;
}

/** Where a comment stands, or a comma behind a last item; undefined for a text that every reader of JSON takes, and for an empty one. */
export function findLoosePlace(named: NamedText): string | undefined {
  const errors: ParseError[] = [];
  if (named.text.trim() !== "") parseTree(named.text, errors, { allowTrailingComma: false, disallowComments: true });
  const [error] = errors;
  if (error === undefined) return undefined;
  const what =
    printParseErrorCode(error.error) === "InvalidCommentToken" ? "a comment" : "a comma behind the last item";
  return `${where(named, error.offset)}: ${what}`;
}

/** Throws a Failure that names the place of a node of another type. */
export function expectType(node: Node, type: "object" | "array", what: string, named: NamedText): void {
  if (node.type === type) return;
  const article = type === "object" ? "an object" : "an array";
  throw new Failure(
    `${where(named, node.offset)}: expected ${what} to be ${article}, got ${node.type}; correct it or remove it and run this again`,
  );
}

/** Throws a Failure where an object has the key twice: readers of JSON disagree about which one counts. */
export function expectOnce(object: Node, key: string, named: NamedText): void {
  const [, second] = (object.children ?? []).filter((property) => property.children?.[0]?.value === key);
  if (second === undefined) return;
  throw new Failure(
    `${where(named, second.offset)}: expected one \`${key}\`, got a second one; leave one and run this again`,
  );
}

/** `path:line:column`, from 1. */
export function where({ text, path }: NamedText, offset: number): string {
  const before = text.slice(0, offset);
  return `${path}:${before.split("\n").length}:${offset - before.lastIndexOf("\n")}`;
}

/** Whether two texts differ in white space alone; a comment is none. */
export function isSameButSpace(one: string, other: string): boolean {
  const [left, right] = [listTokens(one), listTokens(other)];
  return left.length === right.length && left.every((token, index) => token === right[index]);
}

function listTokens(text: string): string[] {
  const scanner = createScanner(text, false);
  const tokens: string[] = [];
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (!WHITE_SPACE.includes(kind)) tokens.push(text.slice(scanner.getTokenOffset(), scanner.getPosition()).trimEnd());
  }
  return tokens;
}

function findDeepPlace(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (CLOSERS.includes(kind)) depth -= 1;
    if (OPENERS.includes(kind) && ++depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}
