/**
 * One line for a person or an agent: text of others may hold line ends, control characters that a terminal obeys, and invisible ones that turn the
 * direction of writing or spell words that only a model reads. Each run of them, and of blanks, becomes one blank; so does half of a character.
 */
export function toPlainLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]+/gu, " ").trim();
}
