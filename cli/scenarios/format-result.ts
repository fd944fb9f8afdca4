import { clipText } from "../../lib/cut-text.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { paint } from "../plain-text.ts";
import type { Difference } from "./compare.ts";
import type { ClientResult } from "./run-stories.ts";

const MAX_LINE = 400;

/** A line a story; of one that went otherwise, the differences below it. */
export function formatResult(name: string, results: readonly ClientResult[], color: boolean): string {
  const failed = results.filter(({ differences }) => differences.length > 0);
  const clients = results.map(({ client }) => client).join(", ");
  const word = failed.length === 0 ? "ok  " : "FAIL";
  const shown = color ? paint(failed.length === 0 ? "green" : "red", word) : word;
  return [
    `${shown}  ${toPlainLine(name)} (${clients})`,
    ...failed.flatMap(({ client, differences }) =>
      differences.flatMap((each) => formatDifference(client, each, color)),
    ),
  ].join("\n");
}

function formatDifference(client: string, { turn, what, expected, got }: Difference, color: boolean): string[] {
  const list = (sign: "-" | "+", word: string, texts: readonly string[]): string[] =>
    (texts.length === 0 ? ["nothing"] : texts).map((text) => {
      const line = `      ${sign} ${word} ${clip(toPlainLine(text))}`;
      return color ? paint(sign === "-" ? "red" : "green", line) : line;
    });
  return [`      ${client}, turn ${turn}: ${what}`, ...list("-", "expected", expected), ...list("+", "got     ", got)];
}

function clip(text: string): string {
  return clipText(text, MAX_LINE);
}
