import type { RunVerdict } from "../commands/check.ts";
import { MAX_TARGETS } from "./bounds.ts";
import type { CheckRun, TargetState } from "./digest.ts";

/** Digits of an ISO time down to the second: results of parallel calls may be a few milliseconds out of order. */
const TO_THE_SECOND = 19;

/** The target states after one more run, which says by `unknown` that it may have passed: its target is now the last of the list, the least recent may be dropped. */
export function bookRun(
  targets: readonly TargetState[],
  place: Pick<TargetState, "target" | "tree" | "settings">,
  verdict: RunVerdict,
  run: CheckRun,
): readonly TargetState[] {
  const known = targets.find((state) => isSamePlace(state, place));
  if (verdict === "unknown") return known === undefined || isOldCopy(run, known) ? targets : forget(targets, known);
  if (known !== undefined && isOldCopy(run, known)) return targets;
  const state: TargetState = { ...known, ...place, [verdict]: run };
  return [...targets.filter((other) => other !== known), state].slice(-MAX_TARGETS);
}

/** What is known after files were brought back to an earlier state: the passes, and that nothing is known to fail. */
export function forgetFailures(targets: readonly TargetState[]): readonly TargetState[] {
  return targets.flatMap(withoutFailure);
}

function forget(targets: readonly TargetState[], known: TargetState): readonly TargetState[] {
  return targets.flatMap((state) => (state === known ? withoutFailure(state) : [state]));
}

function withoutFailure(state: TargetState): readonly TargetState[] {
  const { fail, ...passed } = state;
  if (fail === undefined) return [state];
  return passed.pass === undefined ? [] : [passed];
}

function isSamePlace(a: Omit<TargetState, "pass" | "fail">, b: Omit<TargetState, "pass" | "fail">): boolean {
  return a.target.key === b.target.key && a.tree === b.tree && String(a.settings) === String(b.settings);
}

/** A resumed session may begin with the rows of an older one, long after the ids were forgotten; their times are old. */
function isOldCopy(run: CheckRun, { pass, fail }: TargetState): boolean {
  return [pass, fail].some((earlier) => isBefore(run.at, earlier?.at));
}

function isBefore(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a.slice(0, TO_THE_SECOND) < b.slice(0, TO_THE_SECOND);
}
