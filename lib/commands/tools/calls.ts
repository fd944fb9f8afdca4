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
