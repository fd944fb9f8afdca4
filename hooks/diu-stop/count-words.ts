import { maskCode } from "../../lib/prose/mask.ts";

// By blocks: to compile classes of Unicode properties costs a hook more than all the rest of this.

/** Chinese and Japanese put no blanks between words: two of their characters are counted as a word. */
const UNSPACED = /[\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/g;
/** A letter, a digit, or a code span: no dash, arrow or emoji. */
const OF_WORD = /[\w`\u00c0-\u1fff\u2c00-\u2dff\ua000-\ud7ff]/;

/**
 * The words of lines of prose. A code span, a URL and a path are one word each; so are "and/or" and "well-known". Marks alone (`-`, `**`, an
 * emoji) are none.
 */
export function countWords(lines: readonly string[]): number {
  const text = maskCode(lines.join("\n"), "`");
  const spaced = text.replace(UNSPACED, "\n\n");
  const words = spaced.split(/[\s—]+/).filter((token) => OF_WORD.test(token));
  return words.length + Math.ceil((spaced.length - text.length) / 2);
}
