import { clipText } from "../../lib/cut-text.ts";
import type { Check, OutputView, RunVerdict } from "../../lib/commands/check.ts";
import { describePattern } from "../../lib/commands/explain/describe-pattern.ts";
import type {
  ExplainedCheck,
  ExplainedStep,
  Explanation,
  PlacedReading,
} from "../../lib/commands/explain/explain-command.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { paint } from "../plain-text.ts";

type Field = readonly [name: string, text: string];

/** An explanation for people. */
export function formatExplanation({ turnedAway, steps, verdict }: Explanation, color: boolean): string {
  const checks = steps.filter((step) => "check" in step).length;
  const head = turnedAway
    ? "No check: no word of the line names a tool that checks, so it is not even taken apart."
    : `${checks === 0 ? "No check" : checks === 1 ? "A check" : `${checks} checks`}. Programs that the line starts: ${steps.length}`;
  const parts = steps.map((step, at) => formatStep(step, at + 1, color));
  const tail = verdict === undefined ? [] : [`The line as a whole: ${paintVerdict(verdict, color)}`];
  return [head, ...parts, ...tail].join("\n\n");
}

function formatStep(step: ExplainedStep, number: number, color: boolean): string {
  const rows = "check" in step ? describeCheck(step, color) : describeRefusal(step.refusal);
  const place: Field[] = [
    ...(step.written === step.call ? [] : [["runs", shorten(step.call)] as const]),
    ["in", step.cwd === "" ? "a folder that is not known" : step.cwd],
  ];
  return [
    `${number}. ${shorten(step.written)}`,
    ...[...place, ...rows].map(([name, text]) => `   ${name.padEnd(WIDTH)}${text}`),
  ].join("\n");
}

const WIDTH = 10;
const longestText = 160;

function shorten(text: string): string {
  const line = toPlainLine(text);
  return clipText(line, longestText);
}

function describeRefusal({ work, reason }: { readonly work: string; readonly reason: string }): Field[] {
  return [["no check", `${work === "other" ? "" : `${work}; `}${shorten(reason)}`]];
}

function describeCheck({ check, tool, reading }: ExplainedCheck, color: boolean): Field[] {
  const { lines } = tool;
  const { key, label, scope } = check.target;
  const parts = (["project", "files", "filters", "config"] as const).flatMap((name): Field[] =>
    scope[name].length === 0 ? [] : [[name, shorten(scope[name].join(", "))]],
  );
  return [
    ["check", `${tool.id}${tool.kind === undefined ? "" : ` (${tool.kind})`}`],
    ["target", shorten(label)],
    ["key", shorten(key)],
    ...parts,
    ["status", describeStatus(check, tool)],
    ["output", views[check.view]],
    ...describeMarks(check),
    ["pass", describeLines(tool, lines.pass)],
    ["fail", describeLines(tool, [...(lines.fail ?? []), ...(lines.loose ?? []), ...(lines.problem ?? [])])],
    ["unknown", describeLines(tool, [...(lines.unfinished ?? []), ...(lines.nothing ?? [])])],
    ["silence", describeSilence(check, tool)],
    ...(reading === undefined ? [] : [["verdict", describeReading(reading, color)] as const]),
  ];
}

const views: Readonly<Record<OutputView, string>> = {
  whole: "all of it is seen",
  start: "only its start is seen",
  end: "only its end is seen",
  rest: "the lines are seen that a filter did not take out",
  searched: "lines are taken out by a filter or a redirect",
  absent: "nothing of it is seen",
};

function describeStatus({ ownsStatus, failsLine, marks }: Check, tool: ExplainedCheck["tool"]): string {
  if (tool.statusless === true) return "tells nothing: the text decides";
  if (marks?.status !== undefined) return `the line prints it, behind ${JSON.stringify(marks.status.trim())}`;
  if (ownsStatus) return "the line's status is its own, and decides first";
  return failsLine
    ? "0 of the line means that it passed; another status may come from elsewhere"
    : "hidden by a pipe, an || or a later command: the text decides";
}

function describeMarks({ marks = {} }: Check): Field[] {
  const counted: Field[] =
    marks.counts === undefined ? [] : [["mark", `only the number of its ${marks.counts} is seen`]];
  const texts = [
    [marks.heading, "its output begins behind"],
    [marks.nextHeading, "its output ends before"],
    [marks.passed, "printed after a pass"],
    [marks.failed, "printed after a failure"],
  ] as const;
  const marked = texts.flatMap(([text, what]): Field[] =>
    text === undefined ? [] : [["mark", `${what}: ${shorten(JSON.stringify(text))}`]],
  );
  return [...counted, ...marked];
}

const mostShown = 4;

function describeLines({ runsOthers }: ExplainedCheck["tool"], patterns: readonly RegExp[] = []): string {
  if (runsOthers === true) return "what any tool of the table prints, and common words of home-made checks";
  if (patterns.length === 0) return "no line says so";
  const shown = patterns.slice(0, mostShown).map((pattern) => `"${describePattern(pattern)}"`);
  const more = patterns.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more} more (--json)` : ""}`;
}

function describeSilence({ view }: Check, { silent, runsOthers }: ExplainedCheck["tool"]): string {
  if (view === "searched" || view === "absent") return "says nothing: lines are missing";
  if (runsOthers === true) return "says nothing, unless it names the tools it runs and all of those are silent";
  return silent === true ? "a pass, in a line that ended well" : "says nothing";
}

function describeReading(reading: PlacedReading, color: boolean): string {
  const { verdict, evidence, lineNumber, shared } = reading;
  const place = lineNumber === undefined ? "" : `line ${lineNumber}: `;
  const by = evidence === "" ? ", nothing decides" : `, by ${place}${toPlainLine(evidence)}`;
  return `${paintVerdict(verdict, color)}${by}${shared === true ? " (which may speak of another check here)" : ""}`;
}

function paintVerdict(verdict: RunVerdict, color: boolean): string {
  if (!color) return verdict;
  return paint(verdict === "pass" ? "green" : verdict === "fail" ? "red" : "yellow", verdict);
}
