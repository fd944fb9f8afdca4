import { findSmallText } from "../../lib/io/read-small-file.ts";
import { parseRow } from "../../lib/transcript/row.ts";

/** What one hook in `observe` mode would have done, as far as the log goes back. */
export interface Observed {
  readonly hook: string;
  /** Messages to the person. */
  readonly said: number;
  /** Jobs for the judge. */
  readonly asked: number;
}

/** A hook ends a log of 1 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Counts the log of observations and the older one beside it, by hook in the order of their names. Broken lines do not count. */
export function readObserved(path: string): Observed[] {
  const counts = new Map<string, Observed>();
  for (const file of [`${path}.1`, path]) {
    for (const line of (findSmallText(file, MAX_BYTES) ?? "").split("\n")) {
      const { hook, messages, jobs } = parseRow(line) ?? {};
      if (typeof hook !== "string" || !Array.isArray(messages) || !Array.isArray(jobs)) continue;
      const { said, asked } = counts.get(hook) ?? { said: 0, asked: 0 };
      counts.set(hook, { hook, said: said + messages.length, asked: asked + jobs.length });
    }
  }
  return [...counts.values()].sort((a, b) => (a.hook < b.hook ? -1 : 1));
}
