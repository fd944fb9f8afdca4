import type { Check } from "../check.ts";
import { tools } from "../tools/index.ts";
import type { Lines, Tool } from "../tools/tool.ts";
import { chatter, neverStarted, plainLines } from "./common.ts";
import { type LineReading, readLines } from "./read-lines.ts";
import { indexOfText, sectionOf } from "./sections.ts";
import { readPrintedStatus } from "./status.ts";
import { toEvidence } from "./text.ts";

/** What the output alone shows about one check. */
export interface Look {
  readonly check: Check;
  readonly tool: Tool | undefined;
  readonly own: LineReading | undefined;
  /** A shell or launcher said that something did not start. */
  readonly notStarted: string | undefined;
  /** Nothing in its part of the output but what shells and runners add. */
  readonly quiet: boolean;
  /** The exit status that the command line printed for it. */
  readonly printedStatus: number | undefined;
  /** A text that the command line prints only after a pass, or only after a failure. */
  readonly marked: LineReading | undefined;
}

export function lookAt(check: Check, checks: readonly Check[], lines: readonly string[]): Look {
  const tool = tools.find((each) => each.id === check.tool);
  const section = sectionOf(check, lines);
  const rest = section.filter((line) => !chatter.some((pattern) => pattern.test(line)));
  const notStarted = section.find((line) => neverStarted.some((pattern) => pattern.test(line)));
  return {
    check,
    tool,
    own: readOwn(check, checks, tool, section, lines),
    notStarted: notStarted === undefined ? undefined : toEvidence(notStarted),
    quiet: rest.length === 0,
    printedStatus: check.marks?.status === undefined ? undefined : readPrintedStatus(lines, check.marks.status),
    marked: readMarks(check, lines),
  };
}

/** Errors may be printed outside the check's own part; they count when no other check of the line has the same tool. */
function readOwn(
  check: Check,
  checks: readonly Check[],
  tool: Tool | undefined,
  section: readonly string[],
  lines: readonly string[],
): LineReading | undefined {
  if (tool === undefined) return undefined;
  const own = readTool(tool, section);
  if (own !== undefined || section.length === lines.length || tool.runsOthers === true) return own;
  return checks.every((other) => other === check || other.tool !== check.tool) ? readTool(tool, lines) : undefined;
}

let everyLine: Lines | undefined;

function readTool(tool: Tool, lines: readonly string[]): LineReading | undefined {
  if (tool.runsOthers !== true) return readLines(lines, tool.lines);
  everyLine ??= joinLines(tools.map((each) => each.lines));
  return readLines(lines, everyLine) ?? readLines(lines, plainLines);
}

function joinLines(all: readonly Lines[]): Lines {
  return {
    fail: all.flatMap((each) => each.fail),
    pass: all.flatMap((each) => each.pass),
    nothing: all.flatMap((each) => each.nothing ?? []),
    problem: all.flatMap((each) => each.problem ?? []),
  };
}

function readMarks(check: Check, lines: readonly string[]): LineReading | undefined {
  const { passed, failed } = check.marks ?? {};
  if (failed !== undefined && indexOfText(lines, failed, 0) >= 0) return { says: "fail", evidence: toEvidence(failed) };
  if (passed !== undefined && indexOfText(lines, passed, 0) >= 0) return { says: "pass", evidence: toEvidence(passed) };
  return undefined;
}
