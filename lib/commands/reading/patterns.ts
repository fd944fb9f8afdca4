import type { Check } from "../check.ts";
import { tools } from "../tools/index.ts";
import { findKind } from "../tools/names.ts";
import type { Lines, Tool } from "../tools/tool.ts";

/** The table entry that recognised a check; undefined for a check of another version. */
export function findTool(check: Check): Tool | undefined {
  return tools.find((tool) => tool.id === check.tool);
}

/**
 * The patterns an output is held against for one check of a line. A check that runs other tools may print what any of them
 * prints; but not of a tool that the line calls by itself, and beside others of its sort only of the kind its name speaks of.
 */
export function getPatterns(check: Check, checks: readonly Check[]): Lines {
  const tool = findTool(check);
  if (tool === undefined) return {};
  if (tool.runsOthers !== true) return tool.lines;
  const named = tool.linesOf?.(check.target.scope.tool) ?? {};
  const others = checks.filter((other) => other !== check);
  const inner =
    others.length === 0 ? (everyLine ??= joinLines(tools.filter(isReadable))) : joinLines(selectTools(check, others));
  return { ...inner, fail: [...(named.fail ?? []), ...(inner.fail ?? [])] };
}

let everyLine: Lines | undefined;

/** What a tool without a meaningful status prints is too loose to be found in any output. */
function isReadable(tool: Tool): boolean {
  return tool.statusless !== true;
}

function selectTools(check: Check, others: readonly Check[]): readonly Tool[] {
  const direct = others.map((other) => other.tool);
  const isAlone = others.every((other) => findTool(other)?.runsOthers !== true);
  const kind = isAlone ? undefined : findKind(check.target.scope.tool);
  return tools.filter((tool) => {
    if (!isReadable(tool)) return false;
    if (tool.runsOthers === true) return isAlone;
    return !direct.includes(tool.id) && (kind === undefined || tool.kind === undefined || tool.kind === kind);
  });
}

function joinLines(all: readonly Tool[]): Lines {
  return {
    fail: all.flatMap(({ lines }) => lines.fail ?? []),
    pass: all.flatMap(({ lines }) => lines.pass ?? []),
    problem: all.flatMap(({ lines }) => [...(lines.problem ?? []), ...(lines.loose ?? [])]),
    nothing: all.flatMap(({ lines }) => lines.nothing ?? []),
  };
}
