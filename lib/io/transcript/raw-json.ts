const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * The string that is the value of a key which ends right before `at`, in JSON without blanks; undefined when no whole string stands
 * there before `end`.
 */
export function readStringAfter(bytes: Buffer, at: number, end: number): string | undefined {
  if (bytes[at] !== COLON || bytes[at + 1] !== QUOTE) return undefined;
  const from = at + 2;
  const close = findStringEnd(bytes, from);
  if (close === -1 || close >= end) return undefined;
  const text = bytes.toString("utf8", from, close);
  return text.includes("\\") ? unescape(text) : text;
}

/** The first quote at or behind `from` with an even number of backslashes before it. */
function findStringEnd(bytes: Buffer, from: number): number {
  for (let end = bytes.indexOf(QUOTE, from); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let start = end;
    while (start > from && bytes[start - 1] === BACKSLASH) start--;
    if ((end - start) % 2 === 0) return end;
  }
  return -1;
}

function unescape(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
