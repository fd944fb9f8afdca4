import { maskCode } from "../../lib/prose/mask.ts";

// By blocks: to compile classes of Unicode properties costs a hook more than all the rest of this.

/** Chinese and Japanese put no blanks between words: two of their characters are counted as a word. */
const UNSPACED = /[\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/g;
/** Thai, Lao, Burmese and Khmer put none either, and their words are of any length: they need a dictionary. */
const UNDIVIDED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+/g;
/** So many characters are looked up, a few hundred words; the rest is taken to be like them. */
const MAX_SEGMENTED = 2000;
/** A letter, a digit, or a code span: no dash, arrow or emoji. */
const OF_WORD = /[\w`\u00c0-\u1fff\u2c00-\u2dff\ua000-\ud7ff]/;

/**
 * The words of lines of prose. A code span, a URL and a path are one word each; so are "and/or" and "well-known". Marks alone (`-`, `**`, an
 * emoji) are none.
 */
export function countWords(lines: readonly string[]): number {
  const text = maskCode(lines.join("\n"), "`");
  const found = countUndivided(text);
  const divided = found === 0 ? text : text.replace(UNDIVIDED, " ");
  const spaced = divided.replace(UNSPACED, "\n\n");
  const words = spaced.split(/[\s—]+/).filter((token) => OF_WORD.test(token));
  return words.length + found + Math.ceil((spaced.length - divided.length) / 2);
}

/** To make a segmenter takes longer than all the rest: most texts need none. */
function countUndivided(text: string): number {
  const parts = text.match(UNDIVIDED);
  if (parts === null) return 0;
  const segmenter = new Intl.Segmenter("th", { granularity: "word" });
  const all = parts.join(" ");
  const start = all.slice(0, MAX_SEGMENTED);
  const words = [...segmenter.segment(start)].filter(({ isWordLike }) => isWordLike).length;
  return Math.round((words * all.length) / start.length);
}
