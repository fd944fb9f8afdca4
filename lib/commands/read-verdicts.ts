import type { CommandOutput } from "../transcript/entry.ts";
import type { Check, RunVerdict } from "./check.ts";

export interface Reading {
  readonly verdict: RunVerdict;
  /** The line that decided, at most 200 characters, or such as `exit status 1`; empty for `unknown` without a text. */
  readonly evidence: string;
}

/** One reading a check, in the same order. Total: any output, no throw. */
export function readVerdicts(checks: readonly Check[], output: CommandOutput): readonly Reading[] {
  void output;
  return checks.map(() => ({ verdict: "unknown", evidence: "" }));
}
