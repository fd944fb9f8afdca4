import type { Scope } from "./check.ts";
import { findFlag } from "./flag-table.ts";
import { parseArgs } from "./flags.ts";
import { callFromWords, type Call } from "./shell/call.ts";
import { parsePackageCall } from "./shell/package-managers.ts";
import { findCalls, getMatchers } from "./tools/calls.ts";
import type { Match, Tool } from "./tools/tool.ts";

export interface Recognised {
  readonly tool: Tool;
  readonly scope: Scope;
  /** What a person calls the tool, where that is not its name in the scope. */
  readonly shown?: string;
}

/** The check one program call makes; undefined when it makes none. */
export function recognise(call: Call): Recognised | undefined {
  for (const candidate of selectCandidates(call)) {
    const found = readCandidate(candidate, call);
    if (found === "inert") return undefined;
    if (found !== "plain") return found;
  }
  return undefined;
}

/** What the call may be, the longest name first. */
export function selectCandidates(call: Call): readonly Candidate[] {
  return findCandidates(findProjectProgram(call) ?? call);
}

/**
 * The check, if the call is this one. `plain`: the flag that makes the tool check is missing, it may be another tool of that name. `inert`: its
 * words say that nothing is checked.
 */
export function readCandidate({ tool, match }: Candidate, call: Call): Recognised | "plain" | "inert" {
  const args = parseArgs(match.args, match.cwd, tool);
  if (tool.onlyWith !== undefined && !tool.onlyWith.some((flag) => args.flags.has(flag))) return "plain";
  if (args.inert || [match.args[0], ...args.project].some((word) => tool.not?.includes(word ?? "") === true))
    return "inert";
  const { cwd, filters } = args;
  const config = [...args.config, ...call.env.filter((each) => tool.env?.test(each.split("=", 1)[0] ?? "") === true)];
  const files = [...(match.files ?? []), ...args.files];
  const project = [...match.project, ...args.project];
  const scope = { tool: match.name, cwd, project, files, filters, config };
  return match.shown === undefined ? { tool, scope } : { tool, scope, shown: match.shown };
}

/** `yarn vitest run`: no script of that name need exist, a program of the project does. */
function findProjectProgram(call: Call): Call | undefined {
  const packaged = parsePackageCall(call);
  if (packaged?.kind !== "script" || !packaged.mayBeProgram) return undefined;
  const inner = callFromWords([packaged.name, ...packaged.args], packaged.call);
  return inner !== undefined && findCandidates(inner).length > 0 ? inner : undefined;
}

/** A tool that a call may be, and how the call matched it. */
export interface Candidate {
  readonly tool: Tool;
  readonly match: Match;
}

/** What the call may be, the longest name first; matchers are only asked when no name fits. */
function findCandidates(call: Call): readonly Candidate[] {
  const named: Candidate[] = [];
  for (const { tool, words } of findCalls(call.program)) {
    const match = matchWords(call, words, tool);
    if (match !== undefined) named.push({ tool, match });
  }
  return named.length > 0 ? named : findByMatch(call);
}

function findByMatch(call: Call): readonly Candidate[] {
  for (const [tool, matcher] of getMatchers()) {
    const match = matcher.find(call);
    if (match !== undefined) return [{ tool, match }];
  }
  return [];
}

/** Flags may stand before a sub-command: `cargo +nightly -q test`. They stay part of the arguments. */
function matchWords(call: Call, words: readonly string[], tool: Tool): Match | undefined {
  const args = [...call.args];
  let at = 0;
  for (const word of words) {
    while (/^[-+]./.test(args[at] ?? "")) at += takesNext(args[at] ?? "", tool) ? 2 : 1;
    if (args[at] !== word) return undefined;
    args.splice(at, 1);
  }
  const name = tool.eachCall === true ? [call.program, ...words].join(" ") : tool.id;
  return { name, args, cwd: call.cwd, project: call.project };
}

function takesNext(flag: string, tool: Tool): boolean {
  return !flag.includes("=") && findFlag(flag, tool.flags, tool.sharedFlags)?.takesValue === true;
}
