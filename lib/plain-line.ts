/**
 * One line for a person or an agent: text of others may hold line ends, control characters that a terminal obeys, and invisible ones that turn the
 * direction of writing. Each run of them, and of blanks, becomes one blank.
 */
export function toPlainLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}
