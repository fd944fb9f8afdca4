/** One figure; `budget` where the project promises one: the value may be as large and no larger. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit:
    | "ms"
    | "s"
    | "jobs"
    | "runs"
    | "verdicts"
    | "files"
    | "processes"
    | "times"
    | "MB"
    | "%"
    | "% of a core"
    | "x";
  readonly budget?: number;
  /** What makes up a value over its budget, for whoever has to find out why. */
  readonly examples?: readonly string[];
}

/** So many examples are printed. */
const MAX_EXAMPLES = 5;

/** A promise that there is none of something: its value is their number, its budget 0. */
export function countNone(name: string, unit: Figure["unit"], found: readonly string[]): Figure {
  return { name, value: found.length, unit, budget: 0, examples: found };
}

export function isMet({ value, budget = Infinity }: Figure): boolean {
  return value <= budget;
}

/** One aligned line, and for a budget that is not met the first examples below it. */
export function formatFigure(figure: Figure): string {
  const { name, value, unit, budget, examples = [] } = figure;
  const digits = ["x", "% of a core", "%"].includes(unit) ? 2 : unit === "MB" || unit === "s" ? 1 : 0;
  const verdict = budget === undefined ? "" : `  budget ${budget} ${unit}: ${isMet(figure) ? "met" : "NOT MET"}`;
  const line = `${name.padEnd(60)} ${value.toFixed(digits).padStart(8)} ${unit}${verdict}`;
  return [line, ...(isMet(figure) ? [] : examples.slice(0, MAX_EXAMPLES).map((example) => `    ${example}`))].join(
    "\n",
  );
}

/** The value that this share of the values does not exceed; NaN where there are none. */
export function getQuantile(values: readonly number[], quantile: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}
