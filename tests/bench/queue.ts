// node --import tsx tests/bench/queue.ts [--json]: how soon a job is claimed, what bursts do, and what an idle watcher costs.
import { spawn, type ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MALLOC_VARIABLE, NODE_SWITCHES } from "../../cli/service/lean-node.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type StatePaths } from "../../lib/io/paths.ts";
import { formatFigure, getQuantile, isMet, type Figure } from "../helpers/figures.ts";
import { readCpuMs, readMegabytes } from "../helpers/proc.ts";
import { distDir } from "../helpers/run-command.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { measureListing } from "./bursts.ts";

const DROPS = 200;
const BURST_FILES = 10_000;
const DRAINED = 1000;
const IDLE_MS = 60_000;

/** About two minutes. Needs the built `catstack`; folders of its own, nothing of this account's. */
export async function measureQueue(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "catstack-bench-"));
  try {
    const burst = await measureBurst(join(folder, "burst"));
    const watched = await withWatcher(join(folder, "watched"), async (paths, watcher) => [
      ...(await measureClaims(paths)),
      ...(await measureDrain(paths)),
      ...(await measureIdle(watcher)),
    ]);
    return [...burst, ...watched];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From just before the rename into the inbox to the log's line that the job is claimed, one job at a time. */
async function measureClaims(paths: StatePaths): Promise<Figure[]> {
  const droppedAt = new Map<string, number>();
  for (let index = 0; index < DROPS; index++) {
    const id = `claim-${index}`;
    const temporary = writeEvidence(paths, id);
    droppedAt.set(id, Date.now());
    renameSync(temporary, join(paths.inbox, `${id}.json`));
    await delay(25 + (index % 10) * 5);
  }
  await waitForVerdicts(paths, DROPS);
  const waits = readLog(paths).flatMap(({ event, id, at }) => {
    const dropped = event === "job:claimed" ? droppedAt.get(id) : undefined;
    return dropped === undefined ? [] : [Date.parse(at) - dropped];
  });
  return [
    { name: "job written to claimed, watcher idle, p50", value: getQuantile(waits, 0.5), unit: "ms" },
    { name: "job written to claimed, watcher idle, p99", value: getQuantile(waits, 0.99), unit: "ms", budget: 150 },
  ];
}

/** 10,000 files in bursts of 100 by four processes: from just before the link to the first listing that holds it. */
async function measureBurst(folder: string): Promise<Figure[]> {
  mkdirSync(folder);
  const { listed, again, p50, p99 } = await measureListing(folder, BURST_FILES, { deaf: false });
  return [
    { name: "10,000 jobs in bursts, missed", value: BURST_FILES - listed, unit: "jobs", budget: 0 },
    { name: "10,000 jobs in bursts, seen again", value: again, unit: "jobs", budget: 0 },
    { name: "10,000 jobs in bursts, linked to listed, p50", value: p50, unit: "ms" },
    { name: "10,000 jobs in bursts, linked to listed, p99", value: p99, unit: "ms", budget: 300 },
  ];
}

/** A thousand jobs that bring their own answer, all at once: what one costs beside the least that is durable, one synced file. */
async function measureDrain(paths: StatePaths): Promise<Figure[]> {
  const written = Array.from({ length: DRAINED }, (_, index) => writeEvidence(paths, `drain-${index}`));
  for (const [index, path] of written.entries()) renameSync(path, join(paths.inbox, `drain-${index}.json`));
  await waitForVerdicts(paths, DROPS + DRAINED);
  const judged = readLog(paths).filter(({ event, id }) => event === "job:judged" && id.startsWith("drain-"));
  const times = judged.map(({ at }) => Date.parse(at));
  return [
    {
      name: "1,000 jobs at once, judged twice or never",
      value: Math.abs(judged.length - DRAINED),
      unit: "jobs",
      budget: 0,
    },
    { name: "1,000 jobs at once, each", value: (Math.max(...times) - Math.min(...times)) / DRAINED, unit: "ms" },
  ];
}

/** A minute with nothing to do, of a watcher that has worked, and of a Node process that never does anything. */
async function measureIdle({ pid: watcher = 0 }: ChildProcess): Promise<Figure[]> {
  if (process.platform !== "linux") return [];
  const bare = spawn(process.execPath, [...NODE_SWITCHES, "-e", "setInterval(() => {}, 2 ** 30)"], {
    env: { PATH: process.env["PATH"] },
    stdio: "ignore",
  });
  const exited = new Promise((resolve) => bare.once("exit", resolve));
  try {
    await delay(1000);
    const idlers = [watcher, bare.pid ?? 0];
    const before = idlers.map(readCpuMs);
    await delay(IDLE_MS);
    const [own = 0, empty = 0] = idlers.map((pid, index) => ((readCpuMs(pid) - (before[index] ?? 0)) * 100) / IDLE_MS);
    return [
      { name: "idle for a minute, watcher", value: own, unit: "% of a core", budget: 0.5 },
      { name: "idle for a minute, bare Node process", value: empty, unit: "% of a core" },
      { name: "idle for a minute, watcher", value: readMegabytes(watcher), unit: "MB", budget: 80 },
      { name: "idle for a minute, bare Node process", value: readMegabytes(bare.pid ?? 0), unit: "MB" },
    ];
  } finally {
    bare.kill("SIGKILL");
    await exited;
  }
}

async function withWatcher<T>(root: string, run: (paths: StatePaths, watcher: ChildProcess) => Promise<T>): Promise<T> {
  const lean = Object.fromEntries([MALLOC_VARIABLE]);
  const env = { PATH: process.env["PATH"], HOME: root, CATSTACK_LLM_JUDGE_STATE_DIR: root, ...lean };
  const paths = getStatePaths(env);
  prepareState(paths);
  // A copy: a watcher whose program is built anew ends.
  const program = join(root, "catstack.mjs");
  copyFileSync(join(distDir, "catstack.mjs"), program);
  const watcher = spawn(process.execPath, [...NODE_SWITCHES, program, "watch"], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = new Promise((resolve) => watcher.once("exit", resolve));
  try {
    await new Promise((resolve) => watcher.stdout.once("data", resolve));
    await delay(1000);
    return await run(paths, watcher);
  } finally {
    watcher.kill("SIGTERM");
    await exited;
  }
}

function writeEvidence(paths: StatePaths, id: string): string {
  const path = join(paths.tmp, id);
  const job = {
    hook: "bench",
    transcript: "/nowhere/session.jsonl",
    on_hit: "text",
    answer: { padding: "x".repeat(400) },
  };
  writeFileSync(path, JSON.stringify(job));
  return path;
}

async function waitForVerdicts(paths: StatePaths, count: number): Promise<void> {
  await waitFor(`${count} verdicts`, () => (listDir(paths.outbox).length >= count ? true : undefined), 120_000);
  await waitFor("an empty inbox", () => (listDir(paths.inbox).length === 0 ? true : undefined));
}

function readLog({ judgeLog }: StatePaths): { event: string; id: string; at: string }[] {
  return readFileSync(judgeLog, "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null || !("event" in value) || !("id" in value) || !("at" in value))
        return [];
      return [{ event: String(value.event), id: String(value.id), at: String(value.at) }];
    });
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
  const figures = await measureQueue();
  console.log(values.json ? JSON.stringify(figures, undefined, 2) : figures.map(formatFigure).join("\n"));
  if (!figures.every(isMet)) process.exitCode = 1;
}
