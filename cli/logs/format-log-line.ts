import { isTime } from "../../lib/io/time.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { parseRow } from "../../lib/transcript/row.ts";
import { formatTime, paint } from "../plain-text.ts";

const LEVEL_WIDTH = "error".length;
/** The longest of today's events. Lines are printed as they come, so no later one can widen the column. */
const EVENT_WIDTH = "janitor:reclaimed".length;

const colors: ReadonlyMap<string, "red" | "yellow"> = new Map([
  ["error", "red"],
  ["warn", "yellow"],
]);

/**
 * One line of judge.log for a person: `2026-01-31 09:30:00Z  info   job:start          some-id  hook=by-hand attempt=1`.
 * What is no line of ours is given as it is. Characters that a terminal would obey are taken out of both.
 */
export function formatLogLine(line: string, color: boolean): string {
  const { at, level, event, id, message, ...fields } = parseRow(line) ?? {};
  if (!isTime(at) || typeof level !== "string" || typeof event !== "string") return toPlainLine(line);
  const shownLevel = toPlainLine(level).padEnd(LEVEL_WIDTH);
  const style = color ? colors.get(level) : undefined;
  const cells = [
    formatTime(at),
    style === undefined ? shownLevel : paint(style, shownLevel),
    toPlainLine(event).padEnd(EVENT_WIDTH),
    formatValue(id),
    Object.entries(fields).map(formatField).join(" "),
    formatText(message),
  ];
  return cells
    .filter((cell) => cell !== "")
    .join("  ")
    .trimEnd();
}

function formatField([key, value]: readonly [string, unknown]): string {
  const text = formatValue(value);
  return `${toPlainLine(key)}=${/^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)}`;
}

function formatValue(value: unknown): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(formatText).join(", ");
  return value === null ? "-" : formatText(value);
}

function formatText(value: unknown): string {
  if (value === undefined) return "";
  return toPlainLine(typeof value === "string" ? value : JSON.stringify(value));
}
