import { showPosition } from "../inbox-schema/json-text.ts";
import { parseSettingsFile } from "../inbox-schema/parse-settings.ts";
import type { Mode } from "../inbox-schema/job.ts";
import type { RunnerEntry, Settings } from "../inbox-schema/settings.ts";
import { readSettingsText } from "../lib/io/settings.ts";
import { listSettingsNotes } from "./settings-notes.ts";

/** The watcher's part of the settings file, defaults filled in. */
export interface JudgeSettings {
  /** Jobs that run at the same time. One place is never given to investigate; with 1, investigate waits until no default job does. */
  readonly concurrency: number;
  /** Jobs that ask a model, at most, in any hour. */
  readonly jobsPerHour: number;
  /** Jobs that ask a model, at most, in any 24 hours. */
  readonly jobsPerDay: number;
  /** The part of both caps that the jobs of one hook may use, rounded up: above 0, at most 1. */
  readonly hookShare: number;
  /** Questions that wait, at most: the oldest of more are answered with unchecked. 0: no limit. */
  readonly maxWaiting: number;
  /** When more questions than this come within a minute, none is asked for a while. 0: never. */
  readonly tripPerMinute: number;
  /** Runner sets that replace the built-in ones; absent: the built-in set. */
  readonly runners: Readonly<Partial<Record<Mode, readonly RunnerEntry[]>>>;
}

export type JudgeSettingsResult =
  /** `notes`: what is no error and was hardly meant, a line each. */
  | { readonly ok: true; readonly settings: JudgeSettings; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The watcher's settings. An absent file gives the defaults; a broken one a reason that names the file, the line and
 * the column, and no settings: a watcher that went on would spend by other limits than the person wrote. Given the ids of all
 * hooks, it notes also those of the file that are none. Never throws.
 */
export function readJudgeSettings(path: string, hookIds?: readonly string[]): JudgeSettingsResult {
  const file = readSettingsText(path);
  const parsed = file.ok ? parseSettingsFile(file.text) : { ...file, position: undefined };
  if (parsed.ok) {
    const notes = listSettingsNotes(parsed.settings, hookIds);
    return { ok: true, settings: getJudgeSettings(parsed.settings), notes };
  }
  return { ok: false, reason: `${parsed.reason}${showPosition(parsed.position)} (${path})` };
}

function getJudgeSettings({ judge = {} }: Settings): JudgeSettings {
  return {
    concurrency: judge.concurrency ?? 2,
    jobsPerHour: judge.jobs_per_hour ?? 60,
    jobsPerDay: judge.jobs_per_day ?? 400,
    // A hook that asks too much leaves a quarter to the others; one that is alone loses no more than that.
    hookShare: judge.hook_share ?? 0.75,
    // Two and a half days' worth of the daily cap: what is older would expire before its turn.
    maxWaiting: judge.max_waiting ?? 1000,
    // Two a second. A person with ten sessions makes a few a minute; what makes more is a recursion.
    tripPerMinute: judge.trip_per_minute ?? 120,
    runners: {
      ...(judge.runners?.default && { default: judge.runners.default }),
      ...(judge.runners?.investigate && { investigate: judge.runners.investigate }),
    },
  };
}
