import type { Share } from "../../lib/score/interval.ts";
import { describeComparison, type Scored, type Score } from "../../lib/score/score.ts";
import { getPer100, getPerDay, type Coverage, type Verdicts } from "./format-report.ts";
import type { HookScore } from "./score-hook.ts";
import type { HookReport, Report } from "./summarise.ts";

/** All that one run has found out. */
export interface Findings {
  readonly report: Report;
  readonly coverage: Coverage;
  readonly problems: readonly string[];
  readonly since: Date | null;
  /** By hook; only where questions were asked. */
  readonly verdicts: ReadonlyMap<string, Verdicts>;
  /** By hook; only where labels were given. */
  readonly scores: ReadonlyMap<string, HookScore>;
}

/** For a program: keys as in all JSON of ours. */
export function toFindingsJson({ report, coverage, problems, since, verdicts, scores }: Findings): object {
  const { sessions, turns, days, from, to, hooks } = report;
  const { files, cursor, subagents, foreign, broken } = coverage;
  return {
    since: since?.toISOString() ?? null,
    files: { found: files, cursor, subagents, foreign, broken_lines: broken, problems },
    sessions,
    turns,
    days,
    from,
    to,
    hooks: hooks.map((hook) => ({
      ...toHookJson(hook, report),
      verdicts: toVerdictsJson(verdicts.get(hook.id)),
      score: toHookScoreJson(hook.id, scores.get(hook.id)),
    })),
  };
}

function toVerdictsJson(found: Verdicts | undefined): object | null {
  if (found === undefined) return null;
  const { hit, clean, unchecked, open, uncheckedBecause } = found;
  return { hit, clean, unchecked, open, unchecked_because: uncheckedBecause ?? null };
}

function toHookJson(hook: HookReport, report: Report): object {
  const { id, fires, asks, activeTurns, activeSessions, distinct, examples, failures, failure } = hook;
  return {
    hook: id,
    would_fire: fires,
    would_ask: asks,
    active_turns: activeTurns,
    active_sessions: activeSessions,
    per_100_turns: getPer100(hook, report),
    distinct,
    per_working_day: report.days === 0 ? null : getPerDay(hook, report),
    examples,
    failures,
    failure: failure ?? null,
  };
}

function toHookScoreJson(id: string, found: HookScore | undefined): object | null {
  if (found === undefined) return null;
  const { score, judge, unjudged, overall } = found;
  return {
    ...toScoreJson({ name: id, verb: "fire" }, score),
    recall_over_all_turns: overall === undefined ? null : { rate: overall.rate, interval: overall.interval },
    unjudged,
    judge: judge === undefined ? null : toScoreJson({ name: `the judge of ${id}`, verb: "hit" }, judge),
  };
}

function toScoreJson(scored: Scored, score: Score): object {
  const { n, precision, recall, f1, accuracy, baselines, comparison } = score;
  return {
    n,
    precision: toShareJson(precision),
    recall: toShareJson(recall),
    f1,
    accuracy: toShareJson(accuracy),
    baselines: { always_right: baselines.always, never_right: baselines.never },
    beats_baseline: comparison.is === "cannot tell" ? null : comparison.is === "beats",
    summary: describeComparison(scored, score),
  };
}

function toShareJson({ hits, n, rate, interval }: Share): object {
  return { hits, n, rate, low: interval.low, high: interval.high };
}
