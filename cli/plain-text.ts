import { styleText } from "node:util";
import { clipText } from "../lib/cut-text.ts";
import { toPlainLine } from "../lib/plain-line.ts";

/** Paints a text; whether colour may be used is for the caller to know, and not looked up again. */
export function paint(color: "red" | "green" | "yellow", text: string): string {
  return styleText(color, text, { validateStream: false });
}

/** `12 s`, `3 min`, `5 h`, `4 d`. Never negative: clocks differ. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** A time of ISO 8601 in UTC, to the second: `2026-01-31 09:30:00Z`. */
export function formatTime(iso: string): string {
  return new Date(iso).toISOString().replace("T", " ").replace(/\.\d+/, "");
}

/** A hook and its rule have no more; a name that others chose may have any length, and every row would be as wide. */
const MAX_CELL = 60;

/** A name in a column: one line, and a long one cut. */
export function toCell(text: string): string {
  return clipText(toPlainLine(text), MAX_CELL);
}

/** How wide a column of these texts is, however many they are. */
export function getWidth(cells: readonly (string | undefined)[]): number {
  return cells.reduce((width, cell = "") => Math.max(width, cell.length), 0);
}
