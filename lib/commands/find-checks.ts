import type { Check, Marks } from "./check.ts";
import { mayCheck } from "./prefilter.ts";
import { recognise } from "./recognise.ts";
import { findSteps } from "./shell/steps.ts";
import type { Step } from "./shell/walk.ts";
import { findStoredText } from "./stored-text.ts";
import { selectSettings } from "./settings.ts";
import { makeTarget } from "./target.ts";

/** The checks a shell command line runs, in order; empty when it checks nothing. Total: any text, no throw. */
export function findChecks(command: string, cwd = ""): readonly Check[] {
  if (!mayCheck(command)) return [];
  const known = recent.get(command);
  if (known?.cwd === cwd) return known.checks;
  const checks = tryParseChecks(command, cwd);
  if (recent.size >= MAX_RECENT) recent.clear();
  recent.set(command, { cwd, checks });
  return checks;
}

/** A session runs the same few checks again and again, each mostly in one folder. To join the two to a key costs a fifth of a parse. */
const recent = new Map<string, { readonly cwd: string; readonly checks: readonly Check[] }>();
const MAX_RECENT = 256;

/** The parser calls itself for each part of a part: one line that overflows its stack must not cost the rest of the session. */
function tryParseChecks(command: string, cwd: string): readonly Check[] {
  try {
    return parseChecks(command, cwd);
  } catch {
    return [];
  }
}

function parseChecks(command: string, cwd: string): readonly Check[] {
  const steps = findSteps(command, cwd);
  const hidden = steps.some((step) => step.view === "absent");
  return steps.flatMap((step, at) => {
    const check = findCheck(step);
    if (check === undefined) return [];
    const storedText = hidden ? undefined : findStoredText(steps, at, command);
    return storedText === undefined ? check : { ...check, storedText };
  });
}

/** The check that one step of a line makes; undefined when it makes none. */
export function findCheck(step: Step): Check | undefined {
  const found = recognise(step.call);
  if (found === undefined) return undefined;
  const { ownsStatus, failsLine, chain, view } = step;
  const marks = ownMarks(step.marks);
  const settings = selectSettings(step.call.env);
  const check: Check = {
    tool: found.tool.id,
    target: makeTarget(found.scope, found.shown),
    ownsStatus,
    failsLine,
    chain,
    view,
  };
  const set = settings.length === 0 ? check : { ...check, settings };
  return marks === undefined ? set : { ...set, marks };
}

function ownMarks(marks: Marks): Marks | undefined {
  return Object.keys(marks).length === 0 ? undefined : marks;
}
