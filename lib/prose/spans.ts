/** A part of a text; `end` is behind its last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The text with every character of the spans replaced by `filler`, one character; line ends stay, and so do all places. */
export function blankSpans(text: string, spans: readonly Span[], filler: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of spans) {
    pieces.push(text.slice(at, start), text.slice(start, end).replaceAll(/[^\n]/g, filler));
    at = end;
  }
  return at === 0 ? text : pieces.join("") + text.slice(at);
}
