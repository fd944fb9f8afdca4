import type { CommandOutput } from "../transcript/entry.ts";
import type { Check, RunVerdict } from "./check.ts";
import { type Look, lookAll } from "./reading/look.ts";
import { isCutShort, isNotStarted } from "./reading/status.ts";
import { toLines } from "./reading/text.ts";

export interface Reading {
  readonly verdict: RunVerdict;
  /** The line that decided, at most 200 characters, or such as `exit status 1`; empty when nothing did. */
  readonly evidence: string;
}

/** One reading a check, in the same order. Total: any output, no throw. */
export function readVerdicts(checks: readonly Check[], output: CommandOutput): readonly Reading[] {
  if (checks.length === 0) return [];
  if (output.interrupted === true) return checks.map(() => unknown("interrupted"));
  const looks = lookAll(checks, toLines(output.text));
  return looks.map((look, at) => decide(look, looks.slice(at + 1), looks.slice(0, at), output));
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

function decide(look: Look, later: readonly Look[], earlier: readonly Look[], output: CommandOutput): Reading {
  const status = statusOf(look, output);
  if (status === 0 && look.tool?.statusless !== true) return decidePassed(look);
  if (status !== undefined && status !== 0) return decideFailed(look, status);
  return decideByText(look, later, earlier, output);
}

/** The check's own exit status; undefined when something hides it. */
function statusOf({ check, printedStatus }: Look, output: CommandOutput): number | undefined {
  if (check.marks?.status !== undefined) return printedStatus;
  const status = lineStatus(output);
  return check.ownsStatus || (check.failsLine && status === 0) ? status : undefined;
}

function lineStatus(output: CommandOutput): number | undefined {
  return output.exitCode ?? (output.isError === false ? 0 : undefined);
}

function decidePassed({ own }: Look): Reading {
  if (own?.says === "nothing" || own?.says === "unfinished") return unknown(own.evidence);
  return { verdict: "pass", evidence: own?.says === "pass" ? own.evidence : "exit status 0" };
}

function decideFailed({ own, plain, notStarted, tool }: Look, status: number): Reading {
  if (own?.says === "fail" || own?.says === "problem") return { verdict: "fail", evidence: own.evidence };
  const evidence = `exit status ${status}`;
  if (isNotStarted(status) || isCutShort(status) || tool?.nothingStatus?.includes(status) === true)
    return unknown(evidence);
  if (own?.says === "nothing") return unknown(own.evidence);
  if (notStarted !== undefined) return unknown(notStarted);
  return { verdict: "fail", evidence: plain?.says === "fail" ? plain.evidence : evidence };
}

function decideByText(look: Look, later: readonly Look[], earlier: readonly Look[], output: CommandOutput): Reading {
  const { own, plain, marked, notStarted, check } = look;
  if (own?.says === "fail") return { verdict: "fail", evidence: own.evidence };
  if (own?.says === "unfinished") return unknown(own.evidence);
  if (marked?.says === "fail" && isAloneInChain(look, later, earlier))
    return { verdict: "fail", evidence: marked.evidence };
  if (marked?.says === "pass") return { verdict: "pass", evidence: marked.evidence };
  if (own?.says === "problem") return { verdict: "fail", evidence: own.evidence };
  if (own?.says === "pass") return { verdict: "pass", evidence: own.evidence };
  const proof = later.find((each) => each.check.chain === check.chain && hasRun(each));
  if (proof !== undefined) return { verdict: "pass", evidence: proof.own?.evidence ?? "" };
  if (own?.says === "nothing") return unknown(own.evidence);
  if (notStarted !== undefined) return unknown(notStarted);
  if (plain?.says === "fail" || plain?.says === "problem") return { verdict: "fail", evidence: plain.evidence };
  if (plain?.says === "pass") return { verdict: "pass", evidence: plain.evidence };
  return isSilentPass(look, later, earlier, output) ? { verdict: "pass", evidence: "no output" } : unknown("");
}

function isAloneInChain({ check }: Look, later: readonly Look[], earlier: readonly Look[]): boolean {
  return [...later, ...earlier].every((other) => other.check.chain !== check.chain);
}

function hasRun({ own }: Look): boolean {
  return own?.says === "fail" || own?.says === "pass";
}

/**
 * A tool that prints nothing when all is well printed no failure: a pass, if its output was to be seen and the line ended
 * well. Beside other commands their output does not count against it.
 */
function isSilentPass(
  { check, tool, quiet }: Look,
  later: readonly Look[],
  earlier: readonly Look[],
  output: CommandOutput,
): boolean {
  if (tool?.silent !== true || lineStatus(output) !== 0) return false;
  if (check.view === "searched" || check.view === "absent") return false;
  return quiet || later.length + earlier.length > 0;
}

function unknown(evidence: string): Reading {
  return { verdict: "unknown", evidence };
}
