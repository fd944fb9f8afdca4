import { nameEvent, type RunRecord } from "../../../lib/harness/run-record.ts";
import { formatAge } from "../../plain-text.ts";
import { ok, problem, type Check } from "../check.ts";

/** A harness whose settings hold our hooks, or our program in Codex's `notify`, and what is known of their runs. */
export interface RunFacts {
  readonly harness: string;
  /** Codex runs a new hook only once the person has said that it is trusted. */
  readonly wantsTrust: boolean;
  readonly runs: readonly RunRecord[];
}

const DAY_MS = 86_400_000;

/** What of a client's settings starts us. */
export interface Entries {
  /** Our hooks stand in it. */
  readonly hooks: boolean;
  /** Our program stands in Codex's `notify`. */
  readonly notify: boolean;
}

/** The runs that tell whether these entries are heard: what came by one way says nothing of another. Pure. */
export function selectRuns(runs: readonly RunRecord[], { hooks, notify }: Entries): RunRecord[] {
  return runs.filter(({ event }) => (event === "Notice" ? notify : hooks));
}

/** When the hooks last ran, and what they met. Pure. */
export function checkRuns({ harness, wantsTrust, runs }: RunFacts, now: Date): Check {
  const name = `runs ${harness}`;
  const newest = [...runs].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))[0];
  if (newest === undefined) {
    const trust = wantsTrust ? "type /hooks in Codex, look at ours and trust them, then begin" : "begin";
    return problem("warn", name, "installed, but never run so far", `${trust} a new session and send a prompt`);
  }
  const lines = [...runs].sort((a, b) => (a.event < b.event ? -1 : 1)).map((run) => describeRun(run, now));
  const failing = runs.filter(
    ({ last_error: error }) => error !== null && now.getTime() - Date.parse(error.at) < DAY_MS,
  );
  const says = lines.join("; ");
  if (failing.length === 0) return ok(name, says);
  return problem("warn", name, says, "the hook's stderr tells more, see it in the client's log");
}

function describeRun(record: RunRecord, now: Date): string {
  const { at, duration_ms, runs, errors, since, last_error } = record;
  const times = runs === 1 ? "once" : `${runs} times in ${formatSince(since, now)}`;
  const error =
    last_error === null
      ? ""
      : `, ${errors} with an error (${last_error.hook}: ${last_error.name}, ${formatSince(last_error.at, now)} ago)`;
  return `${nameEvent(record)} ${formatSince(at, now)} ago (${duration_ms} ms), ${times}${error}`;
}

function formatSince(at: string, now: Date): string {
  return formatAge(now.getTime() - Date.parse(at));
}
