/** The named groups among what `String.replace` gives its function behind the match; those that took no part are absent. */
export function getGroups(rest: readonly unknown[]): Readonly<Record<string, string>> {
  const groups = rest.at(-1);
  const found: Record<string, string> = {};
  if (typeof groups !== "object" || groups === null) return found;
  for (const [name, value] of Object.entries(groups)) if (typeof value === "string") found[name] = value;
  return found;
}
