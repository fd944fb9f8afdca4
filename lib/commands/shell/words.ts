import type { Word, WordPart } from "unbash";

/** Shell variables whose literal value the same command line has set. */
export type Variables = ReadonlyMap<string, string>;

/**
 * The text a word stands for: quotes removed, known variables put in; any other expansion stays as it was written, so
 * that equal words stay equal.
 */
export function wordText(word: Word, variables: Variables): string {
  return word.parts === undefined ? word.value : word.parts.map((part) => partText(part, variables)).join("");
}

/** The texts a word expands to: an unquoted variable with blanks in its value becomes several. */
export function expandWord(word: Word, variables: Variables): readonly string[] {
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
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
    case "Glob":
      return part.type === "Glob" ? part.text : part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((child) => partText(child, variables)).join("");
    case "SimpleExpansion":
      return variables.get(part.text.slice(1)) ?? part.text;
    case "ParameterExpansion":
      return parameterText(part, variables);
    case "CommandExpansion":
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
    case "ExtendedGlob":
    case "BraceExpansion":
      return part.text;
  }
}

function parameterText(part: WordPart & { type: "ParameterExpansion" }, variables: Variables): string {
  if (part.prefix !== undefined || part.index !== undefined) return part.text;
  const known = variables.get(part.parameter);
  if (part.operation === undefined) return known ?? part.text;
  if (part.operation.type !== "Default" || !/^:?[-=]$/.test(part.operation.operator)) return part.text;
  return known ?? part.text;
}
