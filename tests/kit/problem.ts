/** Something that is not as it has to be. Values are shown as JSON; `undefined` is nothing at all. */
export interface Problem {
  /** What was looked at, such as `advice[0].data.target`. */
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** The problems of one case, or of all together. */
export interface Finding {
  /** Such as "silent: a check that passes twice". */
  readonly where: string;
  readonly problems: readonly Problem[];
}

/** Three lines for a problem: what was looked at, then `-` what was expected and `+` what came. */
export function formatProblem({ what, expected, got }: Problem): string {
  return `  ${what}\n${formatSide("-", expected)}\n${formatSide("+", got)}`;
}

/** A finding as a person reads it. */
export function formatFinding({ where, problems }: Finding): string {
  return [where, ...problems.map(formatProblem)].join("\n");
}

function formatSide(sign: "-" | "+", value: unknown): string {
  const text = typeof value === "string" || value === undefined ? (value ?? "nothing") : JSON.stringify(value);
  const lines = typeof value === "string" ? JSON.stringify(text).slice(1, -1).split("\\n") : [text];
  return lines.map((line) => `  ${sign} ${line}`).join("\n");
}
