import type { Part } from "./entry.ts";

/** What a code-mode script does with the shell: it starts a command, or asks for more of one that runs (`session`). */
export interface ScriptCall {
  readonly command?: string;
  readonly cwd?: string;
  readonly session?: string;
  /** Absent: it is the only one of its script. */
  readonly part?: Part;
}

/** A longer script is not looked into. */
const MAX_SCRIPT = 256 * 1024;
const MAX_CALLS = 16;

const CALL = /tools\.(exec_command|write_stdin)\(\s*(\{?)/y;
const KEY = /(?:[\w$]+|"[\w$]+"|'[\w$]+')\s*:\s*/y;
const NUMBER = /\d{1,18}/y;
const SPACE = /[\s,]*/y;
/** Goes through the results of several calls, one after the other. */
const LOOP = /\.(?:forEach|map)\(|\bfor ?\((?:const|let|var) [\w$]+ of\b/;

/**
 * The calls of `tools.exec_command` and `tools.write_stdin` in a script, in the order in which they are written, as the models write them
 * (seen with 0.144 to 0.147): with literal strings. What is computed is left out of its call. Total, in one pass over the text.
 */
export function findScriptCalls(script: string): readonly ScriptCall[] {
  if (script.length > MAX_SCRIPT) return [];
  const calls: ScriptCall[] = [];
  let code = "";
  for (let at = 0; at < script.length;) {
    const end = findLiteralEnd(script, at);
    const call = end === undefined && script.startsWith("tools.", at) ? match(CALL, script, at) : undefined;
    if (call === undefined) {
      code += end === undefined ? script[at] : " ";
      at = end ?? at + 1;
      continue;
    }
    const fields = call[2] === "{" ? readFields(script, at + call[0].length) : { end: at + call[0].length };
    calls.push(toScriptCall(call[1] === "exec_command", fields));
    at = fields.end;
  }
  if (calls.length <= 1) return calls;
  if (calls.length > MAX_CALLS) return [];
  const inOrder = LOOP.test(code);
  return calls.map((call, index) => ({ ...call, part: { index, count: calls.length, inOrder } }));
}

interface Fields {
  readonly end: number;
  readonly cmd?: string;
  readonly workdir?: string;
  readonly session_id?: string;
}

function toScriptCall(starts: boolean, { cmd, workdir, session_id: session }: Fields): ScriptCall {
  if (!starts) return session === undefined ? {} : { session };
  if (cmd === undefined) return {};
  return workdir === undefined ? { command: cmd } : { command: cmd, cwd: workdir };
}

/** The fields of an object literal whose first one begins at `from`, as far as they are literal; `end` is behind its brace. */
function readFields(script: string, from: number): Fields {
  const fields: Record<string, string> = {};
  let at = from;
  while (at < script.length) {
    at += match(SPACE, script, at)?.[0].length ?? 0;
    if (script[at] === "}") return { ...fields, end: at + 1 };
    const key = match(KEY, script, at)?.[0];
    const valueAt = at + (key?.length ?? 0);
    const valueEnd = findValueEnd(script, valueAt);
    const value = key === undefined ? undefined : readLiteral(script.slice(valueAt, valueEnd).trimEnd());
    if (key !== undefined && value !== undefined) fields[key.replace(/["':\s]/g, "")] = value;
    at = valueEnd;
  }
  return { ...fields, end: at };
}

/** The comma or the brace behind a value; at least one character on. */
function findValueEnd(script: string, from: number): number {
  let depth = 0;
  for (let at = from; at < script.length;) {
    const char = script.charAt(at);
    if (depth === 0 && (char === "," || char === "}")) return at;
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char)) depth = Math.max(0, depth - 1);
    at = findLiteralEnd(script, at) ?? at + 1;
  }
  return script.length;
}

/** Behind the string, template or comment that begins at `at`; undefined when none does. One that is not closed takes the rest. */
function findLiteralEnd(script: string, at: number): number | undefined {
  const char = script.charAt(at);
  if (char === "/") {
    if (script.startsWith("//", at)) return findEnd(script, "\n", at + 2);
    return script.startsWith("/*", at) ? findEnd(script, "*/", at + 2) : undefined;
  }
  if (char !== '"' && char !== "'" && char !== "`") return undefined;
  for (let end = at + 1; end < script.length; end++) {
    if (script[end] === "\\") end++;
    else if (script[end] === char || (script[end] === "\n" && char !== "`")) return end + 1;
  }
  return script.length;
}

function findEnd(script: string, mark: string, from: number): number {
  const at = script.indexOf(mark, from);
  return at === -1 ? script.length : at + mark.length;
}

/** The value of a number or of one string literal; undefined for anything that is computed. */
function readLiteral(source: string): string | undefined {
  const number = match(NUMBER, source, 0)?.[0];
  if (number !== undefined) return number === source ? number : undefined;
  const quote = source.charAt(0);
  if (source.length < 2 || findLiteralEnd(source, 0) !== source.length || !source.endsWith(quote)) return undefined;
  const inner = source.slice(1, -1);
  return quote === "`" && /(?<!\\)\$\{/.test(inner) ? undefined : inner.replace(ESCAPE, unescape);
}

const ESCAPE = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[^]))/g;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v", 0: "\0" };
/** A backslash at the end of a line joins it with the next. */
const JOINS = /^(?:\r\n|[\r\n\u2028\u2029])$/;

function unescape(_: string, braced?: string, unit?: string, byte?: string, char = ""): string {
  const code = Number.parseInt(braced ?? unit ?? byte ?? "", 16);
  if (!Number.isNaN(code)) return code > 0x10ffff ? "" : String.fromCodePoint(code);
  return JOINS.test(char) ? "" : (escapes[char] ?? char);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
