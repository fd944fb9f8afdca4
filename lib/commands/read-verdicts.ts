import type { CommandOutput } from "../transcript/entry.ts";
import type { Check, RunVerdict } from "./check.ts";
import { decide, type Reading } from "./reading/decide.ts";
import { lookAll } from "./reading/look.ts";
import { toLines } from "./reading/text.ts";

export type { Reading } from "./reading/decide.ts";

/** One reading a check, in the same order. Total: any output, no throw. */
export function readVerdicts(checks: readonly Check[], output: CommandOutput): readonly Reading[] {
  if (output.interrupted === true) return checks.map(() => ({ verdict: "unknown", evidence: "interrupted" }));
  const looks = lookAll(checks, toLines(output.text));
  return looks.map((look) => {
    const others = looks.filter((other) => other !== look);
    return decide(look, others, output);
  });
}

/**
 * The verdict of the line as a whole: one failing check fails it, and one that is known not to have checked anything makes
 * it unknown. A check that left no trace beside others that passed does not count.
 */
export function readLineVerdict(checks: readonly Check[], output: CommandOutput): RunVerdict {
  const readings = readVerdicts(checks, output);
  if (readings.some((each) => each.verdict === "fail")) return "fail";
  if (readings.some((each) => each.verdict === "unknown" && each.evidence !== "")) return "unknown";
  return readings.some((each) => each.verdict === "pass") ? "pass" : "unknown";
}
