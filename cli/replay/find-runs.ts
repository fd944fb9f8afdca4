import type { Check, RunVerdict } from "../../lib/commands/check.ts";
import type { Digest, Fold } from "../../lib/transcript/digest.ts";
import { emptyDigest } from "../../lib/transcript/digest.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { createFold, foldRow } from "../../lib/transcript/fold.ts";
import type { FoldDeps } from "../../lib/transcript/fold.ts";

/** One run of one check. Unlike the digest's, it may have no verdict. */
export interface ReplayedRun {
  /** The transcript line that held the result, from 1. */
  readonly row: number;
  /** How many prompts a person had typed by then. */
  readonly turn: number;
  readonly at?: string;
  readonly target: string;
  /** Runs with the same key are of the same check. */
  readonly key: string;
  readonly verdict: RunVerdict;
  readonly evidence: string;
}

type Reading = ReturnType<FoldDeps["readVerdicts"]>[number];

/** Collects runs row by row, with the fold that the hooks use. */
export interface Replay {
  /** `undefined` stands for a broken line. */
  row(entries: readonly Entry[] | undefined): void;
  readonly runs: readonly ReplayedRun[];
  readonly digest: Digest;
}

/** A replay that has seen nothing yet. */
export function createReplay(deps: FoldDeps): Replay {
  const runs: ReplayedRun[] = [];
  let digest = emptyDigest;
  let read: { check: Check; reading: Reading }[] = [];
  const fold: Fold = createFold({
    ...deps,
    readVerdicts(checks, output) {
      const readings = deps.readVerdicts(checks, output);
      for (const [i, check] of checks.entries()) {
        const reading = readings[i];
        if (reading !== undefined) read.push({ check, reading });
      }
      return readings;
    },
  });

  return {
    row(entries) {
      read = [];
      digest = foldRow(fold, digest, entries);
      const at = entries?.find((entry) => entry.at !== undefined)?.at;
      for (const { check, reading } of read) {
        const { key, label: target } = check.target;
        const run = { row: digest.rows, turn: digest.turns, target, key, ...reading };
        // What the fold did not book is no run of its own: a row that a resumed session repeats, or a check whose failure counts.
        if (reading.verdict !== "unknown" && !isBooked(run, digest)) continue;
        runs.push(at === undefined ? run : { ...run, at });
      }
    },
    runs,
    get digest() {
      return digest;
    },
  };
}

function isBooked({ key, row, verdict }: ReplayedRun, digest: Digest): boolean {
  const state = digest.targets.find(({ target }) => target.key === key);
  return verdict !== "unknown" && state?.[verdict]?.row === row;
}

/** A check that passed and failed later. `open`: it has not passed since. */
export interface ReplayedFlip {
  readonly target: string;
  readonly key: string;
  readonly passed: ReplayedRun;
  readonly failed: ReplayedRun;
  readonly open: boolean;
}

/** Every change from pass to fail, in the order of the failures. */
export function findFlips(runs: readonly ReplayedRun[]): ReplayedFlip[] {
  const settled = runs.filter(({ verdict }) => verdict !== "unknown");
  return settled.flatMap((failed, i) => {
    if (failed.verdict !== "fail") return [];
    const passed = settled.slice(0, i).findLast(({ key }) => key === failed.key);
    if (passed?.verdict !== "pass") return [];
    const open = !settled.slice(i + 1).some(({ key, verdict }) => key === failed.key && verdict === "pass");
    return [{ target: failed.target, key: failed.key, passed, failed, open }];
  });
}
