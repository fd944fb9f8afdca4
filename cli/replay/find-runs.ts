import { findFlips } from "../../hooks/verdict-flip-watch/find-flips.ts";
import type { Flip } from "../../hooks/verdict-flip-watch/find-flips.ts";
import type { Check, RunVerdict, Target } from "../../lib/commands/check.ts";
import type { Reading } from "../../lib/commands/get-verdicts.ts";
import type { Digest, Fold, PendingCall, CheckRun } from "../../lib/transcript/digest.ts";
import { emptyDigest } from "../../lib/transcript/digest.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { createFold, foldRow } from "../../lib/transcript/fold.ts";
import type { FoldDeps } from "../../lib/transcript/fold.ts";
import { nameTargets } from "./name-targets.ts";

/** One run of one check. Unlike the digest's, it may have no verdict. */
export interface ReplayedRun {
  /** The transcript line that held the result, from 1. */
  readonly row: number;
  /** How many prompts a person had typed by then. */
  readonly turn: number;
  readonly at?: string;
  readonly callId: string;
  /** Cut to 200 characters. */
  readonly command: string;
  /** Different targets have different names. */
  readonly target: string;
  /** Runs with the same key are of the same check. */
  readonly key: string;
  readonly verdict: RunVerdict;
  readonly evidence: string;
}

/** A check that passed, by itself or within a wider one, and failed later: what verdict-flip-watch looks for. */
export interface ReplayedFlip {
  readonly target: string;
  readonly key: string;
  readonly passed: CheckRun & { readonly target: string };
  readonly failed: CheckRun;
  /** It has not passed since. */
  readonly open: boolean;
}

/** Collects runs and flips row by row, with the fold and the eyes of the hooks. */
export interface Replay {
  /** `undefined` stands for a broken line. */
  row(entries: readonly Entry[] | undefined): void;
  readonly runs: readonly ReplayedRun[];
  /** In the order in which they came about. */
  readonly flips: readonly ReplayedFlip[];
  readonly digest: Digest;
}

/** A replay that has seen nothing yet. */
export function createReplay(deps: FoldDeps): Replay {
  const runs: (Omit<ReplayedRun, "target"> & { readonly target: Target })[] = [];
  const flips: Flip[] = [];
  /** The flips that stand, by target. */
  let standing = new Map<string, Flip>();
  let digest = emptyDigest;
  let read: { call: PendingCall | undefined; check: Check; reading: Reading }[] = [];
  /** One row may hold a call and its result. */
  let current = emptyDigest;
  const foldEntry: Fold = createFold({
    ...deps,
    getVerdicts(checks, output) {
      const readings = deps.getVerdicts(checks, output);
      const call = current.pending.find((each) => each.checks === checks);
      for (const [i, check] of checks.entries()) {
        const reading = readings[i];
        if (reading !== undefined) read.push({ call, check, reading });
      }
      return readings;
    },
  });
  const fold: Fold = (before, entry) => foldEntry((current = before), entry);

  function lookForFlips(): void {
    const found = findFlips(digest);
    // One that fails again and again is the same flip until it passes.
    standing = new Map(found.map((flip) => [flip.target.key, standing.get(flip.target.key) ?? flip]));
    for (const flip of standing.values()) if (!flips.includes(flip)) flips.push(flip);
  }

  return {
    row(entries) {
      read = [];
      digest = foldRow(fold, digest, entries);
      const at = entries?.find((entry) => entry.at !== undefined)?.at;
      for (const { call, check, reading } of read) {
        const { target } = check;
        const { callId = "", command = "" } = call ?? {};
        const run = { row: digest.rows, turn: digest.turns, callId, command, target, key: target.key, ...reading };
        // What the fold did not book is no run of its own: a row that a resumed session repeats, or one that its line runs again.
        if (reading.verdict !== "unknown" && !isBooked(run, digest)) continue;
        runs.push(at === undefined ? run : { ...run, at });
      }
      if (read.length > 0) lookForFlips();
    },
    get runs() {
      const nameOf = nameTargets(runs.map(({ target }) => target));
      return runs.map((run) => ({ ...run, target: nameOf(run.target) }));
    },
    get flips() {
      const nameOf = nameTargets(runs.map(({ target }) => target));
      return flips.map((flip) => toReplayedFlip(flip, { nameOf, open: standing.get(flip.target.key) === flip }));
    },
    get digest() {
      return digest;
    },
  };
}

function isBooked({ key, row, verdict }: Pick<ReplayedRun, "key" | "row" | "verdict">, digest: Digest): boolean {
  return (
    verdict !== "unknown" && digest.targets.some((state) => state.target.key === key && state[verdict]?.row === row)
  );
}

function toReplayedFlip(
  { target, passedAs, pass, fail }: Flip,
  { nameOf, open }: { readonly nameOf: (target: Target) => string; readonly open: boolean },
): ReplayedFlip {
  return { target: nameOf(target), key: target.key, passed: { ...pass, target: nameOf(passedAs) }, failed: fail, open };
}
