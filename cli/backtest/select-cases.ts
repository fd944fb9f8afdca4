import { createHash } from "node:crypto";
import { getCaseId } from "./case-id.ts";
import type { Firing } from "./firing.ts";
import { isWithin, listActive } from "./summarise.ts";
import type { WalkedSession } from "./walk.ts";

/** A turn that is to be labelled for one hook. */
export interface Candidate {
  readonly id: string;
  readonly hook: string;
  readonly path: string;
  readonly turn: number;
  readonly at: string | null;
  /** Absent: the hook is silent there. */
  readonly firing?: Firing;
}

/** An evening's work. */
const MAX_ACTIVE = 150;
const MIN_SILENT = 20;
const MAX_SILENT = 100;

/**
 * Turns to label for a hook: those in which it does something, and as many in which it is silent, since what it misses is among them. Both are
 * drawn at random, by a number that follows from the turn: the next run draws the same ones again. In the order of that number, so that a reader does
 * not see which is which.
 */
export function selectCandidates(
  sessions: readonly WalkedSession[],
  hook: string,
  since: Date | null,
): readonly Candidate[] {
  const active = listActive(sessions, hook, since).map(({ path, firing }): Candidate => {
    const { turn, at } = firing;
    return { id: getCaseId(hook, path, turn), hook, path, turn, at, firing };
  });
  const activeIds = new Set(active.map(({ id }) => id));
  const silent = sessions.flatMap(({ path, result }) =>
    result.turns.flatMap((at, index): Candidate[] => {
      const turn = index + 1;
      const id = getCaseId(hook, path, turn);
      return isWithin(at, since) && !activeIds.has(id) ? [{ id, hook, path, turn, at }] : [];
    }),
  );
  const drawn = draw(active, MAX_ACTIVE);
  const others = draw(silent, Math.min(MAX_SILENT, Math.max(MIN_SILENT, drawn.length)));
  return draw([...drawn, ...others], Infinity);
}

/** Those with the smallest numbers: what is drawn stays drawn when there are more to draw from, but for what these push out. */
function draw(candidates: readonly Candidate[], count: number): readonly Candidate[] {
  const numbered = candidates.map((candidate) => ({ candidate, number: getNumber(candidate.id) }));
  numbered.sort((a, b) => (a.number < b.number ? -1 : 1));
  return numbered.slice(0, count).map(({ candidate }) => candidate);
}

function getNumber(id: string): string {
  return createHash("sha1").update(id).digest("hex");
}
