/** The earliest of some times of ISO 8601; null when there is none. */
export function findEarliest(times: readonly (string | null)[]): string | null {
  const known = times.filter((time) => time !== null);
  return known.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}
