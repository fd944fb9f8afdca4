import type { Verb } from "./verbs.ts";

/** The list of verbs. */
export function formatHelp(verbs: readonly Verb[], version: string): string {
  const rows = verbs.map(({ name, summary }) => [name, summary] as const);
  return [
    `catstack ${version}: keeps coding agents honest`,
    "",
    "Usage: catstack VERB [OPTION...]",
    "",
    ...formatColumns(rows),
    "",
    "`catstack help VERB` and `catstack VERB --help` tell a verb's options, `catstack version` which one this is.",
    "Exit codes: 0 fine, 1 findings or a failed check, 2 wrong usage; from `watch` also 70 a mistake of its own, 75 a passing",
    "fault or a new version (start it again), 77 a state directory that cannot be written, 78 broken settings or a state",
    "directory that is none.",
  ].join("\n");
}

/** One verb's usage. */
export function formatVerbHelp({ name, usage, summary, options }: Verb): string {
  const call = ["catstack", name, ...(usage === "" ? [] : [usage])].join(" ");
  return [`Usage: ${call}`, "", `  ${summary}`, ...(options.length === 0 ? [] : ["", ...formatColumns(options)])].join(
    "\n",
  );
}

function formatColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}
