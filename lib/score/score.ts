import { getShare, type Interval, type Share } from "./interval.ts";

/** What a hook did in a turn, and what a person says it should have done. */
export interface LabelledTurn {
  readonly fires: boolean;
  /** It should fire here. */
  readonly hit: boolean;
}

/** Labelled turns by what the hook did and should have done. */
export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
}

/** What costs nothing, to fire always or never: a hook is worth having when it is right more often. */
export type Baseline = "always" | "never";

/** A hook beside the better of the two baselines. */
export interface Comparison {
  readonly baseline: Baseline;
  /** On how many turns the hook was right. */
  readonly right: number;
  /** On how many the baseline is. */
  readonly baselineRight: number;
  /** Of the turns on which only one of both is right, those of the hook: what the two have in common tells nothing (McNemar's pairs). */
  readonly onlyHook: Share;
  /** `beats`: the hook is right in more than half of those, and its interval leaves no other reading. */
  readonly is: "beats" | "does not beat" | "cannot tell";
}

/** How well a hook does on labelled turns. */
export interface Score {
  readonly n: number;
  /** Of the turns in which it fires, those in which it should. */
  readonly precision: Share;
  /** Of the turns in which it should fire, those in which it does. */
  readonly recall: Share;
  /** The harmonic mean of both; null when either has nothing to go by. */
  readonly f1: number | null;
  readonly accuracy: Share;
  /** On how many turns each baseline is right. */
  readonly baselines: Readonly<Record<Baseline, number>>;
  readonly comparison: Comparison;
}

export function countConfusion(turns: readonly LabelledTurn[]): Confusion {
  const count = (fires: boolean, hit: boolean) =>
    turns.filter((turn) => turn.fires === fires && turn.hit === hit).length;
  return {
    truePositives: count(true, true),
    falsePositives: count(true, false),
    falseNegatives: count(false, true),
    trueNegatives: count(false, false),
  };
}

export function getScore(confusion: Confusion): Score {
  const { truePositives: hits, falsePositives, falseNegatives, trueNegatives } = confusion;
  const n = hits + falsePositives + falseNegatives + trueNegatives;
  const precision = getShare(hits, hits + falsePositives);
  const recall = getShare(hits, hits + falseNegatives);
  return {
    n,
    precision,
    recall,
    f1: precision.rate === null || recall.rate === null ? null : (2 * hits) / (n - trueNegatives + hits),
    accuracy: getShare(hits + trueNegatives, n),
    baselines: getBaselines(confusion),
    comparison: compareToBaseline(confusion),
  };
}

function getBaselines({ truePositives, falsePositives, falseNegatives, trueNegatives }: Confusion) {
  return { always: truePositives + falseNegatives, never: falsePositives + trueNegatives };
}

function compareToBaseline(confusion: Confusion): Comparison {
  const { truePositives, falsePositives, falseNegatives, trueNegatives } = confusion;
  const baselines = getBaselines(confusion);
  const baseline = baselines.always > baselines.never ? "always" : "never";
  // A hook differs from `always` where it is silent, from `never` where it fires.
  const onlyHook =
    baseline === "always"
      ? getShare(trueNegatives, trueNegatives + falseNegatives)
      : getShare(truePositives, truePositives + falsePositives);
  const right = truePositives + trueNegatives;
  const baselineRight = baselines[baseline];
  const shared = { baseline, right, baselineRight, onlyHook } as const;
  if (right <= baselineRight && right + falsePositives + falseNegatives > 0) return { ...shared, is: "does not beat" };
  return { ...shared, is: onlyHook.interval.low > 0.5 ? "beats" : "cannot tell" };
}

/** What a score is of: `the judge of excuses`, which answers `hit`. */
export interface Scored {
  readonly name: string;
  /** What it does or does not: `fire` for a hook. */
  readonly verb: "fire" | "hit";
}

/** A plain sentence on whether it is worth having, as far as `n` labelled turns tell. */
export function describeComparison({ name, verb }: Scored, { n, comparison }: Score): string {
  const { right, baselineRight, onlyHook, is } = comparison;
  if (n === 0) return `${name}: no labelled turn, so nothing can be told`;
  const baseline = `"${comparison.baseline} ${verb}"`;
  const counts = `right on ${right} of ${n} labelled turns, ${baseline} on ${baselineRight}`;
  if (is === "does not beat") return `${name} does not beat ${baseline}: ${counts}`;
  const { hits, n: differing, interval } = onlyHook;
  const pairs = `where they differ it is right in ${hits} of ${differing}, 95 % interval ${formatInterval(interval)}`;
  if (is === "beats") return `${name} beats ${baseline}: ${counts}; ${pairs}`;
  return `${name}: too few labelled turns to tell whether it beats ${baseline}: ${counts}; ${pairs}`;
}

/** `44 % to 100 %`. */
export function formatInterval({ low, high }: Interval): string {
  return `${toPercent(low)} to ${toPercent(high)}`;
}

/** `64 %` for 0.6359. */
export function toPercent(rate: number): string {
  return `${Math.round(rate * 100)} %`;
}
