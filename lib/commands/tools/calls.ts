import { tools } from "./index.ts";
import type { Matcher, Tool } from "./tool.ts";

export interface KnownCall {
  readonly tool: Tool;
  /** The sub-commands behind the program. */
  readonly words: readonly string[];
}

let index: ReadonlyMap<string, readonly KnownCall[]> | undefined;

/** The calls of all tools that begin with a program, the longest first. The index is made when it is first asked. */
export function findCalls(program: string): readonly KnownCall[] {
  index ??= indexCalls();
  return index.get(program) ?? [];
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
  for (const known of calls.values()) known.sort((a, b) => b.words.length - a.words.length);
  return calls;
}

let matchers: readonly (readonly [Tool, Matcher])[] | undefined;

/** The few tools with a matcher, in their order. */
export function getMatchers(): readonly (readonly [Tool, Matcher])[] {
  matchers ??= tools.flatMap((tool) => (tool.match === undefined ? [] : [[tool, tool.match] as const]));
  return matchers;
}
