/**
 * A pattern for a line of output as people read it: `N` for a number above 0, `n` for any number, `…` for anything. What a line must not
 * hold is left out.
 */
export function describePattern(pattern: RegExp): string {
  let text = dropLookarounds(pattern.source).replaceAll(number, "N");
  text = text.replaceAll(set, (_, inner: string, times: string) => describeSet(inner, times));
  for (const [from, to] of rewrites) text = text.replaceAll(from, to);
  return text.trim();
}

const ANYTHING = "…";
/** A letter of private use stands for a dot until the end. */
const DOT = "\uE000";
const number = /\[1-9\](?:\\d\*)?/g;
const set = /(?<!\\)\[((?:\\.|[^\]\\])+)\]([+*]|\{[\d,]+\}|)\??/g;

/** `[Tt]` is a small `t`; of other sets it does not matter what is in them. */
function describeSet(inner: string, times: string): string {
  if (inner.startsWith(String.raw`\d`) || inner === "0-9") return "n";
  const small = inner.toLowerCase();
  return inner.length === 2 && small.charAt(0) === small.charAt(1) ? small.charAt(0) + times : ANYTHING;
}

const rewrites: readonly (readonly [RegExp, string])[] = [
  [/\\\./g, DOT],
  [/\(\?<\w+>/g, "("],
  [/\(\?:/g, "("],
  [/^\^|\$$|(?<=[(|])\^|(?<!\\)\$(?=[)|])|\\b|\\B/g, ""],
  [/\\d(?:\{[\d,]+\}|[+*])?(?:\\d|n)*/g, "n"],
  [/\.(?:[+*]|\{[\d,]+\})?\??/g, ANYTHING],
  [/\\[SWw](?:[+*]|\{[\d,]+\})?\??/g, ANYTHING],
  [/\\s(?:[+*]|\{[\d,]+\})?\??| \+| \*| \{\d\}/g, " "],
  [/\\t/g, " "],
  [/\\[1-9]/g, "n"],
  [/\\([^A-Za-z0-9])/g, "$1"],
  [/\uE000/g, "."],
  [/…(?:\s*…)+/g, ANYTHING],
  [/ {2,}/g, " "],
];

/** Takes out `(?!…)`, `(?=…)` and their like, whatever stands in them. */
function dropLookarounds(source: string): string {
  let kept = "";
  for (let at = 0; at < source.length; at++) {
    if (!/^\(\?<?[=!]/.test(source.slice(at, at + 4))) {
      kept += source.charAt(at);
      if (source.charAt(at) === "\\") kept += source.charAt(++at);
      continue;
    }
    at = findEnd(source, at);
  }
  return kept;
}

/** Where the group that opens at `from` closes. */
function findEnd(source: string, from: number): number {
  let depth = 0;
  let inSet = false;
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "\\") at++;
    else if (inSet) inSet = char !== "]";
    else if (char === "[") inSet = true;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return at;
  }
  return source.length;
}
