import type { Advice, HookOutcome, JobDraft, Once } from "../hook.ts";

/** What an outcome says and asks under one once key; without a key, each piece by itself. */
export interface OnceGroup {
  readonly once?: Once;
  readonly advice: readonly Advice[];
  readonly jobs: readonly JobDraft[];
}

/** The parts of an outcome that are said and asked together, in the order of their first piece. */
export function groupByOnce({ advice, jobs }: HookOutcome): readonly OnceGroup[] {
  const pieces: readonly OnceGroup[] = [
    ...advice.map((each) => withOnce(each.once, [each], [])),
    ...jobs.map((each) => withOnce(each.once, [], [each])),
  ];
  const groups = new Map<string | number, OnceGroup>();
  for (const [index, piece] of pieces.entries()) {
    const key = piece.once?.key ?? index;
    const group = groups.get(key);
    groups.set(key, group === undefined ? piece : merge(group, piece));
  }
  return [...groups.values()];
}

function withOnce(once: Once | undefined, advice: readonly Advice[], jobs: readonly JobDraft[]): OnceGroup {
  return once === undefined ? { advice, jobs } : { once, advice, jobs };
}

function merge(group: OnceGroup, piece: OnceGroup): OnceGroup {
  return { ...group, advice: [...group.advice, ...piece.advice], jobs: [...group.jobs, ...piece.jobs] };
}
