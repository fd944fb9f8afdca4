import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { MAX_ATTEMPTS } from "../../judge/state/attempts.ts";
import { countNone, type Figure } from "../helpers/figures.ts";
import { readEvents } from "./judge-log.ts";
import { RUNS_AN_ATTEMPT, type Runs } from "./runner.ts";
import { listQueued, type VerdictWatch } from "./verdicts.ts";

export function countRuns(runs: readonly Runs[], jobs: number): Figure[] {
  const sum = (count: (run: Runs) => number) => runs.reduce((total, run) => total + count(run), 0);
  return [
    { name: "storm: runs", value: sum(({ started }) => started), unit: "runs" },
    { name: "storm: runs beyond one a job, after kills", value: sum(({ started }) => started) - jobs, unit: "runs" },
    {
      name: "storm: of these, after a run that had come to its end",
      value: sum(({ ended }) => Math.max(0, ended - 1)),
      unit: "runs",
    },
  ];
}

/** Nothing is lost, nothing is said twice or otherwise than before, and what is unchecked was killed as often as it takes. */
export function checkVerdicts(ids: readonly string[], verdicts: VerdictWatch, paths: StatePaths): Figure[] {
  const all = verdicts.getAll();
  const dead = new Set(
    listDir(paths.dead).flatMap((name) => (name.endsWith(".reason.json") ? [] : [name.slice(0, -5)])),
  );
  const outcomes = [...all.values()];
  const unchecked = outcomes.filter(({ outcome }) => outcome === "unchecked");
  const isExplained = ({ id, attempts }: (typeof outcomes)[number]) =>
    dead.has(id) || (attempts.length === RUNS_AN_ATTEMPT && attempts.every(({ reason }) => reason.includes("SIGKILL")));
  const queued = listQueued(paths);
  const unlike = ids.filter((id) => queued.filter((other) => other === id).length !== 1);
  return [
    { name: "storm: hits", value: outcomes.filter(({ outcome }) => outcome === "hit").length, unit: "verdicts" },
    { name: "storm: unchecked, every runner was killed", value: unchecked.length - dead.size, unit: "verdicts" },
    { name: "storm: unchecked and dead, three watchers were killed", value: dead.size, unit: "verdicts" },
    countNone(
      "jobs lost: no verdict",
      "jobs",
      ids.filter((id) => !all.has(id)),
    ),
    countNone(
      "verdicts on no job of ours",
      "verdicts",
      [...all.keys()].filter((id) => !ids.includes(id)),
    ),
    countNone("verdicts that changed", "verdicts", verdicts.findChanged()),
    countNone(
      "verdicts that are clean, though every answer was a hit",
      "verdicts",
      outcomes.filter(({ outcome }) => outcome === "clean").map(({ id }) => id),
    ),
    countNone(
      "verdicts that are unchecked for no reason we gave",
      "verdicts",
      unchecked.filter((verdict) => !isExplained(verdict)).map(({ id, reason }) => `${id}: ${reason}`),
    ),
    countNone(
      "dead jobs without an unchecked verdict",
      "jobs",
      [...dead].filter((id) => all.get(id)?.outcome !== "unchecked"),
    ),
    countNone("verdicts not queued for delivery exactly once", "verdicts", unlike),
  ];
}

export function checkRuns(runs: readonly Runs[]): Figure[] {
  const most = MAX_ATTEMPTS * RUNS_AN_ATTEMPT;
  return [
    countNone(
      "jobs with overlapping runs",
      "jobs",
      runs.flatMap(({ id, overlapped, lines }) => (overlapped ? [`${id}: ${lines}`] : [])),
    ),
    countNone(
      `jobs with more than ${most} runs`,
      "jobs",
      runs.flatMap(({ id, started }) => (started > most ? [`${id}: ${started}`] : [])),
    ),
  ];
}

/** No watcher gave an attempt back, since none was asked to stop: a job's attempts are numbered upwards, to three at most. */
export function checkAttempts(paths: StatePaths): Figure[] {
  const last = new Map<string, number>();
  const wrong: string[] = [];
  const judged = new Set<string>();
  const late: string[] = [];
  const errors: string[] = [];
  for (const { event, id = "", attempt = 0, what, message } of readEvents(paths)) {
    if (event === "watcher:error") errors.push(`${what}: ${message}`);
    if (event === "job:judged" || event === "job:dead") judged.add(id);
    if (event !== "job:start") continue;
    if (attempt <= (last.get(id) ?? 0) || attempt > MAX_ATTEMPTS) wrong.push(`${id}: ${attempt} after ${last.get(id)}`);
    if (judged.has(id)) late.push(id);
    last.set(id, attempt);
  }
  return [
    { name: "storm: errors in the log", value: errors.length, unit: "times", examples: errors },
    countNone(`attempts that are not numbered upwards to ${MAX_ATTEMPTS}`, "runs", wrong),
    countNone("attempts after the verdict", "runs", late),
  ];
}
