import type { RunVerdict, Target } from "../commands/check.ts";
import { MAX_TARGETS } from "./bounds.ts";
import type { Run, TargetState } from "./digest.ts";

/** Digits of an ISO time down to the second: results of parallel calls may be a few milliseconds out of order. */
const TO_THE_SECOND = 19;

/** The target states after one more run: its target is now the last of the list, the least recent may be dropped. */
export function bookRun(
  targets: readonly TargetState[],
  target: Target,
  verdict: Exclude<RunVerdict, "unknown">,
  run: Run,
): readonly TargetState[] {
  const known = targets.find((state) => state.target.key === target.key);
  if (known !== undefined && isOldCopy(run, known)) return targets;
  const state: TargetState = { ...known, target, [verdict]: run };
  return [...targets.filter((other) => other !== known), state].slice(-MAX_TARGETS);
}

/** A resumed session may begin with the rows of an older one, long after the ids were forgotten; their times are old. */
function isOldCopy(run: Run, { pass, fail }: TargetState): boolean {
  return [pass, fail].some((earlier) => isBefore(run.at, earlier?.at));
}

function isBefore(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.slice(0, TO_THE_SECOND) < b.slice(0, TO_THE_SECOND);
}
