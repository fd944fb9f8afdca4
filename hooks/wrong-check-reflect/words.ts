import { isIn } from "../../lib/prose/vocabulary.ts";

/** Words in a row, each one of several. */
type Phrase = readonly { readonly any: ReadonlySet<string>; readonly optional: boolean }[];

/**
 * Whether the words go on with one of the phrases at a place. "a|b" is either word, "?" behind it says that it may be missing; the first may not.
 * The phrases are built at the first question, and found by their first word: most words begin none.
 */
export function createPhrases(texts: readonly string[]): (words: readonly string[], at: number) => boolean {
  let byFirst: ReadonlyMap<string, readonly Phrase[]> | undefined;
  return (words, at) => {
    byFirst ??= indexPhrases(texts);
    return byFirst.get(words[at] ?? "")?.some((phrase) => matchesAt(words, at, phrase, 0)) === true;
  };
}

function indexPhrases(texts: readonly string[]): ReadonlyMap<string, readonly Phrase[]> {
  const byFirst = new Map<string, Phrase[]>();
  for (const phrase of texts.map(parsePhrase)) {
    for (const word of phrase[0]?.any ?? []) {
      const others = byFirst.get(word);
      if (others === undefined) byFirst.set(word, [phrase]);
      else others.push(phrase);
    }
  }
  return byFirst;
}

function parsePhrase(text: string): Phrase {
  return text.split(" ").map((item) => {
    const optional = item.endsWith("?");
    return { any: new Set((optional ? item.slice(0, -1) : item).split("|")), optional };
  });
}

function matchesAt(words: readonly string[], at: number, phrase: Phrase, item: number): boolean {
  const part = phrase[item];
  if (part === undefined) return true;
  if (isIn(part.any, words[at]) && matchesAt(words, at + 1, phrase, item + 1)) return true;
  return part.optional && matchesAt(words, at, phrase, item + 1);
}
