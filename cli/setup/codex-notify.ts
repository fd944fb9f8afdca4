import { parse, TomlError } from "smol-toml";
import { Failure } from "../failure.ts";
import type { SettingsChange } from "./hook-entries.ts";
import { where } from "./json-text.ts";
import type { NamedText } from "./json-text.ts";
import { LINK } from "./launcher.ts";

/**
 * Codex gives the program in `notify` one JSON argument after each turn. Ours runs beside the person's own program, which is what follows in the list and is
 * run as it was, and holds nobody up.
 */
const SCRIPT =
  `f="\${CODEX_HOME:-$HOME/.codex}/${LINK}/launch"; for p; do :; done; ` +
  `[ ! -r "$f" ] || /bin/sh "$f" codex notify "$p" </dev/null >/dev/null 2>&1 & [ $# -lt 2 ] || exec "$@"; exit 0`;
const OURS = ["/bin/sh", "-c", SCRIPT, "catstack"];
/** In TOML: the script holds no single quote. */
const RENDERED = OURS.map((item) => (item === SCRIPT ? `'${item}'` : JSON.stringify(item))).join(", ");
const MARK = `/${LINK}/launch`;
const WHAT = ["notify"];

/**
 * Puts our program in front of the person's own in `notify`, or adds the key. Everything else stays byte for byte. Throws a Failure that names file, line and
 * column where the text is no TOML, or `notify` no list of texts.
 */
export function addNotify(text: string | undefined, path: string): SettingsChange {
  const named = { text: text ?? "", path };
  const found = findNotify(named);
  if (found !== undefined && isOurs(found.items)) {
    if (OURS.every((item, index) => found.items[index] === item)) return { text, what: [] };
    const without = removeItems(named.text, found);
    return { text: addNotify(without, path).text, what: ["notify (renewed)"] };
  }
  if (found !== undefined) {
    const inserted = RENDERED + (found.items.length === 0 ? "" : ", ");
    return { text: splice(named.text, found.open + 1, found.open + 1, inserted), what: WHAT };
  }
  return { text: addLine(named.text, `notify = [${RENDERED}]`), what: WHAT };
}

/**
 * Takes our program out of `notify`, and the key where `original`, the text from before, has none. Where nothing else has changed since, `original` is the
 * result. Throws as `addNotify`.
 */
export function removeNotify(text: string, path: string, original?: string): SettingsChange {
  if (!text.includes(MARK)) return { text, what: [] };
  const found = findNotify({ text, path });
  if (found === undefined || !isOurs(found.items)) return { text, what: [] };
  const isAll = found.items.length === OURS.length && !hasNotify(original ?? "");
  const result = isAll ? removeLine(text, found) : removeItems(text, found);
  if (original === undefined) return { text: result.trim() === "" ? undefined : result, what: WHAT };
  return { text: result.trimEnd() === original.trimEnd() ? original : result, what: WHAT };
}

function hasNotify(text: string): boolean {
  try {
    return parse(text)["notify"] !== undefined;
  } catch {
    return false;
  }
}

/** Whether config.toml switches Codex's hooks off. Total: a text that is no TOML switches nothing. */
export function hasHooksOff(text: string): boolean {
  try {
    const { features } = parse(text);
    if (typeof features !== "object" || Array.isArray(features) || features instanceof Date) return false;
    // The second is its name before 0.124.
    return (features["hooks"] ?? features["codex_hooks"]) === false;
  } catch {
    return false;
  }
}

interface Notify {
  readonly items: readonly string[];
  /** Where the line of the key begins, where its list opens, and where it closes. */
  readonly start: number;
  readonly open: number;
  readonly close: number;
}

function findNotify(named: NamedText): Notify | undefined {
  const items = parseItems(named);
  if (items === undefined) return undefined;
  const { text } = named;
  for (const match of text.matchAll(/^[ \t]*(?:notify|"notify"|'notify')[ \t]*=[ \t]*\[/gm)) {
    if (!isTopLevel(text.slice(0, match.index))) continue;
    const open = match.index + match[0].length - 1;
    return { items, start: match.index, open, close: getClose(text, open, items.length) };
  }
  throw new Failure(
    `${where(named, 0)}: expected the key written as \`notify = [...]\`, got another spelling; correct it and run this again`,
  );
}

/** What `notify` lists; undefined when there is no such key at the top level. */
function parseItems(named: NamedText): readonly string[] | undefined {
  const notify = parseToml(named)["notify"];
  if (notify === undefined) return undefined;
  if (Array.isArray(notify) && notify.every((item) => typeof item === "string")) return notify;
  const place = [...named.text.matchAll(/^[ \t]*["']?notify\b/gm)].find(({ index }) =>
    isTopLevel(named.text.slice(0, index)),
  );
  throw new Failure(
    `${where(named, place?.index ?? 0)}: expected \`notify\` to be a list of texts, got something else; correct it or remove it and run this again`,
  );
}

function parseToml({ text, path }: NamedText): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new Failure(
      `${path}:${error.line}:${error.column}: expected TOML, got an error (${reason}); correct the file and run this again`,
      { cause: error },
    );
  }
}

/** Whether a key that followed would be one of the top level: no table has begun, and no text or list is open. The parser itself is asked. */
function isTopLevel(prefix: string): boolean {
  try {
    return parse(`${prefix}\n"catstack probe" = 1\n`)["catstack probe"] === 1;
  } catch {
    return false;
  }
}

/** Where the list that opens at `open` closes: the first bracket up to which there is a list of so many items. */
function getClose(text: string, open: number, count: number): number {
  for (let end = text.indexOf("]", open); end !== -1; end = text.indexOf("]", end + 1)) {
    if (countItems(text.slice(open, end + 1)) === count) return end;
  }
  throw new Error("expected the list of `notify` to close, got the end of the file");
}

function countItems(list: string): number | undefined {
  try {
    const { x } = parse(`x = ${list}`);
    return Array.isArray(x) ? x.length : undefined;
  } catch {
    return undefined;
  }
}

function isOurs(items: readonly string[]): boolean {
  return items[0] === "/bin/sh" && items[2]?.includes(MARK) === true && items[3] === "catstack";
}

/** Without our items, which are the first, and the comma and the blank behind them. */
function removeItems(text: string, { open, close, items }: Notify): string {
  const isAsWritten = text.startsWith(RENDERED, open + 1);
  if (items.length === OURS.length) return splice(text, open + 1, isAsWritten ? open + 1 + RENDERED.length : close, "");
  for (let comma = text.indexOf(",", open); comma !== -1 && comma < close; comma = text.indexOf(",", comma + 1)) {
    if (countItems(`${text.slice(open, comma)}]`) !== OURS.length) continue;
    return splice(text, open + 1, text[comma + 1] === " " ? comma + 2 : comma + 1, "");
  }
  throw new Error("expected a comma behind our part of `notify`, got none");
}

function removeLine(text: string, { start, close }: Notify): string {
  const end = text.indexOf("\n", close);
  return splice(text, start, end === -1 ? text.length : end + 1, "");
}

/** Behind the last key of the top level, else on top: below the first table's header it would belong to that table. */
function addLine(text: string, line: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const header = [...text.matchAll(/^[ \t]*\[/gm)].find(({ index }) => isTopLevel(text.slice(0, index)));
  const top = text.slice(0, header?.index ?? text.length);
  const lines = top.split(/(?<=\n)/);
  const keys = lines.slice(0, lines.findLastIndex((each) => !/^\s*(?:#.*)?$/.test(each.trimEnd())) + 1).join("");
  // Editors look for the name of a schema in the first lines.
  const at = keys === "" ? (/^(?:#:[^\n]*\n)*/.exec(text)?.[0].length ?? 0) : keys.length;
  const before = at > 0 && text[at - 1] !== "\n" ? eol : "";
  return splice(text, at, at, `${before}${line}${eol}`);
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
