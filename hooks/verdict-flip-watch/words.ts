/** Part of a sentence that says one thing, and what stands before it in the sentence. */
export interface Clause {
  readonly words: readonly string[];
  readonly before: readonly string[];
  readonly sentence: readonly string[];
}

/** The words of a text in lower case. "isn't" and "it's" are two words, "re-run" is "rerun"; marks such as ❌ are words too. */
export function toWords(text: string): readonly string[] {
  const tokens =
    text
      .toLowerCase()
      .replaceAll("’", "'")
      .match(/[a-z0-9]+(?:[-'][a-z0-9]+)*|❌|✗|✘|🔴/g) ?? [];
  return tokens.flatMap((token) => {
    if (token.endsWith("n't")) return [token.slice(0, -3), "not"];
    const contracted = /^(it|that|there|here|this|they|these|those|we|you)'(s|re|ve)$/.exec(token);
    if (contracted !== null) return [contracted[1] ?? token, contractions[contracted[2] ?? ""] ?? ""];
    return token.startsWith("re-") ? [`re${token.slice(3)}`] : [token];
  });
}

const contractions: Readonly<Record<string, string>> = { s: "is", re: "are", ve: "have" };

/** Whether `words` goes on with these at `start`. */
export function continuesWith(words: readonly string[], start: number, ...next: readonly string[]): boolean {
  return next.every((word, offset) => words[start + offset] === word);
}

/** Where "not", "never", "cannot" and "no longer" end; empty when nothing is denied so. */
export function findDenials(words: readonly string[]): readonly number[] {
  return words.flatMap((word, i) => {
    if (word === "no" && words[i + 1] === "longer") return [i + 2];
    return word === "not" || word === "never" || word === "cannot" ? [i + 1] : [];
  });
}
