import type { CommandOutput } from "../transcript/entry.ts";
import type { Check, RunVerdict } from "./check.ts";
import { decide, type Decision, type Reading } from "./reading/decide.ts";
import { lookAll } from "./reading/look.ts";

export type { Reading } from "./reading/decide.ts";

/** One reading a check, in the same order. Total: any output, no throw. */
export function getVerdicts(checks: readonly Check[], output: CommandOutput): readonly Reading[] {
  const decisions = decideAll(checks, output);
  return decisions.map((decision) => {
    const { by: _, ...reading } = decision;
    return isShared(decision, decisions) ? { verdict: "unknown", evidence: reading.evidence } : reading;
  });
}

/**
 * The verdict of the line as a whole: one failing check fails it, and one that is known not to have checked anything makes
 * it unknown. A check that left no trace beside others that passed does not count.
 */
export function getLineVerdict(checks: readonly Check[], output: CommandOutput): RunVerdict {
  const decisions = decideAll(checks, output);
  if (decisions.some((each) => each.verdict === "fail")) return "fail";
  if (decisions.some((each) => each.verdict === "unknown" && each.evidence !== "")) return "unknown";
  return decisions.some((each) => each.verdict === "pass") ? "pass" : "unknown";
}

function decideAll(checks: readonly Check[], output: CommandOutput): readonly Decision[] {
  if (checks.length === 0) return [];
  if (output.interrupted === true) return checks.map(() => ({ verdict: "unknown", evidence: "interrupted" }));
  const looks = lookAll(checks, output);
  return looks.map((look) => {
    const others = looks.filter((other) => other !== look);
    return decide(look, others, output);
  });
}

/** One line of output cannot speak for two checks, unless there is a like line for each: then all of them passed. */
function isShared(decision: Decision, decisions: readonly Decision[]): boolean {
  const { by } = decision;
  if (by === undefined) return false;
  const sharing = decisions.filter((other) => other.by?.evidence === by.evidence && other.by.says === by.says);
  return sharing.length > 1 && !(by.says === "pass" && by.count >= sharing.length);
}
