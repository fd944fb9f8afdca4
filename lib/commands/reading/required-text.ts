/**
 * A text that every match of a pattern contains; "" when none is plain to see. A search for it costs far less than the first
 * run of the pattern, which compiles it: a runner's output is held against the lines of every tool, and few can fit.
 */
export function findRequiredText(pattern: RegExp): string {
  const known = found.get(pattern);
  if (known !== undefined) return known;
  const text = pattern.ignoreCase ? "" : findLongestLiteral(pattern.source);
  found.set(pattern, text);
  return text;
}

const found = new WeakMap<RegExp, string>();

/** Looks outside of groups and classes, for characters that are not optional. */
function findLongestLiteral(source: string): string {
  let longest = "";
  let run = "";
  for (let at = 0; at < source.length;) {
    const char = source.charAt(at);
    if (char === "|") return "";
    const end = endOfPiece(source, at);
    const next = source.charAt(end);
    const literal = char === "\\" ? escapedLiteral(source.charAt(at + 1)) : ".([".includes(char) ? undefined : char;
    at = end;
    if (char === "^" || char === "$" || literal === "") continue;
    run = literal === undefined || "*?{".includes(next || " ") ? "" : run + literal;
    if (run.length > longest.length) longest = run;
    if (!"*+?{".includes(next || " ")) continue;
    run = "";
    at = endOfQuantifier(source, end);
  }
  return longest;
}

/** The character itself for `\.`, "" for `\b`, which takes no room, undefined for a class such as `\d`. */
function escapedLiteral(char: string): string | undefined {
  if (char === "b" || char === "B") return "";
  return /\w/.test(char) ? undefined : char;
}

function endOfPiece(source: string, at: number): number {
  const char = source.charAt(at);
  if (char === "\\") return at + 2;
  if (char === "[") return endOfClass(source, at);
  if (char !== "(") return at + 1;
  let depth = 0;
  for (let end = at; end < source.length;) {
    const inner = source.charAt(end);
    if (inner === "(") depth++;
    if (inner === ")" && --depth === 0) return end + 1;
    end = inner === "\\" ? end + 2 : inner === "[" ? endOfClass(source, end) : end + 1;
  }
  return source.length;
}

function endOfClass(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source.charAt(end) !== "]") end += source.charAt(end) === "\\" ? 2 : 1;
  return end + 1;
}

function endOfQuantifier(source: string, at: number): number {
  const end = source.charAt(at) === "{" ? source.indexOf("}", at) + 1 : at + 1;
  return source.charAt(end) === "?" ? end + 1 : end;
}
