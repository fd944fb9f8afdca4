import { join } from "node:path";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { getExpiry } from "../inbox/expiry.ts";
import { readJobFile } from "../inbox/job-file.ts";
import { getStem } from "../inbox/job-name.ts";
import { findReachedCap, type Caps, type ReachedCap, type Start } from "../schedule/budget.ts";

/** Questions that wait since a cap is used up. */
export interface Capped {
  /** Whose share it is; null: it is everybody's cap. */
  readonly hook: string | null;
  readonly jobs: number;
  readonly cap: ReachedCap;
}

/** Whether any question could be kept waiting: only then need the inbox be read. Pure. */
export function isAnyCapReached(starts: readonly Start[], caps: Caps, now: number): boolean {
  const hooks = new Set(["", ...starts.map(({ hook }) => hook ?? "")]);
  return [...hooks].some((hook) => findReachedCap(starts, caps, now, hook) !== undefined);
}

/** Of the waiting questions, each by its hook's name, those that a cap keeps waiting. Pure. */
export function listCapped(hooks: readonly string[], starts: readonly Start[], caps: Caps, now: number): Capped[] {
  const found = new Map<string | null, Capped>();
  for (const name of hooks) {
    const cap = findReachedCap(starts, caps, now, shortHash(name));
    if (cap === undefined) continue;
    const hook = cap.isShare ? name : null;
    found.set(hook, { hook, jobs: (found.get(hook)?.jobs ?? 0) + 1, cap });
  }
  return [...found.values()];
}

/** The hook of each question of the inbox that can still be asked. */
export function readAskingHooks(inbox: string, names: readonly string[], now: number): string[] {
  return names.flatMap((name) => {
    const file = readJobFile(join(inbox, name), getStem(name), now);
    if (file.is !== "job" || file.job.answer !== undefined) return [];
    const { ctimeMs, mtimeMs } = file.stats;
    return getExpiry(file.job, Math.max(ctimeMs, mtimeMs)) > now ? [file.job.hook] : [];
  });
}
