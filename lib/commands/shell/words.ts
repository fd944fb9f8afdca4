import type { ParameterExpansionPart, Word, WordPart } from "unbash";

/** Shell variables whose literal value the same command line has set. */
export type Variables = ReadonlyMap<string, string>;

/**
 * The text a word stands for: quotes removed, known variables put in; any other expansion stays as it was written, so
 * that equal words stay equal.
 */
export function wordText(word: Word, variables: Variables): string {
  return word.parts === undefined ? word.value : word.parts.map((part) => partText(part, variables)).join("");
}

/** Stands between the words of the value of `$@`, the arguments of a function. */
export const wordBreak = "\u001F";

/** Whether a word is what it says, as most are: no quotes, no expansions. */
export function isPlain(word: Word): boolean {
  return word.parts === undefined && !word.text.includes("$");
}

/** The texts a word expands to: an unquoted variable with blanks in its value becomes several, and so does `"$@"`. */
export function expandWord(word: Word, variables: Variables): readonly string[] {
  const args = /^"?\$@"?$/.test(word.text) ? variables.get("@") : undefined;
  if (args !== undefined) return args === "" ? [] : args.split(wordBreak);
  const text = wordText(word, variables);
  const only = word.parts?.length === 1 ? word.parts[0] : undefined;
  const splits = only?.type === "SimpleExpansion" || only?.type === "ParameterExpansion";
  return splits && text !== only.text ? text.split(/\s+/).filter((piece) => piece !== "") : [text];
}

/** True when the shell puts nothing in: the text is what will be seen. */
export function isLiteral(text: string): boolean {
  return !/[$`]/.test(text);
}

function partText(part: WordPart, variables: Variables): string {
  if (part.type === "SimpleExpansion") return simpleText(part.text, variables);
  if (part.type === "ParameterExpansion") return parameterText(part, variables);
  if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
    return part.parts.map((child) => partText(child, variables)).join("");
  }
  const isLiteralPart = part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted";
  return isLiteralPart ? part.value : part.text;
}

function simpleText(text: string, variables: Variables): string {
  const value = variables.get(text === "$*" ? "@" : text.slice(1));
  return value?.replaceAll(wordBreak, " ") ?? text;
}

function parameterText(part: ParameterExpansionPart, variables: Variables): string {
  const simple = part.prefix === undefined && part.index === undefined;
  const hasDefault = part.operation?.type === "Default" && /^:?[-=]$/.test(part.operation.operator);
  if (!simple || (part.operation !== undefined && !hasDefault)) return part.text;
  return variables.get(part.parameter) ?? part.text;
}
