import { getModeVariable } from "../../lib/settings.ts";
import { toTallyJson } from "../stats/to-json.ts";
import { findAsksADay } from "./format-hooks.ts";
import { getSeconds, type Found } from "./found.ts";
import type { HookStatus } from "./hook-status.ts";

/** The same for a program. Keys are only ever added. */
export function toStatusJson(found: Found, now: Date) {
  const { watchers, runs, counts, oldestJobAt, health, problems, trip } = found;
  const waitedMs = oldestJobAt === null ? null : now.getTime() - oldestJobAt.getTime();
  return {
    state_dir: found.root,
    healthy: problems.length === 0,
    problem: problems[0] ?? null,
    problems,
    watchers: watchers.map(({ name, liveness, pid, hostname, version, startedAt, health: own }) => {
      return {
        instance: name,
        alive: liveness === "alive" ? true : null,
        pid,
        hostname,
        version,
        started_at: startedAt,
        last_sign_at: own?.at ?? null,
        problems: own?.problems ?? [],
      };
    }),
    running: runs.map((run) => {
      const { id, hook, mode, limitSeconds, startedAt } = run;
      return { id, hook, mode, started_at: startedAt, seconds: getSeconds(run, now), limit_seconds: limitSeconds };
    }),
    counts,
    oldest_job_seconds: waitedMs === null ? null : Math.max(0, Math.round(waitedMs / 1000)),
    ignored: found.ignored,
    waiting: found.capped.map(({ hook, jobs, cap }) => {
      return { hook, jobs, used: cap.used, limit: cap.limit, span: cap.of === "an hour" ? "hour" : "day" };
    }),
    resting:
      found.resting?.map(({ runner, mode = null, cause, reason, since, until }) => {
        return { runner, mode, cause, reason, since, until };
      }) ?? null,
    modes_at_rest: found.modesAtRest,
    budget: toBudget(found),
    tripped: trip === null ? null : { since: toIso(trip.since), until: toIso(trip.until), limit: trip.limit },
    last_scan_at: health?.last_scan_at ?? null,
    last_error: health?.last_error ?? null,
    dead_reasons: found.recentDeaths.map(({ file, reason, at }) => ({ file, reason, at: at.toISOString() })),
    observed: found.observed.map(({ hook, said, asked, since }) => {
      return { hook, would_have_said: said, would_have_asked: asked, since };
    }),
    hooks: found.hooks.hooks.map((hook) => toHookJson(hook, found.hooks.settingsPath, now)),
    // Counts of each client and event, as in the state folder; null: they cannot be read.
    last_runs: "failure" in found.heard ? null : found.heard,
    settings_warnings: [found.hooks.fileWarning ?? [], found.hooks.warnings].flat(),
  };
}

/** `observed.asks_a_day` is what it would cost; null while too little is known. `unchecked_share` is null without a verdict. */
function toHookJson({ id, mode, defaultMode, setBy, tally }: HookStatus, settingsPath: string, now: Date) {
  const { hook: _, observed, ...measured } = toTallyJson(tally);
  const { hit, clean, unchecked } = measured.verdicts;
  const count = hit + clean + unchecked;
  return {
    id,
    mode,
    default_mode: defaultMode,
    set_by: setBy,
    observed: { ...observed, asks_a_day: findAsksADay(tally.observed, now) },
    ...measured,
    unchecked_share: count === 0 ? null : unchecked / count,
    turn_on:
      mode === "advise"
        ? null
        : {
            file: settingsPath,
            settings: { hooks: { [id]: { mode: "advise" } } },
            variable: `${getModeVariable(id)}=advise`,
          },
  };
}

/** Of jobs that ask a model; null when they cannot be counted. `cap` and `left` are null when the settings cannot be read. */
function toBudget({ used, caps }: Found) {
  if (used === null) return null;
  const weigh = (span: "hour" | "day") => {
    const cap = caps?.[span] ?? null;
    return { used: used[span], cap, left: cap === null ? null : Math.max(0, cap - used[span]) };
  };
  return { hour: weigh("hour"), day: weigh("day") };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}
