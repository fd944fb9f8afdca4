import type { DeadEntry, DeadKind } from "../../judge/dead/list-dead.ts";
import type { Requeued } from "../../judge/dead/requeue-dead.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { formatAge, formatTime, getWidth, paint, toCell } from "../plain-text.ts";

const kinds: Readonly<Record<DeadKind, string>> = {
  file: "a file",
  folder: "a folder",
  link: "a symbolic link, which is never followed",
  pipe: "a named pipe",
  socket: "a socket",
  device: "a device",
  nothing: "nothing but its reason",
};

/** `bad.json  3 h  invalid  expected ...`, one a line. */
export function formatList(entries: readonly DeadEntry[], now: Date, color: boolean): string[] {
  if (entries.length === 0) return ["nothing is dead"];
  const rows = entries.map(({ file, at, kind, reason }) => {
    const age = formatAge(now.getTime() - at.getTime());
    const text = reason?.reason ?? `no reason was written; it is ${kinds[kind]}`;
    return { cells: [toPlainLine(file), age, toCell(reason?.code ?? "-")], text: toPlainLine(text) };
  });
  const widths = [0, 1, 2].map((column) => getWidth(rows.map(({ cells }) => cells[column])));
  return rows.map(({ cells, text }) => {
    const padded = cells.map((cell, column) => {
      const padding = cell.padEnd(widths[column] ?? 0);
      return color && column === 2 ? paint("red", padding) : padding;
    });
    return [...padded, text].join("  ");
  });
}

/** What is known of one, and its content as far as it was read (`shown` bytes of it at most). */
export function formatEntry(entry: DeadEntry, content: string | undefined, shown: number): string[] {
  const { file, path, kind, bytes, at, reason } = entry;
  const rows: (readonly [string, string | undefined])[] = [
    ["file", file],
    ["died", formatTime(at.toISOString())],
    ["code", reason?.code ?? "-"],
    ["reason", reason?.reason ?? "no reason was written"],
    ["from", reason?.from],
    ["verdict", reason?.verdictId],
    ["is", kind === "file" ? `${kinds.file} of ${bytes} bytes` : kinds[kind]],
    ["path", path],
  ];
  const head = rows.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(12)}${toPlainLine(value)}`],
  );
  if (content === undefined) return head;
  const lines = content
    .replace(/\r?\n$/, "")
    .split("\n")
    .map(toPlainText);
  return [...head, "", ...lines, ...(bytes > shown ? ["", `the first ${shown} of ${bytes} bytes`] : [])];
}

/** As `toPlainLine`, but indented as it was. */
function toPlainText(line: string): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  return `${indent.replaceAll("\t", "  ")}${toPlainLine(line)}`.trimEnd();
}

/** For a program. */
export function toJson({ file, kind, bytes, at, reason }: DeadEntry): Record<string, unknown> {
  return {
    file,
    kind,
    bytes,
    at: at.toISOString(),
    code: reason?.code ?? null,
    reason: reason?.reason ?? null,
    from: reason?.from ?? null,
    verdict: reason?.verdictId ?? null,
  };
}

/** What became of one that was to go back. */
export function formatRequeued(file: string, requeued: Requeued): string {
  const name = toPlainLine(file);
  if (requeued.is === "refused") return `kept ${name}: ${toPlainLine(requeued.reason)}`;
  const { id } = requeued;
  if (requeued.is === "judged") return `removed ${name}: it was requeued before, and ${id} has its verdict`;
  const because = requeued.changes.length === 0 ? "" : `: ${requeued.changes.map(toPlainLine).join("; ")}`;
  return `requeued ${name} as ${id}${because}`;
}
