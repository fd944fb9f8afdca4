import { withoutRunnerPrefix } from "./text.ts";

/** Lines of output, made ready once to be held against many patterns. */
export interface Block {
  /** As printed, and the same without the name that a runner puts before it. Empty lines are left out. */
  readonly lines: readonly BlockLine[];
  /** All lines. */
  readonly text: string;
  /** The first characters of lines, in both forms. */
  readonly starts: ReadonlySet<string>;
}

interface BlockLine {
  readonly line: string;
  readonly bare: string;
}

export function makeBlock(lines: readonly string[]): Block {
  const starts = new Set<string>();
  const made: BlockLine[] = [];
  for (const line of lines) {
    if (line === "") continue;
    const bare = withoutRunnerPrefix(line);
    made.push({ line, bare });
    starts.add(line.charAt(0));
    if (bare !== line) starts.add(bare.charAt(0));
  }
  return { lines: made, text: lines.join("\n"), starts };
}
