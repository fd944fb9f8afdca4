import type { StatePaths } from "../../lib/io/paths.ts";
import { readLabels } from "../../judge/labels.ts";
import { isDelivered, listVerdicts } from "../../judge/outbox.ts";
import { BACKTEST } from "../backtest/name.ts";
import { readObserved } from "../status/read-observed.ts";
import type { Records } from "./tally.ts";

/** What is kept, from `since` on where it is given: a label counts from its verdict's time. `broken` names files that are not counted. */
export function readRecords(paths: StatePaths, since?: Date): Records & { readonly broken: readonly string[] } {
  const start = since?.getTime() ?? -Infinity;
  const { found, broken } = listVerdicts(paths, Infinity);
  const labels = readLabels(paths);
  return {
    verdicts: found
      .filter(({ finished_at }) => Date.parse(finished_at) >= start)
      .map(({ id, hook, outcome, finished_at }) => {
        const isSaid = outcome !== "clean" && hook !== BACKTEST;
        return { hook, outcome, finished_at, isDelivered: isSaid && isDelivered(paths, id) };
      }),
    labels: [...labels.found.values()].filter(({ verdictAt }) => Date.parse(verdictAt) >= start),
    observed: readObserved(paths.observedLog, since),
    broken: [...broken.map(({ path }) => path), ...labels.broken],
  };
}
