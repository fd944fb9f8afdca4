/**
 * How much longer a call takes for four times as much text: 4 where the cost is linear, 16 where it grows with the square. 0 for a call that is
 * too short to be measured: what grows with the square is not.
 */
export function measureGrowth(run: (length: number) => void, length: number): number {
  let growth = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && growth >= MOST_GROWTH; attempt++) {
    const large = timeBest(() => run(length));
    growth = large < SHORTEST_MS ? 0 : Math.min(growth, large / timeBest(() => run(length / 4)));
  }
  return growth;
}

/** A busy moment of the machine may hit the longer text alone, hardly ever every time. */
const ATTEMPTS = 20;

const SHORTEST_MS = 3;

/** What is linear stays below, what is quadratic does not. */
export const MOST_GROWTH = 9;

/** The best of three: a busy machine only makes slower. */
function timeBest(run: () => void): number {
  let best = Infinity;
  for (let round = 0; round < 3 && best >= SHORTEST_MS; round++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
