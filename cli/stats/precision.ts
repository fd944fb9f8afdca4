import { getShare, type Share } from "../../lib/score/interval.ts";
import { formatInterval, toPercent } from "../../lib/score/score.ts";
import type { LabelCounts } from "./tally.ts";

/** With fewer labels the interval is so wide that a share says nothing: of 9 of 9 it begins at 70 %. */
const ENOUGH_LABELS = 10;

/** Of the labelled hits, those that were right. */
export function getHitPrecision({ right, wrong }: LabelCounts): Share {
  return getShare(right, right + wrong);
}

export function hasEnoughLabels({ n }: Share): boolean {
  return n >= ENOUGH_LABELS;
}

/** `90 % (95 %: 60 % to 98 %)`, or that too few are labelled to tell. */
export function describePrecision(precision: Share): string {
  const { n, rate, interval } = precision;
  if (n === 0) return "no hit labelled";
  if (rate === null || !hasEnoughLabels(precision)) return `too few labels to tell (${n} of ${ENOUGH_LABELS})`;
  return `${toPercent(rate)} (95 %: ${formatInterval(interval)})`;
}
