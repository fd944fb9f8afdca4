import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ID_PATTERN } from "../inbox-schema/fields.ts";
import type { Outcome, Verdict } from "../inbox-schema/verdict.ts";
import { isDelivered, listVerdicts, readVerdict } from "../judge/outbox.ts";
import type { StatePaths } from "../lib/io/paths.ts";
import { getTranscriptKey } from "../lib/io/transcript-key.ts";
import { toPlainLine } from "../lib/plain-line.ts";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { formatTime, paint } from "./plain-text.ts";
import { openStateDir } from "./state-dir.ts";

const colors: Readonly<Record<Outcome, "red" | "green" | "yellow">> = {
  hit: "red",
  clean: "green",
  unchecked: "yellow",
};

/** `catstack verdicts [ID] [--json] [--limit N] [--transcript PATH]`: newest first, or one in full. */
export async function verdicts(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      limit: { type: "string", default: "20" },
      transcript: { type: "string" },
    },
  });
  const [id, ...others] = positionals;
  if (others.length > 0) throw new UsageError(`expected one id at most, got ${positionals.length}`);
  const paths = openStateDir(io.env);
  if (id !== undefined) {
    const verdict = getVerdict(id, paths);
    for (const line of values.json ? [JSON.stringify(verdict)] : formatVerdict(verdict, paths)) io.out(line);
    return 0;
  }
  const key = values.transcript === undefined ? undefined : getTranscriptKey(resolve(io.cwd, values.transcript));
  const { found, broken } = listVerdicts(paths, parseLimit(values.limit), key);
  for (const { path, reason } of broken) io.err(`catstack verdicts: ${path}: ${reason}`);
  if (values.json) io.out(JSON.stringify(found));
  else for (const line of formatList(found, io.color)) io.out(line);
  return 0;
}

function getVerdict(id: string, paths: StatePaths): Verdict {
  const verdict = ID_PATTERN.test(id) ? readVerdict(paths, id) : undefined;
  if (verdict === undefined)
    throw new Failure(`expected the id of a verdict, got ${JSON.stringify(id)}; \`catstack verdicts\` lists them`);
  return verdict;
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new UsageError(`expected --limit to be a number from 1, got ${JSON.stringify(text)}`);
  return Number(text);
}

/** `2026-01-31 09:30:00Z  hit        hook-name  codex  reason`, one verdict a line. */
function formatList(found: readonly Verdict[], color: boolean): string[] {
  if (found.length === 0) return ["no verdicts"];
  const rows = found.map(({ id, finished_at, outcome, hook, runner, reason }) => {
    const cells = [formatTime(finished_at), outcome, toPlainLine(hook), toPlainLine(runner ?? "-"), id];
    return { outcome, cells, reason: toPlainLine(reason) };
  });
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...rows.map(({ cells }) => cells[column]?.length ?? 0)));
  return rows.map(({ outcome, cells, reason }) => {
    const padded = cells.map((cell, column) => {
      const text = cell.padEnd(widths[column] ?? 0);
      return color && column === 1 ? paint(colors[outcome], text) : text;
    });
    return [...padded, reason].join("  ");
  });
}

function formatVerdict(verdict: Verdict, paths: StatePaths): string[] {
  const { id, outcome, reason, report, hook, rule_id, runner, mode, on_hit, transcript, answer, attempts } = verdict;
  const rows: (readonly [string, string | undefined])[] = [
    ["id", id],
    ["outcome", outcome],
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
    ["delivery", outcome === "clean" ? "nothing to say" : isDelivered(paths, id) ? "done" : "on the next prompt"],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(12)}${toPlainLine(value)}`]));
}
