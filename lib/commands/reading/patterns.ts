import type { Check } from "../check.ts";
import { tools } from "../tools/index.ts";
import { findKind } from "../tools/names.ts";
import type { Lines, Tool } from "../tools/tool.ts";

/** The table entry that recognised a check; undefined for a check of another version. */
export function findTool(check: Check): Tool | undefined {
  byId ??= new Map(tools.map((tool) => [tool.id, tool]));
  return byId.get(check.tool);
}

let byId: ReadonlyMap<string, Tool> | undefined;

/**
 * The patterns an output is held against for one check of a line. A check that runs other tools may print what any of them
 * prints; but not of a tool that the line calls by itself, and beside others of its sort only of the kind its name speaks of.
 */
export function getPatterns(check: Check, checks: readonly Check[]): Lines {
  const tool = findTool(check);
  if (tool === undefined) return {};
  if (tool.runsOthers !== true) return tool.lines;
  const others = checks.filter((other) => other !== check);
  const key = JSON.stringify([tool.id, check.target.scope.tool, ...others.map((other) => other.tool)]);
  let lines = runnerLines.get(key);
  if (lines === undefined) {
    lines = getRunnerLines(tool, check, others);
    runnerLines.set(key, lines);
  }
  return lines;
}

/** By the names of the checks in a line: the same lists, so that they are indexed once. */
const runnerLines = new Map<string, Lines>();

function getRunnerLines(tool: Tool, check: Check, others: readonly Check[]): Lines {
  const named = tool.linesOf?.(check.target.scope.tool) ?? {};
  const inner = joinLines(others.length === 0 ? tools.filter(isReadable) : selectTools(check, others));
  return { ...inner, fail: [...(named.fail ?? []), ...(inner.fail ?? [])] };
}

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
    fail: joinPatterns(all, ({ lines }) => lines.fail ?? []),
    pass: joinPatterns(all, ({ lines }) => lines.pass ?? []),
    problem: joinPatterns(all, ({ lines }) => [...(lines.problem ?? []), ...(lines.loose ?? [])]),
    nothing: joinPatterns(all, ({ lines }) => lines.nothing ?? []),
  };
}

/** Each once: tools of one family share their patterns. */
function joinPatterns(all: readonly Tool[], of: (tool: Tool) => readonly RegExp[]): readonly RegExp[] {
  return [...new Set(all.flatMap(of))];
}
