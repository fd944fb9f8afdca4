import type { Check } from "./check.ts";
import type { Step } from "./shell/walk.ts";

/** Where a line shows stored text, seen from one of its checks. */
export type StoredText = NonNullable<Check["storedText"]>;

const readers = /^(?:bat|cat|head|less|more|nl|tac|tail)$/;
const searchers = /^(?:[ef]?grep|ag|awk|rg|sed)$/;

/**
 * Where a line shows the text of files beside the output of the step at a position: an old log may hold the summary of another run.
 * A file that the line names twice is a log that it writes and shows, and where a step writes to a file its text may be that.
 */
export function findStoredText(steps: readonly Step[], at: number, source: string): StoredText | undefined {
  const before = steps.some((step, place) => place < at && showsFile(step, source));
  const after = steps.some((step, place) => place > at && showsFile(step, source));
  if (before && after) return "around";
  if (before) return "before";
  return after ? "after" : undefined;
}

function showsFile({ call, view }: Step, source: string): boolean {
  if (view === "absent") return false;
  const isSearch = searchers.test(call.program);
  if (!isSearch && !readers.test(call.program)) return false;
  if (isSearch && call.args.some((arg) => /^-[ef]/.test(arg))) return false;
  const operands = call.args.filter((arg) => !/^-|^\d+$/.test(arg));
  const files = isSearch ? operands.slice(1) : operands;
  return files.some((file) => source.indexOf(file) === source.lastIndexOf(file));
}
