import type { Target } from "../../lib/commands/check.ts";
import type { Run, TargetState } from "../../lib/transcript/digest.ts";
import { covers, splitScope } from "./covers.ts";

/** A target that passed, by itself or as part of a wider check, and whose latest run failed. */
export interface Flip {
  readonly target: Target;
  /** What passed: the target, or a check that covers it. */
  readonly passedAs: Target;
  readonly pass: Run;
  readonly fail: Run;
}

/** The flips that stand at the end of the record, the latest failure last. */
export function findFlips(targets: readonly TargetState[]): readonly Flip[] {
  return targets.flatMap(({ target, fail }) => {
    if (fail === undefined || isRepaired(target, fail, targets)) return [];
    const passed = findEarlierPass(target, fail, targets);
    return passed === undefined ? [] : [{ target, fail, ...passed }];
  });
}

/** Later passes that cover the target, file by file, settle the matter. */
function isRepaired(target: Target, fail: Run, targets: readonly TargetState[]): boolean {
  const later = targets.flatMap((state) => (isAfter(state.pass, fail) ? [state.target.scope] : []));
  return splitScope(target.scope).every((part) => later.some((scope) => covers(scope, part)));
}

function findEarlierPass(
  target: Target,
  fail: Run,
  targets: readonly TargetState[],
): Pick<Flip, "pass" | "passedAs"> | undefined {
  return targets
    .flatMap(({ target: passedAs, pass }) =>
      pass !== undefined && isAfter(fail, pass) && covers(passedAs.scope, target.scope) ? [{ pass, passedAs }] : [],
    )
    .reduce<Pick<Flip, "pass" | "passedAs"> | undefined>(
      (latest, each) => (latest === undefined || isAfter(each.pass, latest.pass) ? each : latest),
      undefined,
    );
}

function isAfter(run: Run | undefined, other: Run): boolean {
  return run !== undefined && run.row > other.row;
}
