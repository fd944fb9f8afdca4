import { parse, TomlError } from "smol-toml";
import type { TomlTable } from "smol-toml";
import { Failure } from "../failure.ts";
import type { Original, SettingsChange } from "./hook-entries.ts";
import { where } from "./json-text.ts";
import type { NamedText } from "./json-text.ts";
import { LINK } from "./launcher.ts";
import { findTop } from "./toml-text.ts";
import type { TomlKey, TomlList } from "./toml-text.ts";

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
    return { text: splice(named.text, found.list.open + 1, found.list.open + 1, inserted), what: WHAT };
  }
  return { text: addLine(named.text, `notify = [${RENDERED}]`), what: WHAT };
}

/**
 * Takes our program out of `notify`, and the key where `original`, the text from before, has none. Where nothing else has changed since, `original` is the
 * result. Throws as `addNotify`.
 */
export function removeNotify(text: string, path: string, original: Original): SettingsChange {
  if (!text.includes(MARK)) return { text, what: [] };
  const found = findNotify({ text, path });
  if (found === undefined || !isOurs(found.items)) return { text, what: [] };
  const isAll = found.items.length === OURS.length && !hasNotify(original ?? "");
  const result = isAll ? splice(text, found.start, found.end, "") : removeItems(text, found);
  if (original === null) return { text: result.trim() === "" ? undefined : result, what: WHAT };
  if (original === undefined) return { text: result, what: WHAT };
  return { text: result.trimEnd() === original.trimEnd() ? original : result, what: WHAT };
}

function hasNotify(text: string): boolean {
  try {
    return read(text)["notify"] !== undefined;
  } catch {
    return false;
  }
}

/** Whether config.toml switches Codex's hooks off. Total: a text that is no TOML switches nothing. */
export function hasHooksOff(text: string): boolean {
  try {
    const { features } = read(text);
    if (typeof features !== "object" || features === null || Array.isArray(features) || features instanceof Date)
      return false;
    // The second is its name before 0.124.
    return (features["hooks"] ?? features["codex_hooks"]) === false;
  } catch {
    return false;
  }
}

/** What is wrong with config.toml, and where; undefined for TOML. */
export function findTomlProblem(text: string, path: string): string | undefined {
  try {
    parseToml({ text, path });
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Our key as it stands, with what it lists. */
interface Notify extends TomlKey {
  readonly items: readonly string[];
  readonly list: TomlList;
}

function findNotify(named: NamedText): Notify | undefined {
  const notify = parseToml(named)["notify"];
  if (notify === undefined) return undefined;
  const { keys, tables } = findTop(named.text);
  if (!Array.isArray(notify) || !notify.every((item) => typeof item === "string")) {
    const place = [...keys, ...tables].find(({ name }) => /^\[*\s*["']?notify\b/.test(name));
    throw new Failure(
      `${where(named, place?.start ?? 0)}: expected \`notify\` to be a list of texts, got something else; correct it or remove it and run this again`,
    );
  }
  const key = keys.find(({ name }) => /^(?:notify|"notify"|'notify')$/.test(name));
  if (key?.list !== undefined) return { ...key, list: key.list, items: notify };
  throw new Failure(
    `${where(named, 0)}: expected the key written as \`notify = [...]\`, got another spelling; correct it and run this again`,
  );
}

function parseToml({ text, path }: NamedText): Readonly<Record<string, unknown>> {
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new Failure(
      `${path}:${error.line}:${error.column}: expected TOML, got an error (${reason}); correct the file and run this again`,
      { cause: error },
    );
  }
}

/** TOML has numbers that JavaScript's cannot hold. */
function read(text: string): TomlTable {
  return parse(text, { integersAsBigInt: "asNeeded" });
}

function isOurs(items: readonly string[]): boolean {
  return items[0] === "/bin/sh" && items[2]?.includes(MARK) === true && items[3] === "catstack";
}

/** Without our items, which are the first, and the comma and the blank behind them. */
function removeItems(text: string, { list: { open, close, commas }, items }: Notify): string {
  const isAsWritten = text.startsWith(RENDERED, open + 1);
  if (items.length === OURS.length) return splice(text, open + 1, isAsWritten ? open + 1 + RENDERED.length : close, "");
  const comma = commas[OURS.length - 1];
  if (comma === undefined) throw new Error("expected a comma behind our part of `notify`, got none");
  return splice(text, open + 1, text[comma + 1] === " " ? comma + 2 : comma + 1, "");
}

/** Behind the last key of the top level, else on top: below the first table's header it would belong to that table. */
function addLine(text: string, line: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  // Editors look for the name of a schema in the first lines.
  const at = findTop(text).keys.at(-1)?.end ?? /^(?:#:[^\n]*\n)*/.exec(text)?.[0].length ?? 0;
  const before = at > 0 && text[at - 1] !== "\n" ? eol : "";
  return splice(text, at, at, `${before}${line}${eol}`);
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
