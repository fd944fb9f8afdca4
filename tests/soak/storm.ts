import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { listDir } from "../../lib/io/list-dir.ts";
import { enqueueJob } from "../../lib/io/enqueue.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { parseObject } from "../../inbox-schema/problem.ts";
import { countNone, type Figure } from "../helpers/figures.ts";
import { hasEntry } from "../helpers/proc.ts";
import { createRandom } from "../helpers/random.ts";
import { checkAttempts, checkRuns, checkVerdicts, countRuns } from "./check-storm.ts";
import { ageTemporaryFiles, findLeftovers } from "./leftovers.ts";
import { checkDetector, getRunners, makeRunsFolder, readRuns } from "./runner.ts";
import type { Site } from "./site.ts";
import { watchVerdicts, type VerdictWatch } from "./verdicts.ts";
import { getWatchCommand, startPool, startWatcher, type Command, type Pool } from "./watchers.ts";

const WATCHERS = 4;
const BURST = 25;
/** Of the jobs that have a verdict, so many are dropped once more. */
const DROPPED_AGAIN = 100;
/** Without a new verdict for so long, something is stuck. */
const PATIENCE_MS = 180_000;

export interface StormOptions {
  readonly jobs: number;
  readonly seed: number;
  /** The built `catstack`. */
  readonly program: string;
}

/** Four watchers work on a stream of jobs while they and their runners are killed at random; then one tidies up. */
export async function runStorm(site: Site, { jobs, seed, program }: StormOptions): Promise<Figure[]> {
  await checkDetector(site);
  const { paths } = site;
  const runsFolder = makeRunsFolder(site);
  const command: Command = {
    argv: getWatchCommand(program),
    env: { ...site.env, ...getRunners(runsFolder) },
    sayings: join(site.folder, "watchers.log"),
  };
  const ids = Array.from({ length: jobs }, (_, index) => `soak-${String(index).padStart(5, "0")}`);
  const verdicts = watchVerdicts(paths);
  const storm = await rage(ids, verdicts, site, command, seed);
  const before = new Map(readRuns(runsFolder).map(({ id, started }) => [id, started]));
  const again = ids.filter((id) => verdicts.has(id)).slice(0, DROPPED_AGAIN);
  for (const id of again) enqueueJob(createQuestion(id), paths);
  const aged = ageTemporaryFiles(site);
  const end = await startWatcher({ ...command, argv: [...command.argv, "--once"] }).ended;
  const untidy = end === 0 ? [] : [`watch --once: expected exit 0, got ${end} (${command.sayings})`];
  const runs = readRuns(runsFolder);
  return [
    { name: `storm (seed ${seed}): jobs judged`, value: verdicts.look(), unit: "jobs" },
    ...storm,
    ...countRuns(runs, jobs),
    { name: "storm: temporary files of killed watchers, swept", value: aged, unit: "files" },
    countNone("watch --once that could not tidy up", "times", untidy),
    ...checkVerdicts(ids, verdicts, paths),
    ...checkRuns(runs),
    ...checkAttempts(paths),
    countNone(
      `runs of the ${again.length} jobs that were dropped again`,
      "jobs",
      runs.flatMap(({ id, started }) => (again.includes(id) && started !== before.get(id) ? [id] : [])),
    ),
    ...findLeftovers(site),
  ];
}

/** Until every job has its verdict, or no more comes. In the end no watcher runs. */
async function rage(
  ids: readonly string[],
  verdicts: VerdictWatch,
  site: Site,
  command: Command,
  seed: number,
): Promise<Figure[]> {
  const pool = startPool(WATCHERS, command, createRandom(seed));
  const killer = startKiller(site, pool.killOne, createRandom(seed + 1));
  const startedAt = performance.now();
  try {
    const dropped = dropInBursts(ids, site.paths, createRandom(seed + 2));
    await Promise.all([dropped, waitForAll(verdicts, ids.length, pool, killer)]);
  } finally {
    await killer.stop();
    await pool.killAll();
  }
  const late = ids.filter((id) => !verdicts.has(id));
  return [
    { name: "storm: took", value: (performance.now() - startedAt) / 1000, unit: "s" },
    { name: "storm: watchers killed", value: pool.kills(), unit: "times" },
    { name: "storm: runners killed", value: killer.kills(), unit: "times" },
    countNone("watchers that ended by themselves", "processes", pool.deserters),
    countNone("jobs not judged in time", "jobs", late),
  ];
}

function createQuestion(id: string) {
  const transcript = `/nowhere/session-${id.slice(-1)}.jsonl`;
  const prompt = `Is it so? ${id}. Answer with one line of JSON: {"hit": true or false}`;
  return { id, hook: "soak", transcript, prompt, on_hit: "It is so.", hit_if_all_true: ["hit"] };
}

async function dropInBursts(ids: readonly string[], paths: StatePaths, random: () => number): Promise<void> {
  for (let start = 0; start < ids.length; start += BURST) {
    for (const id of ids.slice(start, start + BURST)) enqueueJob(createQuestion(id), paths);
    await delay(random() * 200);
  }
}

/** Resolves when all are judged, or nothing has come of it for minutes. */
async function waitForAll(verdicts: VerdictWatch, count: number, pool: Pool, killer: Killer): Promise<void> {
  let judged = 0;
  let lastNews = performance.now();
  while (judged < count && pool.deserters.length <= WATCHERS && performance.now() - lastNews < PATIENCE_MS) {
    await delay(100);
    const before = judged;
    judged = verdicts.look();
    if (judged > before) lastNews = performance.now();
    killer.onProgress(judged);
  }
}

/** Kills as the work goes on, not as time passes: on a busy machine nothing would get done between two kills of a clock. */
interface Killer {
  onProgress(judged: number): void;
  readonly kills: () => number;
  /** Resolves when it kills no more. */
  stop(): Promise<void>;
}

/** SIGKILL for a watcher about every 24 verdicts, now and then for another at once, and for a runner about every 4: its leader or its group. */
function startKiller(site: Site, killWatcher: () => void, random: () => number): Killer {
  const over = new AbortController();
  const pending: Promise<void>[] = [];
  let kills = 0;
  let nextWatcher = 0;
  let nextRunner = 0;
  const killRunner = () => {
    const pids = listRunners(site);
    const pid = pids[Math.floor(random() * pids.length)];
    if (pid !== undefined && killQuietly(random() < 0.5 ? pid : -pid)) kills += 1;
  };
  const soon = async (maxMs: number, act: () => void) => {
    await delay(random() * maxMs);
    if (!over.signal.aborted) act();
  };
  return {
    kills: () => kills,
    onProgress(judged) {
      for (; nextRunner <= judged; nextRunner += 8 * random()) pending.push(soon(300, killRunner));
      for (; nextWatcher <= judged; nextWatcher += 1 + 46 * random()) {
        pending.push(soon(300, killWatcher));
        if (random() < 0.3) pending.push(soon(2000, killWatcher));
      }
    },
    async stop() {
      over.abort();
      await Promise.all(pending);
    },
  };
}

/** Those that the watchers have noted down, if the process of that number is one of this site still. */
function listRunners({ home, paths }: Site): number[] {
  return listDir(paths.claimed).flatMap((instance) => {
    const folder = join(paths.claimed, instance);
    return listDir(folder).flatMap((name) => {
      const pid = name.endsWith(".run.json") ? readPid(join(folder, name)) : undefined;
      return pid !== undefined && hasEntry(pid, `HOME=${home}`) ? [pid] : [];
    });
  });
}

function readPid(path: string): number | undefined {
  try {
    const parsed = parseObject(readFileSync(path, "utf8"));
    return parsed.ok && typeof parsed.value["pid"] === "number" ? parsed.value["pid"] : undefined;
  } catch {
    return undefined;
  }
}

function killQuietly(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
