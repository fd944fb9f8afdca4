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

/** What was looked at, then behind `-` what was expected and behind `+` what came. */
export function formatProblem({ what, expected, got }: Problem): string {
  const sides = [show(expected), show(got)];
  const [minus = "", plus = ""] = sides[0] === sides[1] ? [expected, got].map((side) => JSON.stringify(side)) : sides;
  return [`  ${what}`, ...sign("-", minus), ...sign("+", plus)].join("\n");
}

/** A finding as a person reads it. */
export function formatFinding({ where, problems }: Finding): string {
  return [where, ...problems.map(formatProblem)].join("\n");
}

/** A text as it is, unless something in it would not be seen. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const isPlain =
    typeof value === "string" && value !== "" && value === value.trim() && !/(?!\n)[\p{Cc}\p{Cf}]/u.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function sign(mark: "-" | "+", text: string): readonly string[] {
  return text.split("\n").map((line) => `  ${mark} ${line}`);
}
