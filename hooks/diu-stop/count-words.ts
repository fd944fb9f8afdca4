import { foldCodeSpans } from "./prose.ts";

/** Scripts that put no blanks between words: two of their characters are counted as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu;

/**
 * The words of lines of prose. A code span, a URL and a path are one word each; so are "and/or" and "well-known". Marks alone (`-`, `**`, an
 * emoji) are none.
 */
export function countWords(lines: readonly string[]): number {
  let unspaced = 0;
  const spaced = lines
    .map(foldCodeSpans)
    .join("\n")
    .replace(UNSPACED, () => {
      unspaced++;
      return " ";
    });
  const words = spaced.split(/[\s—]+/).filter((token) => /[\p{L}\p{N}`]/u.test(token));
  return words.length + Math.ceil(unspaced / 2);
}
