import { parseArgs } from "node:util";
import type { Run } from "../judge/state/run-file.ts";
import { findStatusProblem, readStatus, type Status } from "../judge/status.ts";
import { toPlainLine } from "../lib/plain-line.ts";
import type { CliIo } from "./io.ts";
import { formatAge, paint } from "./plain-text.ts";
import { openStateDir } from "./state-dir.ts";
import { readDeadReasons, type DeadReason } from "./status/read-dead.ts";
import { readObserved, type Observed } from "./status/read-observed.ts";

interface Found extends Status {
  readonly deadReasons: readonly DeadReason[];
  readonly observed: readonly Observed[];
}

const SHOWN_DEAD = 2;

/** `catstack status [--json]`. 1 when jobs wait and nobody takes them, or a watcher gives no sign of life. */
export async function status(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: "boolean", default: false } } });
  const paths = openStateDir(io.env);
  const now = io.now();
  const found: Found = {
    ...readStatus(paths),
    deadReasons: readDeadReasons(paths.dead, SHOWN_DEAD),
    observed: readObserved(paths.observedLog),
  };
  const problem = findStatusProblem(found, now);
  if (values.json) io.out(JSON.stringify(toJson(found, paths.root, problem, now)));
  else for (const line of formatStatus(found, paths.root, problem, now, io.color)) io.out(line);
  return problem === undefined ? 0 : 1;
}

function toJson(
  { watchers, runs, counts, oldestJobAt, health, deadReasons, observed }: Found,
  root: string,
  problem: string | undefined,
  now: Date,
) {
  return {
    state_dir: root,
    healthy: problem === undefined,
    problem: problem ?? null,
    watchers: watchers.map(({ name, liveness, pid, hostname, version, startedAt }) => {
      return {
        instance: name,
        alive: liveness === "alive" ? true : null,
        pid,
        hostname,
        version,
        started_at: startedAt,
      };
    }),
    running: runs.map((run) => {
      const { id, hook, mode, limitSeconds, startedAt } = run;
      return { id, hook, mode, started_at: startedAt, seconds: getSeconds(run, now), limit_seconds: limitSeconds };
    }),
    counts,
    oldest_job_seconds:
      oldestJobAt === null ? null : Math.max(0, Math.round((now.getTime() - oldestJobAt.getTime()) / 1000)),
    last_scan_at: health?.last_scan_at ?? null,
    last_error: health?.last_error ?? null,
    dead_reasons: deadReasons.map(({ file, reason, at }) => ({ file, reason, at: at.toISOString() })),
    observed: observed.map(({ hook, said, asked }) => ({ hook, would_have_said: said, would_have_asked: asked })),
  };
}

function formatStatus(found: Found, root: string, problem: string | undefined, now: Date, color: boolean): string[] {
  const { watchers, runs, counts, oldestJobAt, health, deadReasons, observed } = found;
  const age = (from: string | Date) => formatAge(now.getTime() - new Date(from).getTime());
  const rows: [string, string][] = [];
  for (const { pid, hostname, version, startedAt, liveness } of watchers) {
    const where =
      liveness === "alive" ? `pid ${pid}` : `pid ${pid} on ${toPlainLine(hostname)}, cannot be seen from here`;
    rows.push(["watcher", `${toPlainLine(version)}, ${where}, for ${age(startedAt)}`]);
  }
  if (watchers.length === 0) rows.push(["watcher", "none"]);
  for (const run of runs) {
    rows.push([
      "running",
      `${run.id} (${toPlainLine(run.hook)}, ${toPlainLine(run.mode)}), ${getSeconds(run, now)} of ${run.limitSeconds} s`,
    ]);
  }
  rows.push(["inbox", oldestJobAt === null ? "0" : `${counts.inbox}, the oldest for ${age(oldestJobAt)}`]);
  rows.push(["claimed", String(counts.claimed)]);
  rows.push(["verdicts", `${counts.outbox}, ${counts.undelivered} to be delivered`]);
  rows.push(["dead", String(counts.dead)]);
  for (const { file, reason, at } of deadReasons)
    rows.push(["", `${toPlainLine(file)}, ${age(at)} ago: ${toPlainLine(reason)}`]);
  for (const { hook, said, asked } of observed)
    rows.push(["observed", `${toPlainLine(hook)}: would have said ${said}, asked ${asked}`]);
  const error = health?.last_error ?? null;
  if (error !== null)
    rows.push(["last error", `${toPlainLine(`${error.what}: ${error.message}`)}, ${age(error.at)} ago`]);
  rows.push(["state", root]);
  const lines = rows.map(([name, value]) => `${name.padEnd(12)}${value}`);
  const verdict = problem ?? "fine";
  const style = problem === undefined ? "green" : "red";
  return [...lines, color ? paint(style, verdict) : verdict];
}

function getSeconds({ startedAt }: Run, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - Date.parse(startedAt)) / 1000));
}
