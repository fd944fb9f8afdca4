import { getGroups } from "./groups.ts";
import { findNamedKind, redactNamedValues } from "./named-values.ts";
import { listShapes, type Shape } from "./shapes.ts";
import { listTokenFormats, type TokenFormat } from "./token-formats.ts";

/** A deeper value is no answer: see the judge's parser. */
const MAX_DEPTH = 100;
/** A token that was cut off shows this many characters at least. */
const MIN_CUT = 6;

/**
 * The text with `[redacted: KIND]` in place of each secret: keys and tokens of known formats, private keys, passwords in URLs and headers, and
 * values behind a secret's name. Redact before cutting: of a secret that was cut only the beginning of known formats is recognised. Takes time
 * in proportion to the text, whatever stands in it. What is encoded, spelled out or cut into pieces is not found. Idempotent.
 */
export function redactSecrets(text: string): string {
  if (text.length < MIN_CUT) return text;
  const seen = redact(text);
  const plain = stripUnseen(seen);
  if (plain === seen) return seen;
  const joined = redact(plain);
  return joined === plain ? seen : joined;
}

/**
 * The text without controls, marks that turn the direction of writing, and characters without width, some of which may stand between the
 * letters of a secret; tabs and line ends stay.
 */
export function stripUnseen(text: string): string {
  // Not a constant of the file: V8 makes the sets of characters at once, and most turns of a hook redact nothing.
  return text.replace(/(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "");
}

/** A copy of a JSON value with every string and key redacted; a string also by the key it stands under. */
export function redactValue(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactSecrets(value);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactValue(item, depth + 1));
  return redactRecord(value, depth);
}

/** As `redactValue`, for an object. */
export function redactRecord(record: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]: [string, unknown]) => {
      const kind = typeof value === "string" ? findNamedKind(key, value) : undefined;
      return [redactSecrets(key), kind === undefined ? redactValue(value, depth + 1) : mark(kind)];
    }),
  );
}

function mark(kind: string): string {
  return `[redacted: ${kind}]`;
}

interface Rules {
  readonly shapes: readonly Shape[];
  readonly formats: readonly TokenFormat[];
}

let rules: Rules | undefined;

/** Made when they are first needed: most hook processes redact nothing. */
function getRules(): Rules {
  return (rules ??= { shapes: listShapes(), formats: listTokenFormats() });
}

function redact(text: string): string {
  const { shapes, formats } = getRules();
  let redacted = text;
  for (const { kind, pattern } of shapes) redacted = redactShape(redacted, kind, pattern);
  for (const format of formats) redacted = redactTokens(redacted, format);
  return redactNamedValues(redacted, mark);
}

function redactShape(text: string, kind: string, pattern: RegExp): string {
  return text.replace(pattern, (_whole, ...rest: unknown[]) => {
    const { before = "", after = "" } = getGroups(rest);
    return `${before}${mark(kind)}${after}`;
  });
}

/** Behind the start, anything but a letter or digit, and what stands for such a character in JSON and URLs. */
const BOUNDARY = "(?<=^|[^A-Za-z0-9]|\\\\[nrt]|%[0-9A-Fa-f]{2}|\\\\u[0-9a-fA-F]{4})";

function redactTokens(text: string, { kind, prefixes, characters, min }: TokenFormat): string {
  const present = prefixes.filter((prefix) => text.includes(prefix));
  if (present.length === 0) return text;
  const start = present.map((prefix) => prefix.replace(/[.+]/g, "\\$&")).join("|");
  const pattern = new RegExp(`${BOUNDARY}(${start})(${characters}{${MIN_CUT},})(?=(\\s*(?:…|\\.{3}|$))|)`, "g");
  return text.replace(pattern, (token: string, prefix: string, rest: string, end: string | undefined) =>
    rest.length >= min || isCut(prefix, rest, end) ? mark(kind) : token,
  );
}

/** The beginning of a token where a text ends, or was cut off: one with a long prefix is known by it. */
function isCut(prefix: string, rest: string, end: string | undefined): boolean {
  return end !== undefined && prefix.length >= 4 && /\d/.test(rest) && /[A-Za-z]/.test(rest);
}
