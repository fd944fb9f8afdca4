import type { CommandOutput } from "../../transcript/entry.ts";
import type { RunVerdict } from "../check.ts";
import type { Tool } from "../tools/tool.ts";
import { isProvenPass, type Look } from "./look.ts";
import type { LineReading } from "./find-reading.ts";
import { getLineStatus, isCutShort, isNotStarted } from "./status.ts";

/** How a run of a check ended, and what says so. */
export interface Reading {
  readonly verdict: RunVerdict;
  /** The line that decided, at most 200 characters, or such as `exit status 1`; empty when nothing did. */
  readonly evidence: string;
  /** A search for failures found none: no pass, but what failed before may be repaired. */
  readonly foundNothing?: true;
}

/** A reading before the checks of one line are told apart. */
export interface Decision extends Reading {
  /** The lines of output that decided; absent when it was a status or the look at other checks. */
  readonly by?: LineReading;
}

/**
 * The verdict of one check. Its own exit status comes first; where the line hides that, its text decides, then the looks at
 * the checks before and behind it.
 */
export function decide(look: Look, others: readonly Look[], output: CommandOutput): Decision {
  if (isProvenPass(look)) return decidePassed(look);
  const isOpen = look.status === undefined || look.status === 0;
  return isOpen ? decideByText(look, others, output) : decideFailed(look, look.status ?? 0);
}

function decidePassed({ own }: Look): Reading {
  if (own?.says === "nothing" || own?.says === "unfinished") return toReading(own);
  return { verdict: "pass", evidence: own?.says === "pass" ? own.evidence : "exit status 0" };
}

function decideFailed({ own, plain, notStarted, tool }: Look, status: number): Reading {
  const shown = `exit status ${status}`;
  if (own?.says === "fail" || own?.says === "loose") return toReading(own);
  if (neverRan(status, tool)) return unknown(shown);
  if (own?.says === "nothing" || own?.says === "unfinished") return toReading(own);
  if (notStarted !== undefined) return unknown(notStarted);
  if (own?.says === "problem") return toReading(own);
  return { verdict: "fail", evidence: plain?.says === "fail" ? plain.evidence : shown };
}

function neverRan(status: number, tool: Tool | undefined): boolean {
  return isNotStarted(status) || isCutShort(status) || tool?.nothingStatus?.includes(status) === true;
}

function decideByText(look: Look, others: readonly Look[], output: CommandOutput): Decision {
  const { own, plain, notStarted } = look;
  const said = own !== undefined && isSure(own) ? own : (findMark(look, others) ?? own);
  // In a line that failed a bare finding may be the work of any command of it.
  const isFinding = said?.says === "problem" && isFailure(output);
  if (said !== undefined && said.says !== "nothing" && said.says !== "problem") return fromLines(said);
  const proof = findProof(look, others);
  if (proof !== undefined) return { verdict: "pass", evidence: proof.evidence };
  if (said !== undefined && !isFinding) return fromLines(said);
  if (notStarted !== undefined) return unknown(notStarted);
  if (plain !== undefined && !isFailure(output)) return fromLines(plain);
  return decideSilent(look, others, output);
}

function decideSilent(look: Look, others: readonly Look[], output: CommandOutput): Decision {
  if (isSilentPass(look, others, output)) return { verdict: "pass", evidence: "no output" };
  return look.foundNothing ? { ...unknown(""), foundNothing: true } : unknown("");
}

/** A later check of the chain that ran: this one passed before it. */
function findProof({ at, check }: Look, others: readonly Look[]): LineReading | undefined {
  return others.find((other) => other.at > at && other.check.chain === check.chain && hasRun(other))?.own;
}

function isSure({ says }: LineReading): boolean {
  return says === "fail" || says === "loose" || says === "unfinished";
}

/** A text for a failure of the whole chain does not tell which of its checks failed. */
function findMark({ marked, check }: Look, others: readonly Look[]): LineReading | undefined {
  const isShared = others.some((other) => other.check.chain === check.chain);
  return marked?.says === "fail" && isShared ? undefined : marked;
}

function isFailure(output: CommandOutput): boolean {
  return (getLineStatus(output) ?? 0) !== 0;
}

function hasRun({ own }: Look): boolean {
  return own?.says === "fail" || own?.says === "loose" || own?.says === "pass";
}

/**
 * A tool that prints nothing when all is well printed no failure: a pass, if its output was to be seen and the line ended
 * well. What else stands there is the work of other commands, unless only an end of the output is shown.
 */
function isSilentPass(look: Look, others: readonly Look[], output: CommandOutput): boolean {
  const { check, silent, quiet } = look;
  if (getLineStatus(output) !== 0 || check.view === "searched" || check.view === "absent") return false;
  if (lacksMark(look)) return false;
  // Whoever takes out the lines that say pass leaves nothing of a pass.
  if (check.view === "rest") return quiet && others.length === 0;
  if (!silent) return false;
  return quiet || check.view === "whole" || others.length > 0;
}

/** The line prints a text after a failure of its chain, and did, or a text after a pass, and did not. */
function lacksMark({ check, marked }: Look): boolean {
  return marked?.says === "fail" || (check.marks?.passed !== undefined && marked?.says !== "pass");
}

const verdicts: Readonly<Record<LineReading["says"], RunVerdict>> = {
  fail: "fail",
  loose: "fail",
  unfinished: "unknown",
  pass: "pass",
  problem: "fail",
  nothing: "unknown",
};

function fromLines(by: LineReading): Decision {
  return { ...toReading(by), by };
}

function toReading({ says, evidence }: LineReading): Reading {
  return { verdict: verdicts[says], evidence };
}

function unknown(evidence: string): Reading {
  return { verdict: "unknown", evidence };
}
