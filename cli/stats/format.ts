import { BACKTEST } from "../backtest/name.ts";
import { findEarliest } from "../find-earliest.ts";
import { formatTime, getWidth, toCell } from "../plain-text.ts";
import { describePrecision, getHitPrecision } from "./precision.ts";
import type { LabelCounts, Tally } from "./tally.ts";

/** A column: its heading and what stands in it; numbers stand to the right. */
type Column = readonly [heading: string, getText: (tally: Tally) => string, isNumber?: boolean];

const columns: readonly Column[] = [
  ["hook", ({ hook }) => toCell(hook)],
  ["would say", ({ observed }) => String(observed.said), true],
  ["would ask", ({ observed }) => String(observed.asked), true],
  ["hit", ({ verdicts }) => String(verdicts.hit), true],
  ["clean", ({ verdicts }) => String(verdicts.clean), true],
  ["unchecked", ({ verdicts }) => String(verdicts.unchecked), true],
  ["delivered", ({ verdicts }) => String(verdicts.delivered), true],
  ["hits labelled", ({ labels }) => describeLabels(labels.hit)],
  ["cleans labelled", ({ labels }) => describeLabels(labels.clean)],
  ["hit precision", ({ labels }) => describePrecision(getHitPrecision(labels.hit))],
];

/** A table, a hook a line, and the times that its numbers are of. */
export function formatStats(tallies: readonly Tally[]): string[] {
  const cells = [columns.map(([heading]) => heading), ...tallies.map((each) => columns.map(([, get]) => get(each)))];
  const widths = columns.map((_, column) => getWidth(cells.map((row) => row[column])));
  const lines = cells.map((row) =>
    row.map((cell, column) => pad(cell, widths[column] ?? 0, columns[column]?.[2] === true)).join("  "),
  );
  return [...lines.map((line) => line.trimEnd()), "", ...describePeriods(tallies)];
}

function pad(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}

function describeLabels({ right, wrong }: LabelCounts): string {
  return right + wrong === 0 ? "-" : `${right} right, ${wrong} wrong`;
}

/** Of each hook since its own first; here since the very first. */
function describePeriods(tallies: readonly Tally[]): string[] {
  return [
    `would say, would ask: in observe mode, ${describeStart(tallies.map(({ observed }) => observed.since))}`,
    `verdicts: ${describeStart(tallies.map(({ verdicts }) => verdicts.since))}; they are kept for 14 days, labels for good`,
    "labels: `catstack verdicts label ID right|wrong`; a wrong clean is a miss",
    ...(tallies.some(({ hook }) => hook === BACKTEST)
      ? [`${BACKTEST}: what \`catstack backtest --judge\` has asked for all hooks; nobody is told of it`]
      : []),
  ];
}

function describeStart(times: readonly (string | null)[]): string {
  const first = findEarliest(times);
  return first === null ? "none" : `since ${formatTime(first)}`;
}
