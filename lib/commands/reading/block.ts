import { withoutRunnerPrefix } from "./text.ts";

/** Lines of output, made ready once to be held against many patterns. */
export interface Block {
  /** As printed, and the same without the name that a runner puts before it. Empty lines are left out. */
  readonly lines: readonly (readonly [line: string, bare: string])[];
  /** All lines. */
  readonly text: string;
  /** The first characters of lines, in both forms. */
  readonly starts: ReadonlySet<string>;
}

export function makeBlock(lines: readonly string[]): Block {
  const starts = new Set<string>();
  const pairs: [line: string, bare: string][] = [];
  for (const line of lines) {
    if (line === "") continue;
    const bare = withoutRunnerPrefix(line);
    pairs.push([line, bare]);
    starts.add(line.charAt(0));
    if (bare !== line) starts.add(bare.charAt(0));
  }
  return { lines: pairs, text: lines.join("\n"), starts };
}
