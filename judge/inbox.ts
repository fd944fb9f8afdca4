import { join } from "node:path";
import type { Mode } from "../inbox-schema/job.ts";
import { getExpiry } from "./expiry.ts";
import { readJobFile } from "./job-file.ts";

/** A file in the inbox as it looked when it was first seen. It may have changed since: the claim reads it again. */
export interface Waiting {
  readonly name: string;
  readonly kind: "evidence" | "bad" | "half-written" | Mode;
  /** When it was last changed, in ms since 1970; older ones go first. */
  readonly changedAt: number;
  /** When its name came into the inbox, in ms since 1970. */
  readonly droppedAt: number;
  /** From then on it is judged without asking anyone. */
  readonly expiresAt: number;
  /** The cap that kept it waiting, such as `60 jobs an hour`. */
  readonly cap?: string;
  /** From then on, half-written or not, it will not be waited for. */
  readonly settlesAt: number;
}

/** Files of editors and of copying programs, and whatever else is no job, are left alone. */
export function isJobName(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith(".") && !name.startsWith("~");
}

/** The name in the inbox without `.json`. */
export function getStem(name: string): string {
  return name.slice(0, -".json".length);
}

/** Looks at files of the inbox, at each only once but for those that are half-written. `forget` makes it look again. */
export interface InboxView {
  update(names: readonly string[], now: number): readonly Waiting[];
  forget(name: string): void;
}

export function createInboxView(inbox: string): InboxView {
  let known = new Map<string, Waiting>();
  return {
    update(names, now) {
      const next = new Map<string, Waiting>();
      for (const name of names) {
        const seen = known.get(name);
        const waiting = seen === undefined || seen.kind === "half-written" ? lookAt(inbox, name, now) : seen;
        if (waiting !== undefined) next.set(name, waiting);
      }
      known = next;
      return [...known.values()].sort((a, b) => a.changedAt - b.changedAt || (a.name < b.name ? -1 : 1));
    },
    forget: (name) => void known.delete(name),
  };
}

function lookAt(inbox: string, name: string, now: number): Waiting | undefined {
  const file = readJobFile(join(inbox, name), getStem(name), now);
  if (file.is === "gone") return undefined;
  // A rename changes ctime and not mtime: a file that was prepared days ago and moved here is new all the same.
  const droppedAt = Math.max(file.stats.ctimeMs, file.stats.mtimeMs);
  const seen = { name, changedAt: file.stats.mtimeMs, droppedAt, expiresAt: Infinity, settlesAt: 0 };
  if (file.is === "bad") return { ...seen, kind: "bad" };
  if (file.is === "half-written") return { ...seen, kind: "half-written", settlesAt: file.settlesAt };
  const { job } = file;
  if (job.answer !== undefined) return { ...seen, kind: "evidence" };
  return { ...seen, kind: job.mode ?? "default", expiresAt: getExpiry(job, droppedAt) };
}
