import type { HookOutcome, Once } from "../../lib/hook.ts";
import { groupByOnce, type OnceGroup } from "../../lib/outcome/group-once.ts";

/** What one hook has said, asked and owned in one transcript: the marks of its once keys, in memory. */
export interface OnceMemory {
  /** The parts of an outcome that the hook would say and ask now. They are marked, and so is what it remembers. */
  take(outcome: HookOutcome, now: number): readonly OnceGroup[];
}

/** A memory of nothing. Times are in ms and those of the turns, so that a key runs out as it did then. */
export function createOnceMemory(): OnceMemory {
  const marks = new Map<string, number>();
  const isMarked = ({ key, ttlSeconds = Infinity }: Once, now: number): boolean =>
    (marks.get(key) ?? -Infinity) + ttlSeconds * 1000 > now;
  return {
    take(outcome, now) {
      const groups: OnceGroup[] = [];
      for (const group of groupByOnce(outcome)) {
        if (group.once !== undefined && isMarked(group.once, now)) continue;
        if (group.once !== undefined) marks.set(group.once.key, now);
        groups.push(group);
      }
      for (const key of outcome.remember ?? []) if (!isMarked({ key }, now)) marks.set(key, now);
      return groups;
    },
  };
}
