import type { CommandOutput } from "../../transcript/entry.ts";
import type { Check } from "../check.ts";
import { findChecks } from "../find-checks.ts";
import type { Lines, Tool } from "../tools/tool.ts";
import { type Block, makeBlock } from "./block.ts";
import { chatter, neverStarted, noFailures, plainLines } from "./common.ts";
import { hasMatch, type LineReading, findReading, selectLines } from "./find-reading.ts";
import { findSection, indexOfText, type Section } from "./sections.ts";
import { findTool, getPatterns } from "./patterns.ts";
import { findStatus } from "./status.ts";
import { toEvidence, toLines } from "./text.ts";

/** What an output shows about one check. */
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
  /** A search for failures is all that is shown of it, and showed none. */
  readonly foundNothing: boolean;
  /** Its own exit status; undefined when the line hides it. */
  readonly status: number | undefined;
  /** A text that the command line prints only after a pass, or only after a failure, or a number of findings. */
  readonly marked: LineReading | undefined;
}

/** Looks at one output with the eyes of each check, in the same order. */
export function lookAll(checks: readonly Check[], output: CommandOutput): readonly Look[] {
  const lines = toLines(output.text);
  const sections = checks.map((check) => findSection(check, lines));
  return checks.map((check, at) => {
    const section = sections[at];
    const own = section === undefined ? lines : lines.slice(section.from, section.to);
    const others = sections.filter((_, other) => other !== at);
    const elsewhere = section === undefined ? [] : outside(lines, others);
    const status = findStatus(check, lines, output);
    const tool = findTool(check);
    const marked = readMarks(check, lines) ?? readCount(check, tool, own);
    const known = { check, at, tool, status, marked };
    return isProvenPass(known) ? readPass(known, checks, own) : readAll(known, checks, own, elsewhere);
  });
}

/** Its status says that it passed: only whether it checked anything is open. */
export function isProvenPass({ status, tool }: Pick<Look, "status" | "tool">): boolean {
  return status === 0 && tool?.statusless !== true;
}

/** The lines that stand in no other check's part: errors are often printed away from the rest. */
function outside(lines: readonly string[], others: readonly (Section | undefined)[]): readonly string[] {
  return lines.filter((_, at) => others.every((other) => other === undefined || at < other.from || at >= other.to));
}

type Known = Pick<Look, "check" | "at" | "tool" | "status" | "marked">;

// The looks are written out field by field: with the known ones spread into them they took a tenth of a classification.

function readPass(known: Known, checks: readonly Check[], section: readonly string[]): Look {
  const { check, at, tool, status, marked } = known;
  const { unfinished = [], pass = [], nothing = [] } = getPatterns(check, checks);
  return {
    check,
    at,
    tool,
    status,
    marked,
    own: findReading(makeBlock(section), { unfinished, pass, nothing }),
    plain: undefined,
    notStarted: undefined,
    silent: false,
    quiet: false,
    foundNothing: false,
  };
}

function readAll(
  known: Known,
  checks: readonly Check[],
  section: readonly string[],
  elsewhere: readonly string[],
): Look {
  const { check, at, tool, status, marked } = known;
  const patterns = getPatterns(check, checks);
  const block = makeBlock(section);
  const own = findOwn(
    findReading(block, patterns) ?? findReading(makeBlock(elsewhere), patterns),
    check,
    block,
    patterns,
  );
  const plain =
    tool?.runsOthers === true ? findOwn(findReading(block, plainLines), check, block, plainLines) : undefined;
  const notStarted = mayNotHaveStarted(own, status) ? selectLines(block, neverStarted)[0] : undefined;
  return {
    check,
    at,
    tool,
    status,
    marked,
    own: own !== undefined && isOpen(own, plain, check, checks) ? undefined : own,
    plain,
    notStarted: notStarted === undefined ? undefined : toEvidence(notStarted),
    silent: tool?.runsOthers === true ? runsSilentTools(section) : tool?.silent === true,
    quiet: section.every((line) => hasMatch(line, chatter)),
    foundNothing: check.marks?.seeksFailures === true && section.every((line) => hasMatch(line, noFailures)),
  };
}

/** Whoever printed a summary has started. */
function mayNotHaveStarted(own: LineReading | undefined, status: number | undefined): boolean {
  return (
    own === undefined || own.says === "problem" || own.says === "loose" || (own.says === "pass" && status !== undefined)
  );
}

function findOwn(said: LineReading | undefined, check: Check, block: Block, patterns: Lines): LineReading | undefined {
  if (said === undefined || check.storedText === undefined) return said;
  return mayBeStored(said, check, block, patterns) ? undefined : said;
}

/**
 * Beside the text of files a failure counts only where it cannot be of those: when there is no pass, or when it stands on the
 * check's own side.
 */
function mayBeStored(said: LineReading, { storedText }: Check, block: Block, patterns: Lines): boolean {
  if (said.says !== "fail" && said.says !== "loose") return false;
  const failed = selectLines(block, patterns[said.says] ?? []);
  const passed = selectLines(block, patterns.pass ?? []);
  if (passed.length === 0 || storedText === "around") return passed.length > 0;
  const lines = block.lines.map(({ line }) => line);
  return storedText === "before"
    ? lines.lastIndexOf(failed.at(-1) ?? "") < lines.lastIndexOf(passed.at(-1) ?? "")
    : lines.indexOf(failed[0] ?? "") > lines.indexOf(passed[0] ?? "");
}

/** A finding is no verdict beside a summary that says pass, nor when another tool of the line prints its like. */
function isOpen(own: LineReading, plain: LineReading | undefined, check: Check, checks: readonly Check[]): boolean {
  if (own.says !== "problem" && own.says !== "loose") return false;
  if (own.says === "problem" && plain?.says === "pass") return true;
  return checks.some((other) => {
    const tool = findTool(other);
    if (tool === undefined || tool.id === check.tool || tool.runsOthers === true) return false;
    const { fail = [], loose = [], problem = [] } = tool.lines;
    return hasMatch(own.evidence, [...fail, ...loose, ...problem]);
  });
}

/** More than this is output that only looks like commands. */
const mostPrinted = 100;
const longestPrinted = 2000;

/** Runners print the commands they run: `$ tsc --noEmit`, `> eslint src`. */
function runsSilentTools(section: readonly string[]): boolean {
  const commands = section.flatMap((line) => /^(?:\$|>|\[[\w:-]+\] \$) ((?!\S+@\S* ).+)$/.exec(line)?.[1] ?? []);
  if (commands.length > mostPrinted || commands.some(({ length }) => length > longestPrinted)) return false;
  const inner = commands.flatMap((command) => findChecks(command));
  return inner.length > 0 && inner.every((each) => findTool(each)?.silent === true);
}

/**
 * A tool that prints nothing when all is well has found something when its lines are counted and there are some. No line at all is a pass; that a
 * search found none tells nothing.
 */
function readCount(check: Check, tool: Tool | undefined, section: readonly string[]): LineReading | undefined {
  const counts = check.marks?.counts;
  if (counts === undefined || tool?.silent !== true) return undefined;
  const numbers = section.filter((line) => /^\s*\d+$/.test(line));
  const [number] = numbers;
  if (number === undefined || numbers.length > 1) return undefined;
  const found = Number(number) > 0;
  if (!found && counts === "matches") return undefined;
  return { says: found ? "fail" : "pass", evidence: toEvidence(number), count: 1 };
}

function readMarks(check: Check, lines: readonly string[]): LineReading | undefined {
  const { passed, failed } = check.marks ?? {};
  if (failed !== undefined && indexOfText(lines, failed, 0) >= 0)
    return { says: "fail", evidence: toEvidence(failed), count: 1 };
  if (passed !== undefined && indexOfText(lines, passed, 0) >= 0)
    return { says: "pass", evidence: toEvidence(passed), count: 1 };
  return undefined;
}
