/** The first `length` characters (UTF-16 code units, as `String.length` counts), never ending in half of a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}

/** The last `length` characters, never beginning in half of a surrogate pair. */
export function cutStart(text: string, length: number): string {
  return text.length <= length ? text : text.slice(-length).replace(/^[\uDC00-\uDFFF]/, "");
}

/** The text, or its beginning and `…` where it is longer than `length`. */
export function clipText(text: string, length: number): string {
  return text.length <= length ? text : `${cutText(text, length - 1)}…`;
}
