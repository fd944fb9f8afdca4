const LANES = [
  { start: 0x811c9dc5, factor: 0x01000193 },
  { start: 0x2f6b4ae9, factor: 0x9e3779b1 },
] as const;

/**
 * A name for a text within one session: 16 hex digits, the same for texts that differ in blanks, line ends or Unicode composition only. For
 * once keys, not for secrets: who wants two texts with one name can make them.
 */
export function getTextKey(text: string): string {
  const normal = text.normalize("NFC").replace(/\s+/g, " ").trim();
  return LANES.map(({ start, factor }) => hash(normal, start, factor).toString(16).padStart(8, "0")).join("");
}

/** 32 bits, after Fowler, Noll and Vo; the last lines spread what the last characters have changed. */
function hash(text: string, start: number, factor: number): number {
  let sum = start;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), factor);
  sum = Math.imul(sum ^ (sum >>> 15), factor);
  return (sum ^ (sum >>> 13)) >>> 0;
}
