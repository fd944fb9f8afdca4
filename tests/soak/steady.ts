import { join } from "node:path";
import { enqueueJob } from "../../lib/io/enqueue.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { writeInBursts } from "../bench/bursts.ts";
import { deafen } from "../helpers/deafen.ts";
import { countNone, type Figure } from "../helpers/figures.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { readEvents } from "./judge-log.ts";
import { findLeftovers } from "./leftovers.ts";
import { checkMemory, collectOnSignal, readMemory, type Memory } from "./memory.ts";
import type { Site } from "./site.ts";
import { watchVerdicts } from "./verdicts.ts";
import { getWatchCommand, startWatcher } from "./watchers.ts";

const QUARTERS = 4;
/** So many more a quarter ask a runner. */
const ASKED = 50;
const QUARTER_DEADLINE_MS = 600_000;

const runners = { CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify([["sh", ["/bin/sh", "-c", `echo '{"hit":true}'`]]]) };

export interface SteadyOptions {
  /** Jobs that bring their own answer. */
  readonly jobs: number;
  readonly program: string;
  readonly deaf: boolean;
}

/** One watcher that nobody kills, four bursts of jobs: each is judged once, and the memory does not grow with their number. */
export async function runSteady(site: Site, { jobs, program, deaf }: SteadyOptions): Promise<Figure[]> {
  const { paths, folder, env } = site;
  const heapFile = join(folder, "heap");
  const argv = getWatchCommand(program, collectOnSignal(heapFile));
  const startedAt = performance.now();
  const { child, ended } = startWatcher({
    argv: deaf ? deafen(argv) : argv,
    env: { ...env, ...runners },
    sayings: join(folder, "watcher.log"),
  });
  const ids: string[] = [];
  const moments: Memory[] = [];
  try {
    for (let quarter = 1; quarter <= QUARTERS; quarter++) {
      ids.push(...(await dropQuarter(quarter, Math.floor(jobs / QUARTERS), paths)));
      await waitForVerdicts(ids.length, paths, ended);
      moments.push(await readMemory(child, heapFile));
    }
  } finally {
    child.kill("SIGTERM");
  }
  const end = await ended;
  const seconds = (performance.now() - startedAt) / 1000;
  const name = deaf ? "one deaf watcher" : "one watcher";
  return [
    { name: `${name}: jobs dropped in bursts`, value: ids.length, unit: "jobs" },
    { name: `${name}: took`, value: seconds, unit: "s" },
    ...checkMemory(moments, name),
    ...checkJudged(ids, paths),
    countNone("signs that it was deaf where it should hear, or the other way", "times", checkHearing(paths, deaf)),
    countNone("watchers that did not end with 0 when asked to", "processes", end === 0 ? [] : [`ended with ${end}`]),
    ...findLeftovers(site),
  ];
}

/** Gives the ids; of a job from a burst, what comes before the time in it. */
async function dropQuarter(quarter: number, jobs: number, paths: StatePaths): Promise<string[]> {
  const asked = Array.from({ length: ASKED }, (_, index) => `asked-${quarter}-${index}`);
  for (const id of asked) {
    const prompt = `Is it so? ${id}. Answer with one line of JSON: {"hit": true or false}`;
    enqueueJob({ id, hook: "soak", transcript: "/nowhere/session.jsonl", prompt, on_hit: "It is so." }, paths);
  }
  return [...asked, ...(await writeInBursts(paths, jobs, `burst-${quarter}-`))];
}

async function waitForVerdicts(
  count: number,
  { outbox, inbox, claimed }: StatePaths,
  ended: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  const countClaims = () => listDir(claimed).flatMap((name) => listDir(join(claimed, name))).length;
  const isDone = () => listDir(outbox).length >= count && listDir(inbox).length === 0 && countClaims() === 0;
  await waitFor(`${count} verdicts`, () => (isDone() || isOver ? true : undefined), QUARTER_DEADLINE_MS);
}

function checkJudged(ids: readonly string[], paths: StatePaths): Figure[] {
  const counts = new Map<string, number>();
  for (const { event, id = "" } of readEvents(paths)) {
    const name = id.replace(/^(burst-.*)-\d+$/, "$1");
    if (event === "job:judged") counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const dead = listDir(paths.dead);
  const unchecked = [...watchVerdicts(paths).getAll().values()].filter(({ outcome }) => outcome !== "hit");
  return [
    countNone(
      "jobs missed: never judged",
      "jobs",
      ids.filter((id) => !counts.has(id)),
    ),
    countNone(
      "jobs judged twice",
      "jobs",
      [...counts].flatMap(([id, count]) => (count > 1 ? [id] : [])),
    ),
    countNone(
      "verdicts that are no hits, though every answer was one",
      "verdicts",
      unchecked.map(({ id, reason }) => `${id}: ${reason}`),
    ),
    countNone("jobs in dead/", "files", dead),
  ];
}

/** Deaf: the doorbell has said that it does not work. */
function checkHearing(paths: StatePaths, deaf: boolean): string[] {
  const complaints = readEvents(paths).filter(
    ({ event, what }) => event === "watcher:error" && what === "watching the inbox",
  );
  if (deaf) return complaints.length > 0 ? [] : ["expected it to say that it cannot watch the inbox, it did not"];
  return complaints.map(({ message = "" }) => message);
}
