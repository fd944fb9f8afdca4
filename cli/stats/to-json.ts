import { getHitPrecision, hasEnoughLabels } from "./precision.ts";
import type { Tally } from "./tally.ts";

/** A hook's numbers for a program. Keys are only ever added. */
export function toTallyJson({ hook, observed, verdicts, labels }: Tally) {
  const { hit, clean, unchecked, delivered, since } = verdicts;
  const precision = getHitPrecision(labels.hit);
  return {
    hook,
    observed: { would_have_said: observed.said, would_have_asked: observed.asked, since: observed.since },
    verdicts: { hit, clean, unchecked, delivered, since },
    labels: { hit: labels.hit, clean: labels.clean },
    hit_precision: {
      rate: precision.rate,
      low: precision.interval.low,
      high: precision.interval.high,
      labels: precision.n,
      enough: hasEnoughLabels(precision),
    },
  };
}
