import type { Outcome, Verdict } from "../../inbox-schema/verdict.ts";
import type { Label } from "../../judge/labels.ts";
import { clipText } from "../../lib/cut-text.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { BACKTEST } from "../backtest/name.ts";
import { formatTime, getWidth, paint, toCell } from "../plain-text.ts";

const colors: Readonly<Record<Outcome, "red" | "green" | "yellow">> = {
  hit: "red",
  clean: "green",
  unchecked: "yellow",
};

/** A verdict and what a person said of it. */
export interface Labelled {
  readonly verdict: Verdict;
  readonly label: Label | undefined;
}

/** What the agent is told may have 1,000 characters; all of it stands in the verdict's own view. */
const MAX_SAID = 160;

/** `2026-01-31 09:30:00Z  hit (wrong)  hook-name  codex  id  what it says`, one verdict a line: a hit's finding, the reason of others. */
export function formatList(found: readonly Labelled[], color: boolean): string[] {
  if (found.length === 0) return ["no verdicts"];
  const rows = found.map(({ verdict, label }) => {
    const { id, finished_at, outcome, runner } = verdict;
    const shown = label === undefined ? outcome : `${outcome} (${label.label})`;
    const cells = [formatTime(finished_at), shown, toCell(nameHook(verdict)), toCell(runner ?? "-"), id];
    return { outcome, cells, says: getFinding(verdict) };
  });
  const widths = [0, 1, 2, 3, 4].map((column) => getWidth(rows.map(({ cells }) => cells[column])));
  return rows.map(({ outcome, cells, says }) => {
    const padded = cells.map((cell, column) => {
      const text = cell.padEnd(widths[column] ?? 0);
      return color && column === 1 ? paint(colors[outcome], text) : text;
    });
    return [...padded, says].join("  ");
  });
}

function getFinding({ outcome, on_hit, reason }: Verdict): string {
  if (outcome !== "hit") return toPlainLine(reason);
  return clipText(toPlainLine(on_hit), MAX_SAID);
}

/** A backtest asks for all hooks: there the rule tells which. */
function nameHook({ hook, rule_id }: Verdict): string {
  return hook === BACKTEST && rule_id !== undefined ? `${hook} (${rule_id})` : hook;
}

/** All of one verdict, a field a line. */
export function formatVerdict({ verdict, label }: Labelled, isDelivered: boolean): string[] {
  const { id, outcome, reason, report, hook, rule_id, runner, mode, on_hit, transcript, answer, attempts } = verdict;
  const rows: (readonly [string, string | undefined])[] = [
    ["id", id],
    ["outcome", outcome],
    ["label", label && `${label.label}, as you said at ${formatTime(label.labelledAt)}`],
    ["reason", reason],
    ["report", report],
    ["hook", rule_id === undefined ? hook : `${hook} (${rule_id})`],
    ["runner", `${runner ?? "nobody"}, ${mode}`],
    ...attempts.map((attempt) => {
      const { runner, ok, reason, duration_ms } = attempt;
      return ["attempt", `${runner}: ${ok ? "" : "failed, "}${reason} (${(duration_ms / 1000).toFixed(1)} s)`] as const;
    }),
    ["answer", answer === null ? undefined : JSON.stringify(answer)],
    ["on a hit", on_hit],
    ["transcript", transcript],
    ["created", verdict.created_at],
    ["started", verdict.started_at],
    ["finished", verdict.finished_at],
    ["delivery", describeDelivery(verdict, isDelivered)],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(12)}${toPlainLine(value)}`]));
}

function describeDelivery({ outcome, hook, harness }: Verdict, isDelivered: boolean): string {
  if (outcome === "clean") return "nothing to say";
  if (harness === "cursor") return "to nobody, since Cursor has no way: read it here";
  if (hook === BACKTEST) return "to nobody, since a backtest asked";
  return isDelivered ? "done" : "on the next prompt";
}

/** As its file has it, and with `label` (`right` or `wrong`) where there is one. */
export function toVerdictJson({ verdict, label }: Labelled) {
  return label === undefined ? verdict : { ...verdict, label: label.label };
}
