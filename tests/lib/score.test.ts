import assert from "node:assert/strict";
import { test } from "node:test";
import { getShare, getWilsonInterval } from "../../lib/score/interval.ts";
import { countConfusion, describeComparison, getScore } from "../../lib/score/score.ts";

function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < 0.0005, `expected about ${expected}, got ${actual}`);
}

const flips = { name: "flips", verb: "fire" } as const;

test("the Wilson interval is the published one", () => {
  // z² = 3.8415. 8 of 10: (0.8 + 0.19207 ± 1.96 √(0.016 + 0.0096036)) / 1.38415 = (0.99207 ± 0.31362) / 1.38415.
  const eight = getWilsonInterval(8, 10);
  near(eight.low, 0.4902);
  near(eight.high, 0.9433);
  // 0 of 10: 0 to z²/(n + z²) = 3.8415/13.8415.
  assert.equal(getWilsonInterval(0, 10).low, 0);
  near(getWilsonInterval(0, 10).high, 0.2775);
  assert.equal(getWilsonInterval(10, 10).high, 1);
  near(getWilsonInterval(10, 10).low, 0.7225);
  // 50 of 100: 0.5 ± 1.96 √(0.0025 + 0.000096) / 1.038415.
  near(getWilsonInterval(50, 100).low, 0.4038);
});

test("nothing seen says nothing, and impossible counts are refused", () => {
  assert.deepEqual(getShare(0, 0), { hits: 0, n: 0, rate: null, interval: { low: 0, high: 1 } });
  for (const [hits, n] of [
    [3, 2],
    [-1, 2],
    [0.5, 2],
    [Number.NaN, Number.NaN],
  ] as const)
    assert.throws(() => getWilsonInterval(hits, n), RangeError);
});

test("labelled turns are counted by what the hook did and should have done", () => {
  const turns = [
    { fires: true, hit: true },
    { fires: true, hit: true },
    { fires: true, hit: false },
    { fires: false, hit: true },
    { fires: false, hit: false },
    { fires: false, hit: false },
    { fires: false, hit: false },
  ];
  const confusion = countConfusion(turns);
  assert.deepEqual(confusion, { truePositives: 2, falsePositives: 1, falseNegatives: 1, trueNegatives: 3 });
  const score = getScore(confusion);
  assert.deepEqual([score.precision.hits, score.precision.n], [2, 3]);
  assert.deepEqual([score.recall.hits, score.recall.n], [2, 3]);
  assert.equal(score.f1, 2 / 3);
  assert.deepEqual([score.accuracy.hits, score.accuracy.n], [5, 7]);
  assert.deepEqual(score.baselines, { always: 3, never: 4 });
});

test("a judge that is right on 27 of 43 does not beat an answer that is always hit and right on 33", () => {
  // 33 hits of which it finds 25, 10 others of which it lets 2 go.
  const score = getScore({ truePositives: 25, falseNegatives: 8, falsePositives: 8, trueNegatives: 2 });
  assert.deepEqual([score.accuracy.hits, score.n, score.baselines.always], [27, 43, 33]);
  assert.equal(score.comparison.is, "does not beat");
  assert.equal(
    describeComparison({ name: "the judge of excuses", verb: "hit" }, score),
    'the judge of excuses does not beat "always hit": right on 27 of 43 labelled turns, "always hit" on 33',
  );
});

test("a hook that is right on as many turns as the baseline does not beat it", () => {
  const score = getScore({ truePositives: 1, falsePositives: 1, falseNegatives: 0, trueNegatives: 8 });
  assert.equal(score.comparison.baseline, "never");
  assert.equal(score.comparison.is, "does not beat");
});

test("a hook beats the baseline only where the turns on which they differ leave no doubt", () => {
  // It fires 4 times, rightly: 4 of 4 is at least 0.51 (4 / (4 + 3.8415)).
  const four = getScore({ truePositives: 4, falsePositives: 0, falseNegatives: 0, trueNegatives: 6 });
  assert.equal(four.comparison.is, "beats");
  // 3 of 3 is at least 0.44.
  const three = getScore({ truePositives: 3, falsePositives: 0, falseNegatives: 0, trueNegatives: 6 });
  assert.equal(three.comparison.is, "cannot tell");
  assert.equal(
    describeComparison(flips, three),
    'flips: too few labelled turns to tell whether it beats "never fire": right on 9 of 9 labelled turns, "never fire" on 6; where they differ it is right in 3 of 3, 95 % interval 44 % to 100 %',
  );
  assert.match(describeComparison(flips, four), /^flips beats "never fire": right on 10 of 10/);
});

test("without labels nothing is told", () => {
  const score = getScore(countConfusion([]));
  assert.deepEqual([score.precision.rate, score.recall.rate, score.f1], [null, null, null]);
  assert.equal(score.comparison.is, "cannot tell");
  assert.equal(describeComparison(flips, score), "flips: no labelled turn, so nothing can be told");
});
