import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { installFakes, isRunning } from "../helpers/fake-clis.ts";
import {
  askFake,
  assertAtRest,
  drop,
  evidence,
  judgeAll,
  listUndelivered,
  makeState,
  question,
  getVerdicts,
  transcriptKey,
} from "../helpers/queue.ts";
import { startWatch } from "../helpers/watch-process.ts";
import { waitFor } from "../helpers/wait-for.ts";

test("a job that kills its watcher three times is dead", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  drop(paths, "q1.json", question());
  for (const attempts of [".", "..", "..."]) {
    const { exited } = await startWatch(t, paths, {
      args: ["--once"],
      env: { ...askFake(path), CATSTACK_CRASH_AT: "C7 spawned" },
    });
    assert.equal((await exited).signal, "SIGKILL");
    assert.equal(readFileSync(join(paths.attempts, "q1"), "utf8"), attempts);
  }
  await judgeAll(paths, { env: askFake(path) });
  assert.deepEqual(listDir(paths.dead).sort(), ["q1.json", "q1.json.reason.json"]);
  assert.match(getVerdicts(paths)[0]?.reason ?? "", /tried 3 times/);
  assertAtRest(paths);
});

for (const fake of ["waits-for-child", "waits-for-bare-child", "escapes-then-hangs"]) {
  // What left the group is found by its environment, which only Linux shows.
  const skip = process.platform !== "linux" && fake === "escapes-then-hangs";
  test(`what a killed watcher left running is ended before its job runs again: ${fake}`, { skip }, async (t) => {
    const paths = makeState(t);
    const fakes = installFakes(t, { model: fake });
    drop(paths, `${fake}-1.json`, question());
    const { child, exited } = await startWatch(t, paths, { env: askFake(fakes.path) });
    const pids = await fakes.waitForPids("model");
    assert.ok(pids.length >= 2);
    child.kill("SIGKILL");
    await exited;
    assert.ok(pids.every(isRunning), "they outlive the watcher");
    const end = await judgeAll(paths, { settings: { jobsPerHour: 0 } });
    assert.equal(end.left, 1, "it did not run again yet");
    assert.deepEqual(pids.filter(isRunning), []);
    const other = installFakes(t, { model: "answers" });
    await judgeAll(paths, { env: askFake(other.path) });
    assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
    assertAtRest(paths);
  });
}

/** Two watchers with two slots each interrupt four jobs a round, so that at most four of ten can be interrupted three times. */
const KILL_ROUNDS = 3;

test("ten jobs, two watchers killed again and again at random: ten verdicts, each once", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  const env = askFake(path);
  const ids = Array.from({ length: 10 }, (_, index) => `q${index}`);
  for (const id of ids) drop(paths, `${id}.json`, question());
  const random = createRandom(20_261_130);
  const seen = new Map<string, string>();
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const watchers = await Promise.all([startWatch(t, paths, { env }), startWatch(t, paths, { env })]);
    await Promise.all(
      watchers.map(async ({ child, ready, exited }) => {
        await ready;
        await delay(random() * 250);
        child.kill("SIGKILL");
        await exited;
      }),
    );
    for (const { id, finished_at } of getVerdicts(paths)) {
      assert.equal(seen.get(id) ?? finished_at, finished_at, `the verdict on ${id} never changes`);
      seen.set(id, finished_at);
    }
    assert.ok(seen.size + countJobs(paths) >= ids.length, "every job is somewhere at every moment");
  }
  const last = await Promise.all([
    startWatch(t, paths, { env, args: ["--once"] }),
    startWatch(t, paths, { env, args: ["--once"] }),
  ]);
  for (const { exited } of last) assert.deepEqual(await exited, { code: 0, signal: null });
  await judgeAll(paths, { env });
  const verdicts = getVerdicts(paths);
  assertAnsweredOrTried(paths, verdicts, ids);
  for (const { id, finished_at } of verdicts) assert.equal(seen.get(id) ?? finished_at, finished_at);
  assert.deepEqual(
    listUndelivered(paths),
    ids.map((id) => `${transcriptKey}/${id}`),
  );
  assertAtRest(paths);
});

test("two watchers that race for two hundred jobs judge each once", async (t) => {
  const paths = makeState(t);
  const watchers = await Promise.all([startWatch(t, paths), startWatch(t, paths)]);
  await Promise.all(watchers.map(({ ready }) => ready));
  const ids = Array.from({ length: 200 }, (_, index) => `e${String(index).padStart(3, "0")}`);
  for (const id of ids) {
    const temporary = join(paths.tmp, id);
    writeFileSync(temporary, JSON.stringify(evidence()));
    renameSync(temporary, join(paths.inbox, `${id}.json`));
  }
  await waitFor("200 verdicts", () => (listDir(paths.outbox).length === 200 ? true : undefined));
  for (const { child } of watchers) child.kill("SIGTERM");
  for (const { exited } of watchers) assert.deepEqual(await exited, { code: 0, signal: null });
  const events = readFileSync(paths.judgeLog, "utf8").trim().split("\n").map(readEvent);
  assert.deepEqual(events.flatMap(({ event, id }) => (event === "job:judged" ? [String(id)] : [])).sort(), ids);
  const claims = events.flatMap(({ event, id }) => (event === "job:claimed" ? [id] : []));
  assert.equal(claims.length, 200, "claimed by one watcher alone");
  assertAtRest(paths);
});

test("the second signal kills the runner at once, and the job goes back", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "ignores-term" });
  drop(paths, "q1.json", question());
  const { child, exited, stdout } = await startWatch(t, paths, { env: askFake(fakes.path) });
  const [pid = 0] = await fakes.waitForPids("model");
  assert.match(stdout(), /^catstack watch: ready, watching .*inbox, 2 at a time\n$/);
  child.kill("SIGTERM");
  child.kill("SIGINT");
  assert.deepEqual(await exited, { code: 0, signal: null });
  const log = readFileSync(paths.judgeLog, "utf8");
  assert.match(log, /"watcher:note","message":"SIG(TERM|INT): what runs is ended at once"/, "not the end of the grace");
  assert.equal(isRunning(pid), false);
  assertAtRest(paths, ["q1.json"]);
});

test("watch --once sums up what it did and ends with 0", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", evidence());
  drop(paths, "e2.json", evidence({ answer: { hit: false } }));
  drop(paths, "b1.json", evidence({ on_hit: 5 }));
  const { exited, stdout } = await startWatch(t, paths, { args: ["--once"] });
  assert.deepEqual(await exited, { code: 0, signal: null });
  assert.equal(stdout(), "judged 2 (1 hit, 1 clean, 0 unchecked), 1 dead, 0 left in the inbox\n");
  assert.equal(existsSync(paths.judgeLog), true);
});

/** One verdict an id: a hit, or else that it was tried three times, and then it is in dead/ too. */
function assertAnsweredOrTried(paths: StatePaths, verdicts: readonly Verdict[], ids: readonly string[]): void {
  assert.deepEqual(
    verdicts.map(({ id }) => id),
    ids,
  );
  const tried = verdicts.filter(({ outcome }) => outcome !== "hit");
  assert.ok(verdicts.length - tried.length >= 6, "most are answered in spite of it");
  for (const { outcome, reason } of tried) assert.match(`${outcome}: ${reason}`, /^unchecked: tried 3 times/);
  const dead = listDir(paths.dead).filter((name) => !name.endsWith(".reason.json"));
  assert.deepEqual(
    dead.sort(),
    tried.map(({ id }) => `${id}.json`),
  );
}

/** Job files in the inbox, in claims and in claims that are being given back. */
function countJobs({ inbox, claimed, reclaim }: { inbox: string; claimed: string; reclaim: string }): number {
  const folders = [inbox, ...[claimed, reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)))];
  return folders.flatMap(listDir).filter((name) => /^[a-z0-9-]+\.json$/.test(name)).length;
}

function readEvent(line: string): { event: unknown; id: unknown } {
  const value: unknown = JSON.parse(line);
  assert.ok(typeof value === "object" && value !== null && "event" in value);
  return { event: value.event, id: "id" in value ? value.id : undefined };
}

/** Numbers from 0 to 1 that come out the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
