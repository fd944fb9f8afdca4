import type { Start } from "./budget.ts";

const LINE = /^(?<at>\d{1,16})(?: (?<name>[0-9a-f]{16}) (?<hook>[0-9a-f]{16}))?$/;
const TAKEN_BACK = /^x (?<name>[0-9a-f]{16})$/;

/**
 * The starts after some more lines of a file: `<ms> <name> <hook>` counts one, `x <name>` takes it back, and a time alone is one of an older
 * build. What is neither, such as a line that was cut off, counts for nothing. Pure.
 */
export function addLines(starts: readonly Start[], text: string): Start[] {
  const all = [...starts];
  for (const line of text.split("\n")) {
    const takenBack = TAKEN_BACK.exec(line)?.groups?.["name"];
    if (takenBack !== undefined) {
      const index = all.findLastIndex(({ name }) => name === takenBack);
      if (index !== -1) all.splice(index, 1);
      continue;
    }
    const { at, name = null, hook = null } = LINE.exec(line)?.groups ?? {};
    if (at !== undefined) all.push({ at: Number(at), name, hook });
  }
  return all;
}
