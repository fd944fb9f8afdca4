import { clipText } from "../../lib/cut-text.ts";
import { describeComparison, formatInterval, toPercent } from "../../lib/score/score.ts";
import type { Score } from "../../lib/score/score.ts";
import type { Share } from "../../lib/score/interval.ts";
import { quoteForShell } from "../../lib/quote-for-shell.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { formatTime } from "../plain-text.ts";
import type { HookScore } from "./score-hook.ts";
import type { Example, HookReport, Report } from "./summarise.ts";

/** What was found beside the turns. */
export interface Coverage {
  readonly files: number;
  /** Sessions of Cursor, in which no check can be followed. */
  readonly cursor: number;
  readonly subagents: number;
  readonly foreign: number;
  readonly broken: number;
}

/** What became of the questions of one hook. */
export interface Verdicts {
  readonly hit: number;
  readonly clean: number;
  readonly unchecked: number;
  /** Not asked yet. */
  readonly open: number;
  /** Why one of those is unchecked. */
  readonly uncheckedBecause?: string;
}

const MAX_EXAMPLE = 240;

/** What was read, in a sentence or two. */
export function formatCoverage(report: Report, { cursor, subagents, foreign, broken }: Coverage): string {
  const { sessions, turns, days, from, to } = report;
  const span = from === null || to === null ? "" : formatSpan(from.slice(0, 10), to.slice(0, 10), days);
  const left = [
    ...(cursor === 0 ? [] : [`${plural(cursor, "session")} of Cursor, whose transcripts hold no command results`]),
    ...(subagents === 0 ? [] : [`${plural(subagents, "file")} of sub-agents left out`]),
    ...(foreign === 0 ? [] : [`${plural(foreign, "file")} that ${foreign === 1 ? "is" : "are"} no session`]),
    ...(broken === 0 ? [] : [plural(broken, "broken line")]),
  ];
  return [`${plural(sessions, "session")}, ${plural(turns, "turn")}${span}`, ...left].join("; ");
}

function formatSpan(from: string, to: string, days: number): string {
  return from === to ? ` on ${from}` : ` on ${plural(days, "day")}, ${from} to ${to}`;
}

/** What the columns count. */
const LEGEND = [
  "would fire, would ask: messages to you, questions for a model; per 100 turns: turns with either",
  "distinct: different findings; a working day: messages and questions on a day with a turn",
];

/** A table of the hooks, and examples of each. */
export function formatHooks(report: Report): readonly string[] {
  const header = ["hook", "sessions", "turns", "would fire", "would ask", "per 100 turns", "distinct", "a working day"];
  const rows = report.hooks.map((hook) => [
    hook.id,
    String(report.sessions),
    String(report.turns),
    String(hook.fires),
    String(hook.asks),
    getPer100(hook, report).toFixed(2),
    String(hook.distinct),
    report.days === 0 ? "-" : getPerDay(hook, report).toFixed(2),
  ]);
  return [...alignColumns([header, ...rows]), "", ...LEGEND, ...report.hooks.flatMap(formatDetails)];
}

/** Turns in which it would do something, of 100. */
export function getPer100({ activeTurns }: HookReport, { turns }: Report): number {
  return turns === 0 ? 0 : (100 * activeTurns) / turns;
}

/** Messages and questions on a day with at least one turn. */
export function getPerDay({ dated }: HookReport, { days }: Report): number {
  return days === 0 ? 0 : dated / days;
}

function formatDetails({ id, examples, failures, failure, activeSessions }: HookReport): readonly string[] {
  if (examples.length === 0 && failures === 0) return [];
  return [
    "",
    `${id}: in ${plural(activeSessions, "session")}, such as`,
    ...examples.map(formatExample),
    ...(failure === undefined ? [] : [`  it threw ${plural(failures, "time")}, first in ${failure}`]),
  ];
}

/** The path as a shell takes it: `catstack replay` may be given it. */
function formatExample({ at, transcript, turn, does, outcome, text }: Example): string {
  const time = at === null || Number.isNaN(Date.parse(at)) ? "" : `${formatTime(at)}  `;
  const shown = clipText(text, MAX_EXAMPLE);
  const judged = outcome === undefined ? "" : `${outcome}: `;
  const what = does === "says" ? shown : `${judged}would ask about "${shown}"`;
  return `  ${time}${quoteForShell(transcript)} turn ${turn}: ${what}`;
}

/** What the judge made of the questions of each hook. */
export function formatVerdicts(verdicts: ReadonlyMap<string, Verdicts>): readonly string[] {
  return [...verdicts].flatMap(([hook, { hit, clean, unchecked, open, uncheckedBecause }]) => {
    const asked = hit + clean;
    const share = asked === 0 ? "" : `, ${toPercent(hit / asked)} of the answered questions are hits`;
    return [
      `${hook}: ${hit} hit, ${clean} clean, ${unchecked} unchecked, ${open} not asked${share}`,
      ...(uncheckedBecause === undefined ? [] : [`  unchecked, such as: ${toPlainLine(uncheckedBecause)}`]),
    ];
  });
}

/** How a hook does on labelled turns, and whether that is worth anything. */
export function formatScore(id: string, asks: boolean, isJudged: boolean, found: HookScore): readonly string[] {
  const { score, judge, unjudged, overall } = found;
  const name = asks && !isJudged ? `${id}, where it asks,` : id;
  return [
    `${id}: ${formatNumbers(score)}`,
    ...(overall === undefined
      ? []
      : [
          `  recall over all turns about ${toPercent(overall.rate)} (95 %: ${formatInterval(overall.interval)}), silent turns that are not labelled included`,
        ]),
    ...(unjudged === 0 ? [] : [`  ${plural(unjudged, "labelled turn")} without a verdict left out`]),
    `  ${describeComparison({ name, verb: "fire" }, score)}`,
    ...(judge === undefined ? [] : [`  ${describeComparison({ name: `the judge of ${id}`, verb: "hit" }, judge)}`]),
  ];
}

function formatNumbers({ n, precision, recall, f1, accuracy, baselines }: Score): string {
  const always = `always fire ${formatOf(baselines.always, n)}, never fire ${formatOf(baselines.never, n)}`;
  return [
    plural(n, "labelled turn"),
    `precision ${formatShare(precision)}`,
    `recall ${formatShare(recall)}`,
    `F1 ${f1 === null ? "-" : f1.toFixed(2)}`,
    `accuracy ${formatOf(accuracy.hits, n)} (${always})`,
  ].join(", ");
}

function formatShare({ hits, n, rate, interval }: Share): string {
  return rate === null ? "-" : `${toPercent(rate)} (${hits} of ${n}; 95 %: ${formatInterval(interval)})`;
}

function formatOf(hits: number, n: number): string {
  return n === 0 ? "-" : toPercent(hits / n);
}

/** The first column to the left, numbers to the right. */
function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}

export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
