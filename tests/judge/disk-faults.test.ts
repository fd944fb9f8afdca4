import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { watch } from "../../cli/watch.ts";
import type { JudgeEvent } from "../../judge/events.ts";
import { countAttempts } from "../../judge/state/attempts.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { makeGate } from "../helpers/gate.ts";
import {
  assertAtRest,
  drop,
  evidence,
  getVerdicts,
  makeState,
  question,
  watchInProcess,
  type TestWatcher,
} from "../helpers/queue.ts";
import { runCommand } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { mountSmallDisk, type SmallDisk } from "../helpers/small-disk.ts";
import { waitFor } from "../helpers/wait-for.ts";

// Real disks that are full or read-only, and folders that vanish under a watcher. Each ends with one verdict for each job.

async function getDisk(t: TestContext): Promise<SmallDisk | undefined> {
  const disk = await mountSmallDisk(t);
  lacks(t, disk !== undefined, "the right to mount a disk in a namespace of its own");
  return disk;
}

/** Writes a job while there is room, for `release` to move into the inbox, which takes none. */
function prepare({ root, inbox }: StatePaths, name: string, job: unknown): () => void {
  const path = join(dirname(root), name);
  writeFileSync(path, JSON.stringify(job));
  return () => renameSync(path, join(inbox, name));
}

const filter = (watcher: TestWatcher, name: JudgeEvent["event"], what = "") =>
  watcher.events.filter((event) => event.event === name && (!("what" in event) || event.what.startsWith(what)));

async function waitForTrouble(watcher: TestWatcher, what: string, count = 1): Promise<void> {
  await waitFor(`trouble with ${what}`, () => (filter(watcher, "watcher:error", what)[count - 1] ? true : undefined));
}

async function waitForEndOf(watcher: TestWatcher, what: string): Promise<void> {
  await waitFor(`an end of the trouble with ${what}`, () => filter(watcher, "watcher:recovered", what)[0]);
}

function assertOneHit(paths: StatePaths, id: string): void {
  assert.deepEqual(
    getVerdicts(paths).map((verdict) => [verdict.id, verdict.outcome]),
    [[id, "hit"]],
  );
}

describe("disks and folders", { concurrency: true }, () => {
  test("on a full disk a hook exits 0 with one line, and leaves neither half a job nor a temporary file", async (t) => {
    const disk = await getDisk(t);
    if (disk === undefined) return;
    const { paths } = disk;
    const folder = makeTempDir(t);
    const root = fileURLToPath(new URL("../..", import.meta.url));
    assert.equal(spawnSync(process.execPath, ["build.mjs", folder], { cwd: root }).status, 0);
    const transcript = join(folder, "session.jsonl");
    copyFileSync(join(root, "fixtures/transcripts/claude/flip.jsonl"), transcript);
    const payload = {
      session_id: "11111111-2222-4333-8444-555555555555",
      transcript_path: transcript,
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: "Renamed. Everything is in place.",
    };
    const run = () =>
      runCommand(process.execPath, [join(folder, "hook.mjs"), "claude"], {
        env: {
          HOME: folder,
          CATSTACK_LLM_JUDGE_STATE_DIR: paths.root,
          VERDICT_FLIP_WATCH_STATE_DIR: join(paths.root, "flips"),
        },
        stdin: JSON.stringify(payload),
      });
    disk.fill();
    const full = await run();
    assert.equal(full.code, 0);
    const errors = full.stderr.split("\n").filter((line) => line.startsWith("catstack-hook-error"));
    assert.equal(errors.length, 1, full.stderr);
    assert.match(errors[0] ?? "", /ENOSPC/);
    assert.match(full.stdout, /systemMessage/, "the person is told all the same");
    for (const dir of [paths.inbox, paths.tmp, join(paths.root, "flips")]) assert.deepEqual(listDir(dir), [], dir);
    disk.makeRoom();
    const free = await run();
    assert.deepEqual([free.code, /catstack-hook-error/.test(free.stderr), listDir(paths.tmp)], [0, false, []]);
    assert.equal(listDir(paths.inbox).length, 1);
  });

  test("on a full disk nobody is asked whose attempt cannot be counted, until there is room", async (t) => {
    const disk = await getDisk(t);
    if (disk === undefined) return;
    const { paths } = disk;
    const gate = makeGate(t);
    gate.open();
    const release = prepare(paths, "q1.json", question());
    const watcher = await watchInProcess(paths, { env: gate.env });
    disk.fill();
    release();
    await waitForTrouble(watcher, "job files (ENOSPC)");
    await waitForTrouble(watcher, "writing the health file");
    assert.deepEqual([gate.countRuns(), countAttempts(paths, "q1")], [0, 0]);
    disk.makeRoom();
    await watcher.waitForEvent("job:judged", "q1");
    await waitForEndOf(watcher, "writing the health file");
    await waitForEndOf(watcher, "job files (ENOSPC)");
    assertOneHit(paths, "q1");
    assert.equal(gate.countRuns(), 1);
    assert.deepEqual([listDir(paths.attempts), listDir(paths.inbox), listDir(paths.tmp)], [[], [], []]);
  });

  test("an answer that finds the disk full is kept until there is room, and asked for once", async (t) => {
    const disk = await getDisk(t);
    if (disk === undefined) return;
    const { paths } = disk;
    const gate = makeGate(t);
    drop(paths, "q1.json", question());
    const watcher = await watchInProcess(paths, { env: gate.env });
    await gate.waitForRun();
    disk.fill();
    gate.open();
    await waitForTrouble(watcher, "writing the verdict on q1");
    assert.deepEqual([getVerdicts(paths), listDir(paths.tmp)], [[], []]);
    disk.makeRoom();
    await watcher.waitForEvent("job:judged", "q1");
    await waitForEndOf(watcher, "writing the verdict on q1");
    assertOneHit(paths, "q1");
    assert.equal(gate.countRuns(), 1);
  });

  test("a disk that becomes read-only stops nothing for good", async (t) => {
    const disk = await getDisk(t);
    if (disk === undefined) return;
    const { paths } = disk;
    const gate = makeGate(t);
    drop(paths, "q1.json", question());
    const release = prepare(paths, "e1.json", evidence());
    const watcher = await watchInProcess(paths, { env: gate.env });
    await gate.waitForRun();
    await disk.remount("ro");
    gate.open();
    for (const what of ["writing the verdict on q1", "writing the health file"]) await waitForTrouble(watcher, what);
    await disk.remount("rw");
    await watcher.waitForEvent("job:judged", "q1");
    assertOneHit(paths, "q1");
    release();
    await watcher.waitForEvent("job:judged", "e1");
    await waitForEndOf(watcher, "writing the health file");
    assert.equal(gate.countRuns(), 1);
  });

  test("a watcher that is started on a read-only disk ends with 77 and says where", async (t) => {
    const disk = await getDisk(t);
    if (disk === undefined) return;
    await disk.remount("ro");
    const err: string[] = [];
    const code = await watch(["--once"], {
      env: { HOME: makeTempDir(t), CATSTACK_LLM_JUDGE_STATE_DIR: disk.paths.root },
      stdin: process.stdin,
      now: () => new Date(),
      out: () => {},
      err: (line) => void err.push(line),
      color: false,
      cwd: "/",
    });
    assert.equal(code, 77);
    assert.match(err.join("\n"), /state directory that can be written, got Error: EROFS.*\/state'/);
  });

  test("a watcher whose whole state directory is removed ends with 75, and the next one makes it anew", async (t) => {
    const paths = makeState(t);
    const watcher = await watchInProcess(paths);
    rmSync(paths.root, { recursive: true });
    assert.equal((await watcher.ended).code, 75);
    const next = await watchInProcess(paths);
    drop(paths, "e1.json", evidence());
    await next.waitForEvent("job:judged", "e1");
    assertOneHit(paths, "e1");
  });

  test("folders that are removed under a watcher are made anew when they are needed", async (t) => {
    const paths = makeState(t);
    const gate = makeGate(t);
    gate.open();
    const watcher = await watchInProcess(paths, { env: gate.env });
    const { tmp, attempts, outbox, undelivered, dead, reclaim } = paths;
    for (const dir of [tmp, attempts, outbox, undelivered, dead, reclaim]) rmSync(dir, { recursive: true });
    drop(paths, "q1.json", question());
    await watcher.waitForEvent("job:judged", "q1");
    drop(paths, "b1.json", "[1]", 60_000);
    await watcher.waitForEvent("job:dead", "b1");
    assertOneHit(paths, "q1");
    assert.deepEqual(listDir(dead).sort(), ["b1.json", "b1.json.reason.json"]);
  });

  test("a job whose claim is removed while it runs is lost, and judged when it is dropped again", async (t) => {
    const paths = makeState(t);
    const gate = makeGate(t);
    drop(paths, "q1.json", question());
    const watcher = await watchInProcess(paths, { env: gate.env });
    await gate.waitForRun();
    const [instance = ""] = listDir(paths.claimed);
    rmSync(join(paths.claimed, instance), { recursive: true });
    gate.open();
    await watcher.waitForEvent("job:lost", "q1");
    assert.deepEqual(getVerdicts(paths), []);
    drop(paths, "q1.json", question());
    await watcher.waitForEvent("job:judged", "q1");
    assertOneHit(paths, "q1");
    await waitFor("an end of the lock", () => (listDir(paths.locks).length === 1 ? true : undefined));
  });

  test("an inbox that is replaced by a file is complained of once, and goes on when it is one again", async (t) => {
    const paths = makeState(t);
    const watcher = await watchInProcess(paths);
    rmSync(paths.inbox, { recursive: true });
    writeFileSync(paths.inbox, "");
    await waitForTrouble(watcher, "reading the inbox");
    unlinkSync(paths.inbox);
    await waitForEndOf(watcher, "reading the inbox");
    drop(paths, "e1.json", evidence());
    await watcher.waitForEvent("job:judged", "e1");
    assert.equal(filter(watcher, "watcher:error", "reading the inbox").length, 1);
  });

  test("an inbox that is replaced by a link to a folder is that folder", async (t) => {
    const paths = makeState(t);
    const elsewhere = join(dirname(paths.root), "elsewhere");
    mkdirSync(elsewhere);
    const watcher = await watchInProcess(paths);
    rmSync(paths.inbox, { recursive: true });
    symlinkSync(elsewhere, paths.inbox);
    writeFileSync(join(elsewhere, "e1.json"), JSON.stringify(evidence()));
    await watcher.waitForEvent("job:judged", "e1");
    assertOneHit(paths, "e1");
    watcher.stop("test");
    await watcher.ended;
    assertAtRest(paths);
  });
});
