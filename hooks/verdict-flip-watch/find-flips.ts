import type { Scope, Target } from "../../lib/commands/check.ts";
import type { Digest, CheckRun, TargetState } from "../../lib/transcript/digest.ts";
import { getTreeName, isNowhere } from "../../lib/transcript/tree.ts";
import { splitScope } from "./covers.ts";
import { mayCover } from "./may-cover.ts";
import { surelyCovers } from "./surely-covers.ts";

/** A target that passed, by itself or as part of a wider check, and whose latest run failed. */
export interface Flip {
  readonly target: Target;
  /** What passed: the target, or a check that covers it. */
  readonly passedAs: Target;
  readonly pass: CheckRun;
  readonly fail: CheckRun;
}

/**
 * The flips that stand at the end of the record in the tree it ends in, the latest failure last. The pass must be sure to have
 * covered the target, in the same tree and under the same settings; to call a failure repaired it is enough that a later pass may have.
 */
export function findFlips({ targets, tree }: Pick<Digest, "targets" | "tree">): readonly Flip[] {
  if (isNowhere(tree)) return [];
  const here = targets.filter((state) => (state.tree ?? "") === getTreeName(tree));
  return here.flatMap((state) => {
    const { target, fail } = state;
    if (fail === undefined || isRepaired(state, fail, here)) return [];
    const passed = findEarlierPass(state, fail, here);
    return passed === undefined ? [] : [{ target, fail, ...passed }];
  });
}

/** Later passes that may cover the target, file by file, settle the matter. */
function isRepaired(failed: TargetState, fail: CheckRun, targets: readonly TargetState[]): boolean {
  const later: readonly Scope[] = targets.flatMap((state) =>
    state.pass !== undefined && state.pass.row > getStart(fail) && !hasOtherSettings(state, failed)
      ? [state.target.scope]
      : [],
  );
  return splitScope(failed.target.scope).every((part) => later.some((scope) => mayCover(scope, part)));
}

/** One variable with two values. */
function hasOtherSettings({ settings: some = [] }: TargetState, { settings: others = [] }: TargetState): boolean {
  return some.some((one) => others.some((other) => one !== other && getName(one) === getName(other)));
}

function getName(setting: string): string {
  return setting.slice(0, setting.indexOf("="));
}

function findEarlierPass(
  { target, settings }: TargetState,
  fail: CheckRun,
  targets: readonly TargetState[],
): Pick<Flip, "pass" | "passedAs"> | undefined {
  return targets
    .filter((state) => String(state.settings) === String(settings))
    .flatMap(({ target: passedAs, pass }) =>
      pass !== undefined && pass.row < getStart(fail) && hasShown(passedAs, target) ? [{ pass, passedAs }] : [],
    )
    .reduce<Pick<Flip, "pass" | "passedAs"> | undefined>(
      (latest, each) => (latest === undefined || each.pass.row > latest.pass.row ? each : latest),
      undefined,
    );
}

function hasShown(passedAs: Target, target: Target): boolean {
  return passedAs.key === target.key || surelyCovers(passedAs.scope, target.scope);
}

/** A failure is as old as the files that its run saw: what passed while it ran in the background may have seen newer ones. */
function getStart({ began, row }: CheckRun): number {
  return began ?? row;
}
