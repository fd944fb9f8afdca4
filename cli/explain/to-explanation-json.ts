import type { ExplainedStep, Explanation } from "../../lib/commands/explain/explain-command.ts";
import type { Lines } from "../../lib/commands/tools/tool.ts";

/** An explanation for programs; patterns as their sources. */
export function toExplanationJson(command: string, cwd: string, { turnedAway, steps, verdict }: Explanation): object {
  const checks = steps.filter((step) => "check" in step).length;
  return { command, cwd, verifier: checks > 0, turnedAway, steps: steps.map(toStepJson), verdict };
}

function toStepJson(step: ExplainedStep): object {
  if ("refusal" in step) return step;
  const { written, call, cwd, check, tool, reading } = step;
  const { id, kind, silent, statusless, runsOthers, nothingStatus, lines } = tool;
  return {
    written,
    call,
    cwd,
    check,
    tool: { id, kind, silent, statusless, runsOthers, nothingStatus, lines: toSources(lines) },
    reading,
  };
}

function toSources(lines: Lines): Readonly<Record<string, readonly string[]>> {
  const entries = Object.entries(lines).map(([says, patterns]: [string, readonly RegExp[]]): [string, string[]] => [
    says,
    patterns.map(({ source }) => source),
  ]);
  return Object.fromEntries(entries);
}
