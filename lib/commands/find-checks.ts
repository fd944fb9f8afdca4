import type { Check, Marks } from "./check.ts";
import { mayCheck } from "./prefilter.ts";
import { recognise } from "./recognise.ts";
import { findSteps } from "./shell/steps.ts";
import { makeTarget } from "./target.ts";

/** The checks a shell command line runs, in order; empty when it checks nothing. Total: any text, no throw. */
export function findChecks(command: string, cwd = ""): readonly Check[] {
  if (!mayCheck(command)) return [];
  return findSteps(command, cwd).flatMap((step): Check[] => {
    const found = recognise(step.call);
    if (found === undefined) return [];
    const { ownsStatus, failsLine, chain, view } = step;
    const marks = ownMarks(step.marks);
    const check: Check = {
      tool: found.tool.id,
      target: makeTarget(found.scope, found.shown),
      ownsStatus,
      failsLine,
      chain,
      view,
    };
    return [marks === undefined ? check : { ...check, marks }];
  });
}

function ownMarks(marks: Marks): Marks | undefined {
  return Object.keys(marks).length === 0 ? undefined : marks;
}
