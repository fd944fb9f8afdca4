import { getWilsonInterval, type Interval } from "../../lib/score/interval.ts";
import { countConfusion, getScore, type LabelledTurn, type Score } from "../../lib/score/score.ts";
import type { CaseState, Label } from "./label-lines.ts";

/** How a hook does on the turns that a person has labelled. */
export interface HookScore {
  /** Of the hook as a whole. Without verdicts a question counts as firing. */
  readonly score: Score;
  /** Of the verdicts alone, on the turns in which the hook asked. */
  readonly judge?: Score;
  /** Labelled turns whose question has no verdict: in neither score. */
  readonly unjudged: number;
  /** Recall over all turns, where silent ones are labelled: these stand for more than themselves. */
  readonly overall?: OverallRecall;
}

export interface OverallRecall {
  readonly rate: number;
  readonly interval: Interval;
}

/** A labelled turn beside what the hook does there now. */
export interface LabelledState {
  readonly label: Label & { readonly hit: boolean };
  readonly state: CaseState;
}

/** How many turns there are in all. */
export interface Population {
  readonly active: number;
  readonly silent: number;
}

/** Scores one hook. With `judged` its questions count by their verdicts. Pure. */
export function scoreHook(labelled: readonly LabelledState[], isJudged: boolean, population: Population): HookScore {
  const isOpen = (state: CaseState): boolean => isJudged && (state === "asks" || state === "unchecked");
  const told = labelled.filter(({ state }) => !isOpen(state));
  const turns = told.map((each) => ({ ...each, fires: isFiring(each.state), hit: each.label.hit }));
  const verdicts = turns.filter(({ state }) => state === "hit" || state === "clean");
  const overall = estimateRecall(turns, population);
  return {
    score: getScore(countConfusion(turns)),
    ...(verdicts.length === 0 ? {} : { judge: getScore(countConfusion(verdicts)) }),
    unjudged: labelled.length - told.length,
    ...(overall === undefined ? {} : { overall }),
  };
}

function isFiring(state: CaseState): boolean {
  return state === "fires" || state === "asks" || state === "hit";
}

/**
 * Of all turns in which it should fire, the share in which it does. Turns were drawn from two strata, those in which the hook did something and those in which it
 * was silent, so each labelled turn stands for as many as there are of its kind for each one labelled. The interval comes from what the silent ones leave open.
 */
function estimateRecall(
  turns: readonly (LabelledTurn & LabelledState)[],
  population: Population,
): OverallRecall | undefined {
  const isSilent = ({ label }: LabelledState): boolean => label.outcome === "silent";
  const silent = turns.filter(isSilent);
  const active = turns.filter((turn) => !isSilent(turn));
  if (silent.length === 0 || turns.every(({ hit }) => !hit)) return undefined;
  const share = (part: readonly LabelledTurn[], fires: boolean): number =>
    part.length === 0 ? 0 : part.filter((turn) => turn.hit && turn.fires === fires).length / part.length;
  const found = share(active, true) * population.active + share(silent, true) * population.silent;
  const missed = share(active, false) * population.active;
  const misses = silent.filter(({ hit, fires }) => hit && !fires).length;
  const getRecall = (missRate: number): number => {
    const all = found + missed + missRate * population.silent;
    return all === 0 ? 0 : found / all;
  };
  const { low, high } = getWilsonInterval(misses, silent.length);
  return { rate: getRecall(misses / silent.length), interval: { low: getRecall(high), high: getRecall(low) } };
}
