import type { CommandOutput } from "../../transcript/entry.ts";
import type { Check, RunVerdict } from "../check.ts";
import { findCheck, findChecks } from "../find-checks.ts";
import { getLineVerdict, getVerdicts, type Reading } from "../get-verdicts.ts";
import { mayCheck } from "../prefilter.ts";
import { findTool } from "../reading/patterns.ts";
import { toEvidence, toLines } from "../reading/text.ts";
import { findSteps } from "../shell/steps.ts";
import type { Step } from "../shell/walk.ts";
import type { Tool } from "../tools/tool.ts";
import { getRefusal, type Refusal } from "./get-refusal.ts";

/** Why a command line is or is not a check. */
export interface Explanation {
  /** The line does not look as if it held a check, so that it is not taken apart when a transcript is read. */
  readonly turnedAway: boolean;
  /** Every program that the line starts, in order. */
  readonly steps: readonly ExplainedStep[];
  /** The verdict of the line as a whole; absent without an output. */
  readonly verdict?: RunVerdict;
}

/** One program that a line starts: a check, or why it is none. */
export type ExplainedStep = StepWords & (ExplainedCheck | { readonly refusal: Refusal });

interface StepWords {
  /** The words, as they stand in the line. */
  readonly written: string;
  /** The words without wrappers. */
  readonly call: string;
  readonly cwd: string;
}

export interface ExplainedCheck {
  readonly check: Check;
  readonly tool: Tool;
  /** Absent without an output. */
  readonly reading?: PlacedReading;
}

/** How an output of the check reads. */
export type PlacedReading = Reading & {
  /** Where the line that decided stands in the output, from 1; absent when it was no line. */
  readonly lineNumber?: number;
  /** That line may speak of several checks of this line of commands. */
  readonly shared?: true;
};

/** Explains what `findChecks` and `getVerdicts` make of a line and its output. Total: any text, no throw. */
export function explainCommand(command: string, cwd: string, output?: CommandOutput): Explanation {
  const turnedAway = !mayCheck(command);
  const steps = tryFindSteps(command, cwd);
  const checks = findChecks(command, cwd);
  const readings = output === undefined ? [] : getVerdicts(checks, output);
  const text = output === undefined ? [] : toLines(output.text).map(toEvidence);
  let at = 0;
  const explained = steps.map((step): ExplainedStep => {
    const words: StepWords = { written: wordsOf(step.written), call: wordsOf(step.call), cwd: step.call.cwd };
    const check = turnedAway || findCheck(step) === undefined ? undefined : checks[at++];
    const tool = check === undefined ? undefined : findTool(check);
    if (check === undefined || tool === undefined) return { ...words, refusal: getRefusal(step.call) };
    const reading = readings[at - 1];
    return {
      ...words,
      check,
      tool,
      ...(reading === undefined ? {} : { reading: withPlace(reading, readings, text) }),
    };
  });
  return {
    turnedAway,
    steps: explained,
    ...(output === undefined ? {} : { verdict: getLineVerdict(checks, output) }),
  };
}

/** A line that the parser cannot hold has no steps, as it has no checks. */
function tryFindSteps(command: string, cwd: string): readonly Step[] {
  try {
    return findSteps(command, cwd);
  } catch {
    return [];
  }
}

function wordsOf({ path, args }: Step["call"]): string {
  return [path, ...args].map((word) => (/^[^\s'"\\|&;<>()]+$/.test(word) ? word : `'${word}'`)).join(" ");
}

/** Of several like lines the last one decided. */
function withPlace(reading: Reading, all: readonly Reading[], text: readonly string[]): PlacedReading {
  const { verdict, evidence } = reading;
  const at = evidence === "" ? -1 : text.lastIndexOf(evidence);
  if (at < 0) return reading;
  const shared = verdict === "unknown" && all.filter((other) => other.evidence === evidence).length > 1;
  return { ...reading, lineNumber: at + 1, ...(shared ? { shared } : {}) };
}
