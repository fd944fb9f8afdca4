import { nameEvent } from "../../lib/harness/run-record.ts";
import type { Rest } from "../../judge/state/rests-file.ts";
import { toPlainLine } from "../../lib/plain-line.ts";
import { formatAge, formatTime, paint } from "../plain-text.ts";
import { toHookRows } from "./format-hooks.ts";
import { getSeconds, type Found } from "./found.ts";

const SHOWN_IGNORED = 3;

/** Rows that tell what somebody may want to do something about. */
const wantsNotice: ReadonlySet<string> = new Set(["ignored", "waiting", "resting", "settings", "last error"]);

type Row = readonly [name: string, value: string];

/** One row a line, aligned, and then what is wrong, or `fine`. What there is nothing to say of has no row. */
export function formatStatus(found: Found, now: Date, color: boolean): string[] {
  const { counts, oldestJobAt, problems } = found;
  const rows: readonly Row[] = [
    ...toWatcherRows(found, now),
    ["inbox", oldestJobAt === null ? "0" : `${counts.inbox}, the oldest for ${formatSince(oldestJobAt, now)}`],
    ...toIgnoredRows(found),
    ...toCappedRows(found),
    ["claimed", String(counts.claimed)],
    ["verdicts", `${counts.outbox}, ${counts.undelivered} to be delivered`],
    ...toDeadRows(found, now),
    ...toLimitRows(found, now),
    ...toHookRows(found.hooks, now),
    ...toHeardRows(found, now),
    ...toErrorRows(found, now),
    ["state", found.root],
  ];
  const style = problems.length === 0 ? "green" : "red";
  const ends = problems.length === 0 ? ["fine"] : problems.map(toPlainLine);
  return [
    ...rows.map(([name, value]) => {
      const label = name.padEnd(12);
      return `${color && wantsNotice.has(name) ? paint("yellow", label) : label}${value}`;
    }),
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

function toIgnoredRows({ ignored }: Found): Row[] {
  if (ignored.length === 0) return [];
  const what =
    ignored.length === 1 ? "1 file in inbox/ that is no job" : `${ignored.length} files in inbox/ that are no jobs`;
  const more = ignored.length > SHOWN_IGNORED ? ", ..." : "";
  return [["ignored", `${what} (${ignored.slice(0, SHOWN_IGNORED).map(toPlainLine).join(", ")}${more})`]];
}

function toCappedRows({ capped }: Found): Row[] {
  return capped.map(({ hook, jobs, cap: { of, limit, used } }): Row => {
    if (hook === null) return ["waiting", `${jobs}: ${limit} jobs ${of} are used`];
    const span = of === "an hour" ? "this hour" : "in 24 h";
    return ["waiting", `${jobs} of ${toPlainLine(hook)}: its share is used (${used} of ${limit} ${span})`];
  });
}

function toDeadRows({ counts, recentDeaths }: Found, now: Date): Row[] {
  const reasons = recentDeaths.map(({ file, reason, at }): Row => {
    return ["", `${toPlainLine(file)}, ${formatSince(at, now)} ago: ${toPlainLine(reason)}`];
  });
  return [["dead", counts.dead === 0 ? "0" : `${counts.dead}, see \`catstack dead list\``], ...reasons];
}

function toLimitRows({ resting, used, caps }: Found, now: Date): Row[] {
  const rests = toRestRows(resting ?? [], now);
  if (used === null || used.day === 0) return rests;
  const of = (span: "hour" | "day") => (caps === null ? used[span] : `${used[span]} of ${caps[span]}`);
  return [...rests, ["asked", `${of("hour")} in the last hour, ${of("day")} in the last 24 h, answered or not`]];
}

/** A row a client: when each of its events was last heard. */
function toHeardRows({ heard }: Found, now: Date): Row[] {
  if ("failure" in heard) return [["heard", `cannot be told: ${toPlainLine(heard.failure)}`]];
  const harnesses = [...new Set(heard.map(({ harness }) => harness))];
  return harnesses.map((harness): Row => {
    const records = heard.filter((record) => record.harness === harness);
    const runs = records.map((record) => `${toPlainLine(nameEvent(record))} ${formatSince(record.at, now)} ago`);
    const errors = records.filter((record) => record.errors > 0);
    const [wrong, all] = [sum(errors.map((record) => record.errors)), sum(errors.map((record) => record.runs))];
    const more = wrong === 0 ? "" : ` (${wrong} of ${all} with an error, see \`catstack doctor\`)`;
    return ["heard", `${toPlainLine(harness)}: ${runs.join(", ")}${more}`];
  });
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}

/** A runner that rests alike in both modes has one row, until both are over; else each names its mode. */
function toRestRows(rests: readonly Rest[], now: Date): Row[] {
  const isAlike = (a: Rest, b: Rest) => a.runner === b.runner && a.reason === b.reason;
  const last = rests.filter((rest) => !rests.some((other) => isAlike(rest, other) && isLater(other, rest, rests)));
  return last.map((rest): Row => {
    const { runner, reason, until, mode } = rest;
    const isOne = last.filter((other) => other.runner === runner).length === 1;
    const name = isOne || mode === undefined ? toPlainLine(runner) : `${toPlainLine(runner)} (${mode})`;
    const left = formatAge(Date.parse(until) - now.getTime());
    return ["resting", `${name} for ${left}, until ${formatTime(until)}: ${toPlainLine(reason)}`];
  });
}

function isLater(a: Rest, b: Rest, all: readonly Rest[]): boolean {
  const ahead = Date.parse(a.until) - Date.parse(b.until);
  return ahead === 0 ? all.indexOf(a) > all.indexOf(b) : ahead > 0;
}

function toErrorRows({ health, problems }: Found, now: Date): Row[] {
  const error = health?.last_error ?? null;
  // What lasts is said among the problems.
  if (error === null || problems.includes(`${error.what}: ${error.message}`)) return [];
  const what = toPlainLine(`${error.what}: ${error.message}`);
  const over = error.over_at === undefined ? "" : ` (over since ${formatTime(error.over_at)})`;
  return [["last error", `${what}, ${formatSince(error.at, now)} ago${over}`]];
}

function formatSince(from: string | Date, now: Date): string {
  return formatAge(now.getTime() - new Date(from).getTime());
}
