import type { Check } from "../check.ts";
import { findChecks } from "../find-checks.ts";
import { tools } from "../tools/index.ts";
import type { Lines, Tool } from "../tools/tool.ts";
import { chatter, neverStarted, plainLines } from "./common.ts";
import { findLastLine, hasMatch, type LineReading, readLines } from "./read-lines.ts";
import { findSection, indexOfText, type Section } from "./sections.ts";
import { readPrintedStatus } from "./status.ts";
import { toEvidence } from "./text.ts";

/** What the output alone shows about one check. */
export interface Look {
  readonly check: Check;
  /** Its position among the checks of the line. */
  readonly at: number;
  readonly tool: Tool | undefined;
  /** What the tool's own lines say. */
  readonly own: LineReading | undefined;
  /** What plain words say in the output of a check that may run anything. */
  readonly plain: LineReading | undefined;
  /** A shell or launcher said that something did not start. */
  readonly notStarted: string | undefined;
  /** Prints nothing when all is well: the tool itself, or every tool a script says that it runs. */
  readonly silent: boolean;
  /** Nothing in its part of the output but what shells and runners add. */
  readonly quiet: boolean;
  /** The exit status that the command line printed for it. */
  readonly printedStatus: number | undefined;
  /** A text that the command line prints only after a pass, or only after a failure. */
  readonly marked: LineReading | undefined;
}

/** Looks at one output with the eyes of each check, in the same order. */
export function lookAll(checks: readonly Check[], lines: readonly string[]): readonly Look[] {
  const sections = checks.map((check) => findSection(check, lines));
  return checks.map((check, at) => {
    const section = sections[at];
    const own = section === undefined ? lines : lines.slice(section.from, section.to);
    const others = sections.filter((_, other) => other !== at);
    const elsewhere = section === undefined ? [] : outside(lines, others);
    return { ...lookAt(check, checks, own, elsewhere, lines), at };
  });
}

/** The lines that stand in no other check's part: errors are often printed away from the rest. */
function outside(lines: readonly string[], others: readonly (Section | undefined)[]): readonly string[] {
  return lines.filter((_, at) => others.every((other) => other === undefined || at < other.from || at >= other.to));
}

function lookAt(
  check: Check,
  checks: readonly Check[],
  section: readonly string[],
  elsewhere: readonly string[],
  lines: readonly string[],
): Omit<Look, "at"> {
  const tool = tools.find((each) => each.id === check.tool);
  const patterns = patternsOf(check, tool);
  const own = readLines(section, patterns) ?? readLines(elsewhere, patterns);
  const plain = tool?.runsOthers === true ? readLines(section, plainLines) : undefined;
  const isOpen = own?.says === "problem" && (plain?.says === "pass" || isAnothers(own.evidence, check, checks));
  const notStarted = findLastLine(section, section.join("\n"), neverStarted);
  return {
    check,
    tool,
    own: isOpen ? undefined : own,
    plain,
    notStarted: notStarted === undefined ? undefined : toEvidence(notStarted),
    silent: tool?.runsOthers === true ? runsSilentTools(section) : tool?.silent === true,
    quiet: section.every((line) => hasMatch(line, chatter)),
    printedStatus: check.marks?.status === undefined ? undefined : readPrintedStatus(lines, check.marks.status),
    marked: readMarks(check, lines),
  };
}

/** Runners print the commands they run: `$ tsc --noEmit`, `> eslint src`. */
function runsSilentTools(section: readonly string[]): boolean {
  const commands = section.flatMap((line) => /^(?:\$|>|\[[\w:-]+\] \$) ((?!\S+@\S* ).+)$/.exec(line)?.[1] ?? []);
  const ids = commands.flatMap((command) => findChecks(command)).map((inner) => inner.tool);
  return ids.length > 0 && ids.every((id) => tools.find((each) => each.id === id)?.silent === true);
}

/** A finding that another tool of the same line prints alike does not tell whose it is. */
function isAnothers(evidence: string, check: Check, checks: readonly Check[]): boolean {
  return checks.some((other) => {
    const tool = tools.find((each) => each.id === other.tool);
    if (tool === undefined || other.tool === check.tool || tool.runsOthers === true) return false;
    return hasMatch(evidence, [...tool.lines.fail, ...(tool.lines.loose ?? []), ...(tool.lines.problem ?? [])]);
  });
}

let everyLine: Lines | undefined;

/** A check that runs other tools may print what any of them prints. */
function patternsOf(check: Check, tool: Tool | undefined): Lines {
  if (tool === undefined) return { fail: [], pass: [] };
  if (tool.runsOthers !== true) return tool.lines;
  everyLine ??= joinLines(tools.filter((each) => each.statusless !== true).map((each) => each.lines));
  const more = tool.linesOf?.(check.target.scope.tool);
  return more === undefined ? everyLine : { ...everyLine, fail: [...more.fail, ...everyLine.fail] };
}

function joinLines(all: readonly Lines[]): Lines {
  return {
    fail: all.flatMap((each) => each.fail),
    pass: all.flatMap((each) => each.pass),
    problem: all.flatMap((each) => [...(each.problem ?? []), ...(each.loose ?? [])]),
    nothing: all.flatMap((each) => each.nothing ?? []),
  };
}

function readMarks(check: Check, lines: readonly string[]): LineReading | undefined {
  const { passed, failed } = check.marks ?? {};
  if (failed !== undefined && indexOfText(lines, failed, 0) >= 0) return { says: "fail", evidence: toEvidence(failed) };
  if (passed !== undefined && indexOfText(lines, passed, 0) >= 0) return { says: "pass", evidence: toEvidence(passed) };
  return undefined;
}
