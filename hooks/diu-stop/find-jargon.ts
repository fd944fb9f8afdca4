import type { PhraseDictionary } from "../../lib/phrases/phrase-dictionary.ts";
import { maskCode } from "../../lib/prose/mask.ts";

/** Phrases of a dictionary in a text. */
export interface Jargon {
  /** As the dictionary has them, in its order. */
  readonly phrases: readonly string[];
  /** The lines that hold them. */
  readonly lines: readonly string[];
}

/**
 * The phrases that stand in lines of prose and not in the person's message: who used a word first knows it. Endings do not matter ("wired up" is "wire
 * up"), nor do hyphens; what the dictionary says is no match ("load-bearing wall") is skipped, and so are code spans, paths and identifiers.
 */
export function findJargon({ match, not_match }: PhraseDictionary, lines: readonly string[], message: string): Jargon {
  const wanted = selectPossible(match, lines.join("\n").toLowerCase())
    .map((phrase) => ({ phrase, stems: toStems(phrase) }))
    .filter(({ stems }) => !toStems(message).includes(stems));
  if (wanted.length === 0) return { phrases: [], lines: [] };
  const literal = not_match.map(toStems);
  const found = lines.map((line) => {
    const stems = literal.reduce((text, phrase) => text.replaceAll(phrase, " . "), toStems(maskCode(line, "`")));
    return wanted.filter((each) => stems.includes(each.stems));
  });
  const all = new Set(found.flat());
  return {
    phrases: wanted.filter((each) => all.has(each)).map(({ phrase }) => phrase),
    lines: lines.filter((_, index) => found[index]?.length !== 0),
  };
}

/** The phrases whose longest word may stand in the text. Most replies hold none, and a hook has to be quick about those. */
function selectPossible(phrases: readonly string[], lowerCased: string): readonly string[] {
  return phrases.filter((phrase) => {
    const [longest = ""] = phrase.split(/[ -]/).sort((a, b) => b.length - a.length);
    return lowerCased.includes(cutEnding(longest));
  });
}

/** What is no word of a sentence: a code span, an address, a path, an identifier. */
const NAME = /[`_/\\@#=<>{}]|\w\.\w|\(\)|[a-z][A-Z]/;

/** The words of a text without their endings, a blank on either side of each, and a dot for what no phrase goes across. */
function toStems(text: string): string {
  const words = text.split(/\s+/).flatMap((token) => {
    if (NAME.test(token)) return ["."];
    return token.toLowerCase().match(/[a-z0-9]+|[.,:;!?()]/g) ?? [];
  });
  return ` ${words.map(cutEnding).join(" ")} `;
}

/** "wires", "wired" and "wiring" are "wir", and so is "wire"; "shimmed" is "shim". */
function cutEnding(word: string): string {
  const stem = word.length <= 4 ? word.replace(/s$|e$/, "") : word.replace(/(?:ing|ed|ly|e?s|e)$/, "");
  return stem.replace(/([bdgmnprt])\1$/, "$1");
}
