import { toPlainLine } from "../../lib/plain-line.ts";
import { paint } from "../plain-text.ts";
import type { Check, Level } from "./check.ts";

const words: Readonly<Record<Level, string>> = { ok: "ok", warn: "warn", fail: "FAIL", unknown: "unknown" };
const colors = { ok: "green", warn: "yellow", fail: "red", unknown: "yellow" } as const;

/** A line a check, aligned, the mend behind what was found; then how many there are of each. */
export function formatChecks(checks: readonly Check[], color: boolean): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, level, says, mend }) => {
    const word = words[level].padEnd(7);
    const text = toPlainLine(mend === undefined ? says : `${says}; ${mend}`);
    return `${color ? paint(colors[level], word) : word}  ${name.padEnd(width)}  ${text}`;
  });
  return [...lines, "", summarise(checks)];
}

/** `12 ok, 1 warn, 1 FAIL`. */
function summarise(checks: readonly Check[]): string {
  const count = (level: Level) => checks.filter((check) => check.level === level).length;
  const counts = (["ok", "warn", "unknown", "fail"] as const).map((level) => [count(level), words[level]] as const);
  return counts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(", ");
}

/** Whether the machine is to hear of it. */
export function hasFailed(checks: readonly Check[]): boolean {
  return checks.some(({ level }) => level === "fail");
}
