// node --import tsx tests/bench/queue.ts [--json]: how soon a job is claimed, what bursts do, and what an idle watcher costs.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createComplaints } from "../../judge/health/complaints.ts";
import { openInboxLoop } from "../../judge/inbox/inbox-loop.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type StatePaths } from "../../lib/io/paths.ts";
import { distDir } from "../helpers/run-command.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** One figure; `budget` where the project promises one: the value may be as large and no larger. */
export interface QueueFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "jobs" | "MB" | "% of a core" | "x";
  readonly budget?: number;
}

const DROPS = 200;
const BURST_FILES = 10_000;
const DRAINED = 1000;
const WRITERS = 4;
const IDLE_MS = 20_000;

/** About a minute. Needs the built `catstack`; folders of its own, nothing of this account's. */
export async function measureQueue(): Promise<QueueFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), "catstack-bench-"));
  try {
    const idle = await withWatcher(join(folder, "idle"), async (paths, watcher) => [
      ...(await measureClaims(paths)),
      ...(await measureIdle(watcher)),
    ]);
    const burst = await measureBurst(join(folder, "burst"));
    const drained = await withWatcher(join(folder, "drain"), measureDrain);
    return [...idle, ...burst, ...drained];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From just before the rename into the inbox to the log's line that the job is claimed, one job at a time. */
async function measureClaims(paths: StatePaths): Promise<QueueFigure[]> {
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

/** 10,000 files in bursts of 100 by four processes: from just before the rename to the first listing that holds it. */
async function measureBurst(root: string): Promise<QueueFigure[]> {
  const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
  prepareState(paths);
  const taken = join(root, "taken");
  mkdirSync(taken);
  const waits = new Map<string, number>();
  let again = 0;
  const loop = await openInboxLoop({
    paths,
    complaints: createComplaints((event) => console.error(JSON.stringify(event))),
    onFailure(error) {
      throw error;
    },
    look(names) {
      const now = process.hrtime.bigint();
      for (const name of names) {
        if (waits.has(name)) again += 1;
        waits.set(name, Number(now - BigInt(name.split("-")[2]?.replace(".json", "") ?? 0)) / 1e6);
        renameSync(join(paths.inbox, name), join(taken, name));
      }
    },
  });
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => runWriter(paths, writer)));
  await delay(2500);
  await loop.close();
  const times = [...waits.values()];
  const missed = BURST_FILES - waits.size;
  return [
    { name: "10,000 jobs in bursts, missed", value: missed, unit: "jobs", budget: 0 },
    { name: "10,000 jobs in bursts, seen again", value: again, unit: "jobs", budget: 0 },
    { name: "10,000 jobs in bursts, written to listed, p50", value: getQuantile(times, 0.5), unit: "ms" },
    { name: "10,000 jobs in bursts, written to listed, p99", value: getQuantile(times, 0.99), unit: "ms", budget: 300 },
  ];
}

/** A thousand jobs that bring their own answer, all at once: what one costs beside the least that is durable, one synced file. */
async function measureDrain(paths: StatePaths): Promise<QueueFigure[]> {
  const written = Array.from({ length: DRAINED }, (_, index) => writeEvidence(paths, `drain-${index}`));
  for (const [index, path] of written.entries()) renameSync(path, join(paths.inbox, `drain-${index}.json`));
  await waitForVerdicts(paths, DRAINED);
  const log = readLog(paths);
  const judged = log.filter(({ event }) => event === "job:judged");
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

async function measureIdle({ pid = 0 }: ChildProcess): Promise<QueueFigure[]> {
  if (process.platform !== "linux") return [];
  const before = readTicks(pid);
  await delay(IDLE_MS);
  const ticks = readTicks(pid) - before;
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return [
    // A tick is 10 ms.
    { name: "idle watcher", value: (ticks * 10 * 100) / IDLE_MS, unit: "% of a core", budget: 0.5 },
    { name: "idle watcher", value: Number(kilobytes) / 1024, unit: "MB", budget: 80 },
  ];
}

function readTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

async function withWatcher<T>(root: string, run: (paths: StatePaths, watcher: ChildProcess) => Promise<T>): Promise<T> {
  const env = { PATH: process.env["PATH"], HOME: root, CATSTACK_LLM_JUDGE_STATE_DIR: root };
  const paths = getStatePaths(env);
  prepareState(paths);
  const watcher = spawn(process.execPath, [join(distDir, "catstack.mjs"), "watch"], {
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

const writer = `
  import { renameSync, writeFileSync } from "node:fs";
  const [tmp, inbox, writer, count] = process.argv.slice(1);
  for (let index = 1; index <= Number(count); index++) {
    const path = tmp + "/" + writer + "-" + index;
    writeFileSync(path, "x".repeat(500));
    renameSync(path, inbox + "/" + writer + "-" + index + "-" + process.hrtime.bigint() + ".json");
    if (index % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }`;

function runWriter(paths: StatePaths, name: number): Promise<void> {
  const args = [
    "--input-type=module",
    "-e",
    writer,
    paths.tmp,
    paths.inbox,
    String(name),
    String(BURST_FILES / WRITERS),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: "inherit" });
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`expected a writer to end with 0, got ${code}`)),
    );
  });
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

function getQuantile(values: readonly number[], quantile: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });
  const figures = await measureQueue();
  if (values.json) console.log(JSON.stringify(figures, undefined, 2));
  for (const { name, value, unit, budget } of values.json ? [] : figures) {
    console.log(`${name}: ${value.toFixed(2)} ${unit}${budget === undefined ? "" : `, budget ${budget}`}`);
  }
  if (figures.some(({ value, budget = Infinity }) => value > budget)) process.exitCode = 1;
}
