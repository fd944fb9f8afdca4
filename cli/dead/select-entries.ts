import type { DeadEntry } from "../../judge/dead/list-dead.ts";
import { Failure, UsageError } from "../failure.ts";
import { findNearest } from "../../lib/nearest.ts";

/**
 * The entries that are named, each once: by the file's name or the part before `.json`. Throws a Failure at the first name that there is
 * not, so that nothing is done by halves.
 */
export function selectEntries(names: readonly string[], entries: readonly DeadEntry[], ending = ""): DeadEntry[] {
  return [...new Set(names.map((name) => getEntry(name, entries, ending)))];
}

/** Those that are named, or with `all` every one. Throws a UsageError for neither or both. `undone`: what did not happen then. */
export function selectNamedOrAll(
  names: readonly string[],
  all: boolean,
  entries: readonly DeadEntry[],
  undone: string,
): DeadEntry[] {
  if (all && names.length > 0) throw new UsageError("expected files or --all, got both; leave one out");
  if (!all && names.length === 0) throw new UsageError("expected files or --all, got neither; name them");
  return all ? [...entries] : selectEntries(names, entries, `; ${undone}`);
}

function getEntry(name: string, entries: readonly DeadEntry[], ending: string): DeadEntry {
  const found = [name, `${name}.json`].flatMap((file) => entries.find((entry) => entry.file === file) ?? [])[0];
  if (found !== undefined) return found;
  const nearest = findNearest(
    name,
    entries.map(({ file }) => file),
  );
  const hint = nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
  throw new Failure(
    `expected the name of a dead file, got ${JSON.stringify(name)}${hint}; \`catstack dead list\` lists them${ending}`,
  );
}
