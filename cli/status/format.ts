import { toPlainLine } from "../../lib/plain-line.ts";
import { formatAge, formatTime, paint } from "../plain-text.ts";
import { getSeconds, type Found } from "./found.ts";

type Row = readonly [name: string, value: string];

/** One row a line, aligned, and then what is wrong, or `fine`. What there is nothing to say of has no row. */
export function formatStatus(found: Found, now: Date, color: boolean): string[] {
  const { counts, oldestJobAt, problems } = found;
  const rows: readonly Row[] = [
    ...toWatcherRows(found, now),
    ["inbox", oldestJobAt === null ? "0" : `${counts.inbox}, the oldest for ${formatSince(oldestJobAt, now)}`],
    ["claimed", String(counts.claimed)],
    ["verdicts", `${counts.outbox}, ${counts.undelivered} to be delivered`],
    ...toDeadRows(found, now),
    ...toLimitRows(found, now),
    ...toOtherRows(found, now),
    ["state", found.root],
  ];
  const style = problems.length === 0 ? "green" : "red";
  const ends = problems.length === 0 ? ["fine"] : problems.map(toPlainLine);
  return [
    ...rows.map(([name, value]) => `${name.padEnd(12)}${value}`),
    ...ends.map((end) => (color ? paint(style, end) : end)),
  ];
}

function toWatcherRows({ watchers, runs }: Found, now: Date): Row[] {
  const running = runs.map((run): Row => {
    const what = `${run.id} (${toPlainLine(run.hook)}, ${toPlainLine(run.mode)})`;
    return ["running", `${what}, ${getSeconds(run, now)} of ${run.limitSeconds} s`];
  });
  if (watchers.length === 0) return [["watcher", "none"], ...running];
  const rows = watchers.map(({ pid, hostname, version, startedAt, liveness }): Row => {
    const where =
      liveness === "alive" ? `pid ${pid}` : `pid ${pid} on ${toPlainLine(hostname)}, cannot be seen from here`;
    return ["watcher", `${toPlainLine(version)}, ${where}, for ${formatSince(startedAt, now)}`];
  });
  return [...rows, ...running];
}

function toDeadRows({ counts, recentDeaths }: Found, now: Date): Row[] {
  const reasons = recentDeaths.map(({ file, reason, at }): Row => {
    return ["", `${toPlainLine(file)}, ${formatSince(at, now)} ago: ${toPlainLine(reason)}`];
  });
  return [["dead", counts.dead === 0 ? "0" : `${counts.dead}, see \`catstack dead list\``], ...reasons];
}

function toLimitRows({ resting, used, caps }: Found, now: Date): Row[] {
  const rests = resting.map(({ runner, reason, until }): Row => {
    const left = formatAge(Date.parse(until) - now.getTime());
    return ["resting", `${toPlainLine(runner)} for ${left}, until ${formatTime(until)}: ${toPlainLine(reason)}`];
  });
  if (used.day === 0) return rests;
  const of = (span: "hour" | "day") => (caps === null ? used[span] : `${used[span]} of ${caps[span]}`);
  return [...rests, ["asked", `${of("hour")} in the last hour, ${of("day")} in the last 24 h`]];
}

function toOtherRows({ observed, health }: Found, now: Date): Row[] {
  const rows = observed.map(({ hook, said, asked }): Row => {
    return ["observed", `${toPlainLine(hook)}: would have said ${said}, asked ${asked}`];
  });
  const error = health?.last_error ?? null;
  if (error === null) return rows;
  const what = toPlainLine(`${error.what}: ${error.message}`);
  return [...rows, ["last error", `${what}, ${formatSince(error.at, now)} ago`]];
}

function formatSince(from: string | Date, now: Date): string {
  return formatAge(now.getTime() - new Date(from).getTime());
}
