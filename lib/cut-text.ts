/** The first `length` characters (UTF-16 code units, as `String.length` counts), never ending in half of a surrogate pair. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
}
