import type { RunRecord } from "../../lib/harness/run-record.ts";
import type { Run } from "../../judge/state/run-file.ts";
import type { Status } from "../../judge/status/status.ts";
import type { RecentDeath } from "./recent-deaths.ts";
import type { HooksFound } from "./hook-status.ts";
import type { Observed } from "./read-observed.ts";

/** All that `catstack status` has found out. */
export interface Found extends Status {
  /** The state directory. */
  readonly root: string;
  /** What a person should do something about. */
  readonly problems: readonly string[];
  /** Most jobs an hour and a day that may ask a model; null when the settings cannot be read. */
  readonly caps: { readonly hour: number; readonly day: number } | null;
  readonly recentDeaths: readonly RecentDeath[];
  readonly observed: readonly Observed[];
  readonly hooks: HooksFound;
  /** What is known of the runs of hooks, by client and event; why it cannot be told. */
  readonly heard: readonly RunRecord[] | { readonly failure: string };
}

/** How long a runner has been asked. */
export function getSeconds({ startedAt }: Run, now: Date): number {
  return Math.max(0, Math.round((now.getTime() - Date.parse(startedAt)) / 1000));
}
