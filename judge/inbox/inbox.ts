import { join } from "node:path";
import type { Mode } from "../../inbox-schema/job.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { getExpiry } from "./expiry.ts";
import { readJobFile, SETTLE_MS } from "./job-file.ts";
import { getStem, isJobName } from "./job-name.ts";

/** A file in the inbox as it looked when it was first seen. It may have changed since: the claim reads it again. */
export interface Waiting {
  readonly name: string;
  readonly kind: "evidence" | "bad" | "half-written" | Mode;
  /** When it was last changed, in ms since 1970; older ones go first. */
  readonly changedAt: number;
  /** When its name came into the inbox, in ms since 1970. */
  readonly droppedAt: number;
  /** From then on it is unchecked, and nobody is asked. Infinity for what is no job. */
  readonly expiresAt: number;
  /** The short hash of the name of the hook that asks; empty for what is no job. */
  readonly hook: string;
  /** What kept it waiting, such as `cap: 60 jobs an hour were used up`. */
  readonly hold?: string;
  /** Why it is not waited for any longer: it is answered with unchecked. */
  readonly shed?: string;
}

/** The job files of the inbox. Each is looked at once, a half-written one until it is whole; `forget` has one looked at again. */
export interface InboxView {
  /** Takes in the names that are there now. */
  update(names: readonly string[], now: number): void;
  /** The files of the last update that were not forgotten since, oldest first. */
  list(): readonly Waiting[];
  /** Whether `list` would hold it. */
  has(name: string): boolean;
  forget(name: string): void;
}

interface Seen {
  waiting: Waiting;
  round: number;
  /** When it was first seen as it is, on the `monotonic` clock. */
  since: number;
}

/** Made for long inboxes: what has not changed since the last update costs next to nothing. `monotonic` gives ms. */
export function createInboxView(inbox: string, monotonic: () => number): InboxView {
  const known = new Map<string, Seen>();
  let sorted: Waiting[] = [];
  let round = 0;

  function note(name: string, now: number): void {
    const seen = known.get(name);
    if (seen !== undefined && seen.waiting.kind !== "half-written") {
      seen.round = round;
      return;
    }
    const found = lookAt(inbox, name, now);
    if (found === undefined) return;
    const isSame = seen?.waiting.changedAt === found.changedAt;
    const since = isSame ? seen.since : monotonic();
    // Once the clock is set, a file that is being written looks old, or as if it came from the future.
    const isUnsure = found.kind === "bad" && (seen !== undefined || found.changedAt > now);
    const isSettled = !isUnsure || monotonic() - since >= SETTLE_MS;
    const waiting: Waiting = isSettled ? found : { ...found, kind: "half-written" };
    known.set(name, { waiting, round, since });
    sorted.push(waiting);
  }

  const isKnown = (waiting: Waiting) => known.get(waiting.name)?.waiting === waiting;

  return {
    update(names, now) {
      round += 1;
      const before = sorted.length;
      for (const name of names) if (isJobName(name)) note(name, now);
      for (const [name, seen] of known) if (seen.round !== round) known.delete(name);
      const isLonger = sorted.length > before;
      sorted = sorted.filter(isKnown);
      if (isLonger) sorted.sort((a, b) => a.changedAt - b.changedAt || (a.name < b.name ? -1 : 1));
    },
    list: () => sorted.filter(isKnown),
    has: (name) => known.has(name),
    forget: (name) => void known.delete(name),
  };
}

function lookAt(inbox: string, name: string, now: number): Waiting | undefined {
  const file = readJobFile(join(inbox, name), getStem(name), now);
  if (file.is === "gone") return undefined;
  // A rename changes ctime and not mtime: a file that was prepared days ago and moved here is new all the same.
  const droppedAt = Math.max(file.stats.ctimeMs, file.stats.mtimeMs);
  const seen = { name, changedAt: file.stats.mtimeMs, droppedAt, expiresAt: Infinity, hook: "" };
  if (file.is === "bad") return { ...seen, kind: "bad" };
  if (file.is === "half-written") return { ...seen, kind: "half-written" };
  const { job } = file;
  const kind = job.answer === undefined ? (job.mode ?? "default") : "evidence";
  return { ...seen, kind, hook: shortHash(job.hook), expiresAt: getExpiry(job, droppedAt) };
}
