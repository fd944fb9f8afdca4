import { tools } from "./index.ts";
import type { Tool } from "./tool.ts";

export interface KnownCall {
  readonly tool: Tool;
  /** The sub-commands behind the program. */
  readonly words: readonly string[];
}

let index: ReadonlyMap<string, readonly KnownCall[]> | undefined;

/** The calls of all tools that begin with a program. The index is made when it is first asked. */
export function findCalls(program: string): readonly KnownCall[] {
  index ??= indexCalls();
  return index.get(program) ?? [];
}

let programs: ReadonlySet<string> | undefined;

/** Whether the calls of some tool begin with a program, by name or by a matcher's list. */
export function isKnownProgram(program: string): boolean {
  programs ??= new Set(tools.flatMap(({ calls, match }) => [...calls.map(getProgram), ...(match?.programs ?? [])]));
  return programs.has(program);
}

function getProgram(call: string): string {
  return call.split(" ", 1)[0] ?? "";
}

let hints: readonly RegExp[] | undefined;

/** Whether a line, in small letters, may hold a call that some matcher without a list of programs finds. */
export function hasHint(line: string): boolean {
  hints ??= tools.flatMap(({ match }) => match?.hint ?? []);
  return hints.some((hint) => hint.test(line));
}

function indexCalls(): ReadonlyMap<string, readonly KnownCall[]> {
  const calls = new Map<string, KnownCall[]>();
  for (const tool of tools) {
    for (const [program = "", ...words] of tool.calls.map((text) => text.split(" "))) {
      const known = calls.get(program);
      if (known === undefined) calls.set(program, [{ tool, words }]);
      else known.push({ tool, words });
    }
  }
  return calls;
}
