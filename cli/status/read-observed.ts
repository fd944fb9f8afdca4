import { findSmallText } from "../../lib/io/read-small-file.ts";
import { isTime } from "../../lib/io/time.ts";
import { parseRow } from "../../lib/transcript/row.ts";
import { findEarliest } from "../find-earliest.ts";

/** What one hook in `observe` mode would have done, as far as the log goes back. */
export interface Observed {
  readonly hook: string;
  /** Messages to the person. */
  readonly said: number;
  /** Questions for a model. */
  readonly asked: number;
  /** When the first of these was counted, ISO 8601; null: no line tells. */
  readonly since: string | null;
}

/** A hook ends a log of 1 MB. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Counts the log of observations and the older one beside it, by hook in the order of their names; with `since` only what is known to be no
 * older. Broken lines do not count. Throws the system's error when a log cannot be read.
 */
export function readObserved(path: string, since?: Date): Observed[] {
  const counts = new Map<string, Observed>();
  for (const file of [`${path}.1`, path]) {
    for (const line of (findSmallText(file, MAX_BYTES) ?? "").split("\n")) {
      const observed = parseObservation(line);
      if (observed === undefined || !isWithin(observed, since)) continue;
      const before = counts.get(observed.hook);
      counts.set(observed.hook, before === undefined ? observed : add(before, observed));
    }
  }
  return [...counts.values()].sort((a, b) => (a.hook < b.hook ? -1 : 1));
}

/** What one line adds. Before lines told how many jobs are questions, all were counted as such. */
function parseObservation(line: string): Observed | undefined {
  const { at, hook, messages, jobs, questions } = parseRow(line) ?? {};
  if (typeof hook !== "string" || !Array.isArray(messages) || !Array.isArray(jobs)) return undefined;
  const asked = typeof questions === "number" ? questions : jobs.length;
  return { hook, said: messages.length, asked, since: isTime(at) ? at : null };
}

function isWithin({ since: at }: Observed, since: Date | undefined): boolean {
  return since === undefined || (at !== null && Date.parse(at) >= since.getTime());
}

/** Lines are written in the order of their times, but by several processes and by clocks that are set. */
function add(a: Observed, b: Observed): Observed {
  const since = findEarliest([a.since, b.since]);
  return { hook: a.hook, said: a.said + b.said, asked: a.asked + b.asked, since };
}
