import { getGroups } from "./groups.ts";

/** A value behind a name such as `password`, and how it is written. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
  /** In quotes, or right behind a name in capitals and `=` as in an .env file: then it is meant literally. */
  readonly literal: boolean;
}

const PASSWORD = "(?:pass(?:word|wd|phrase|code)|pwd|[_-]pass(?![a-z]))";
const KEY_OWNERS =
  "access|account|api|app|auth|client|deploy|encryption|license|master|private|secret|service|shared|signing|storage";
const NAME = `(?:${PASSWORD}|secret|token|credentials?|(?:${KEY_OWNERS})[ _.-]?key)(?:[_-]?(?:base|string|value|prod|dev|test|\\d{1,2}))?`;
const QUOTE = "\\\\?[\"'`]";

/** `"password": "x"`, `DB_PASSWORD=x`, `secret := 'x'`, `the token is x`, `--token x`. */
const ASSIGNMENT = new RegExp(
  `(?<before>(?<name>${NAME})(?:${QUOTE}(?: value)?)?\\]?(?<sign>\\s{0,4}(?:=>|:=|={1,3}|:)\\s{0,4}| (?:is|was) |(?<=--[\\w-]{1,40}) ))(?:(?<open>${QUOTE})(?<quoted>[^\\s"'\`\\\\][^"'\`\\\\\\n]{3,400})|(?<bare>[^\\s"'\`\\\\,;<>()[\\]{}]{6,}))`,
  "gi",
);

const IS_PASSWORD = new RegExp(PASSWORD, "i");
const IS_NAME = new RegExp(`${NAME}$`, "i");

/** Replaces values that stand behind a secret's name; `mark` gives the text for a kind. */
export function redactNamedValues(text: string, mark: (kind: string) => string): string {
  if (!/pass|pwd|secret|token|cred|key/i.test(text)) return text;
  return text.replace(ASSIGNMENT, (whole: string, ...rest: unknown[]) => {
    const { before = "", name = "", sign = "", open = "", quoted, bare = "" } = getGroups(rest);
    const value = quoted ?? bare;
    const literal = quoted !== undefined || (sign === "=" && /^[A-Z0-9_]+$/.test(name));
    const secret = isSecret({ name, value, literal });
    return secret ? `${before}${open}${mark(getKind(name))}` : whole;
  });
}

/** The kind of secret that the key of an object's value names; undefined: the value is none. */
export function findNamedKind(name: string, value: string): string | undefined {
  const known = IS_NAME.test(name) && isSecret({ name, value, literal: true });
  return known ? getKind(name) : undefined;
}

function getKind(name: string): string {
  return IS_PASSWORD.test(name) ? "password" : "secret";
}

/** A password may be anything that is meant literally; a token has to look like one. */
function isSecret({ name, value, literal }: NamedValue): boolean {
  if (isPlaceholder(value) || isReference(value)) return false;
  if (IS_PASSWORD.test(name)) return literal || (/\d/.test(value) && /[A-Za-z]/.test(value));
  return value.length >= 12 && !/\s/.test(value) && !isWords(value) && looksRandom(value);
}

const ORDINARY =
  /^(?:true|false|null|undefined|none|nil|yes|no|string|str|number|text|password|passwd|secret|token|credentials?|required|optional|missing|invalid|incorrect|expired|empty|hidden|example|placeholder|changeme|change[_-]?me|your[_-].*|my[_-]?(?:password|secret|token)|todo|tbd|set|unset|not[ _-].*|redacted|removed|masked|x+|\*+|\.+|-+)[.!?]?$/i;

/** What stands for a secret: `${TOKEN}`, `<token>`, `****`, `required`, a mark of ours. */
function isPlaceholder(value: string): boolean {
  return /^(?:[$%<{[(*]|\.{3}|…)/.test(value) || ORDINARY.test(value.trim());
}

/** Names the place of a secret: `process.env.TOKEN`, `./secrets/db.txt`, a URL. */
function isReference(value: string): boolean {
  if (/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value))
    return value.split(".").every((part) => part.length < 24);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return true;
  return /^[^+=]*\/[^+=]*$/.test(value) && value.split("/").every((part) => part.length <= 30 && !isMixed(part));
}

/** Words and short numbers with dashes between them, such as a name or a date. */
function isWords(value: string): boolean {
  return value.split(/[-_.:/]/).every((part) => /^(?:[A-Za-z]*\d{0,2}|\d{1,4})$/.test(part));
}

/** Capitals, small letters and digits. */
function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text) && /\d/.test(text);
}

/** Letters and digits, at least 3 bits a character. */
function looksRandom(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  return digits >= 2 && /[A-Za-z]/.test(value) && getEntropy(value.slice(0, 400)) >= 3;
}

/** Shannon's, in bits a character. */
function getEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
