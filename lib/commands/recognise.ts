import type { Scope } from "./check.ts";
import { findFlag } from "./flag-table.ts";
import { parseArgs } from "./flags.ts";
import type { Call } from "./shell/call.ts";
import { tools } from "./tools/index.ts";
import type { Match, Tool } from "./tools/tool.ts";

export interface Recognised {
  readonly tool: Tool;
  readonly scope: Scope;
}

/** The check one program call makes; undefined when it makes none. */
export function recognise(call: Call): Recognised | undefined {
  const found = findTool(call);
  if (found === undefined) return undefined;
  const { tool, match } = found;
  const args = parseArgs(match.args, match.cwd, tool);
  if (args.inert || tool.not?.includes(match.args[0] ?? "") === true) return undefined;
  if (tool.onlyWith !== undefined && !tool.onlyWith.some((flag) => args.flags.has(flag))) return undefined;
  const { cwd, files, filters, config } = args;
  return {
    tool,
    scope: { tool: match.name, cwd, project: [...match.project, ...args.project], files, filters, config },
  };
}

interface Found {
  readonly tool: Tool;
  readonly match: Match;
}

function findTool(call: Call): Found | undefined {
  let best: Found | undefined;
  let longest = 0;
  for (const tool of tools) {
    for (const words of tool.calls) {
      const length = words.split(" ").length;
      const match = length > longest ? matchWords(call, words.split(" "), tool) : undefined;
      if (match === undefined) continue;
      best = { tool, match };
      longest = length;
    }
  }
  return best ?? findByMatch(call);
}

function findByMatch(call: Call): Found | undefined {
  for (const tool of tools) {
    const match = tool.match?.find(call);
    if (match !== undefined) return { tool, match };
  }
  return undefined;
}

/** Flags may stand before a sub-command: `cargo +nightly -q test`. They stay part of the arguments. */
function matchWords(call: Call, words: readonly string[], tool: Tool): Match | undefined {
  if (call.program !== words[0]) return undefined;
  const args = [...call.args];
  let at = 0;
  for (const word of words.slice(1)) {
    while (/^[-+]./.test(args[at] ?? "")) at += takesNext(args[at] ?? "", tool) ? 2 : 1;
    if (args[at] !== word) return undefined;
    args.splice(at, 1);
  }
  return { name: tool.id, args, cwd: call.cwd, project: call.project };
}

function takesNext(flag: string, tool: Tool): boolean {
  return !flag.includes("=") && findFlag(flag, tool.flags, tool.sharedFlags)?.takesValue === true;
}
