import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { openClaims, type Claim } from "../../judge/claim.ts";
import { createEventBus, type JudgeEvent } from "../../judge/events.ts";
import { createComplaints } from "../../judge/health/complaints.ts";
import type { Waiting } from "../../judge/inbox/inbox.ts";
import { createInstance, writeInstance } from "../../judge/state/instance.ts";
import { createJobEffects } from "../../judge/job-effects.ts";
import { createJobWorker } from "../../judge/schedule/job-worker.ts";
import { openStarts } from "../../judge/schedule/starts.ts";
import type { JobEffects } from "../../judge/process-job.ts";
import { publishPatiently } from "../../judge/publish-patiently.ts";
import { parseAnswer } from "../../judge/runners/answer.ts";
import { createShutdown } from "../../judge/supervision/shutdown.ts";
import { readInstances } from "../../lib/io/instance.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { installFakes, makeTempDir } from "../helpers/fake-clis.ts";
import {
  askFake,
  assertAtRest,
  drop,
  evidence,
  judgeAll,
  makeState,
  question,
  readReason,
  getVerdicts,
  watchInProcess,
} from "../helpers/queue.ts";
import { lacks } from "../helpers/skip.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { startWatch } from "../helpers/watch-process.ts";

const onlyLinux = { skip: process.platform !== "linux" && "needs /proc" };

// What the system does to a watcher: full disks, permissions, files that come and go between two steps.

const waiting = (name: string, kind: Waiting["kind"]): Waiting => {
  return { name, kind, changedAt: 0, droppedAt: Date.now(), expiresAt: Infinity, hook: "" };
};

/** One worker without the watcher around it. `change` replaces some of what its jobs do to the world. */
async function openWorker(
  t: TestContext,
  paths: StatePaths,
  {
    env = { HOME: paths.root },
    change = () => ({}),
  }: { env?: Env; change?: (effects: JobEffects) => Partial<JobEffects> } = {},
) {
  const events: JudgeEvent[] = [];
  const bus = createEventBus((error) => assert.fail(String(error)));
  bus.subscribe((event) => void events.push(event));
  const shutdown = createShutdown(0);
  const limits = { concurrency: 1, jobsPerHour: 9, jobsPerDay: 9, hookShare: 1, maxWaiting: 0, tripPerMinute: 0 };
  const settings = { ...limits, runners: {} };
  const own = createJobEffects({
    paths,
    starts: openStarts(paths),
    env,
    getSettings: () => settings,
    now: () => new Date(),
    emit: bus.emit,
    shutdown,
  });
  const effects = { ...own, ...change(own) };
  const claims = await openClaims(paths, "me", () => {});
  t.after(() => claims.close());
  return {
    worker: createJobWorker({ claims, effects, bus, complaints: createComplaints(bus.emit) }),
    events,
    shutdown,
  };
}

test("a claim whose lock fails goes back, and to dead/ where its name was taken meanwhile", async (t) => {
  const paths = makeState(t);
  const { worker, events } = await openWorker(t, paths);
  mkdirSync(join(paths.locks, "me.e1"));
  drop(paths, "e1.json", evidence());
  await worker.work(waiting("e1.json", "evidence"));
  assert.deepEqual(listDir(paths.inbox), ["e1.json"]);
  const done = worker.work(waiting("e1.json", "evidence"));
  drop(paths, "e1.json", "a second one");
  await done;
  assert.equal(readFileSync(join(paths.inbox, "e1.json"), "utf8"), "a second one");
  assert.equal(readReason(paths, "e1.json")["code"], "superseded");
  assert.deepEqual(listDir(join(paths.claimed, "me")), []);
  assert.deepEqual(
    events.flatMap(({ event }) => (event.startsWith("job:") ? [event] : [])),
    ["job:claimed", "job:requeued", "job:claimed", "job:dead"],
  );
});

const enospc = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

test("a verdict that cannot be written at the end of the watcher leaves its job as it was", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  const { worker, events, shutdown } = await openWorker(t, paths, {
    env: askFake(path),
    change: () => ({
      publish: ({ id }) =>
        publishPatiently(
          () => {
            throw enospc();
          },
          { id, signal: shutdown.signal, emit: (event) => void events.push(event) },
        ),
    }),
  });
  drop(paths, "q1.json", question());
  drop(paths, "e1.json", evidence());
  const done = Promise.all([worker.work(waiting("q1.json", "default")), worker.work(waiting("e1.json", "evidence"))]);
  await waitFor("two complaints", () =>
    events.filter(({ event }) => event === "watcher:error").length > 1 ? true : undefined,
  );
  shutdown.kill("test");
  await done;
  assert.deepEqual(
    events.filter(({ event }) => event === "job:requeued").map((event) => ("reason" in event ? event.reason : "")),
    ["the watcher is stopping", "the watcher is stopping"],
  );
  assertAtRest({ ...paths, claimed: join(paths.claimed, "me"), locks: join(paths.root, "none") }, [
    "e1.json",
    "q1.json",
  ]);
});

test("a job whose verdict cannot be written for good is asked three times, and no more", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  const publish = () => Promise.reject(enospc());
  const { worker, events } = await openWorker(t, paths, { env: askFake(path), change: () => ({ publish }) });
  drop(paths, "q1.json", question({ mode: "investigate" }));
  for (let round = 0; round < 4; round++) await worker.work(waiting("q1.json", "investigate"));
  assert.equal(events.filter(({ event }) => event === "job:start").length, 3);
  assert.deepEqual([listDir(paths.attempts), listDir(paths.inbox)], [[], []]);
  assert.equal(readReason(paths, "q1.json")["code"], "attempts");
  assert.deepEqual(
    getVerdicts(paths).map(({ id, outcome }) => [id, outcome]),
    [["q1", "unchecked"]],
  );
});

test("a job whose runner cannot be started for want of room may be tried as often as before", async (t) => {
  const paths = makeState(t);
  const change = () => ({ ask: () => Promise.reject(enospc()) });
  const { worker } = await openWorker(t, paths, { change });
  drop(paths, "q1.json", question());
  for (let round = 0; round < 4; round++) await worker.work(waiting("q1.json", "default"));
  assert.deepEqual([listDir(paths.attempts), listDir(paths.dead), listDir(paths.inbox)], [[], [], ["q1.json"]]);
});

test("a claim that is removed while its runner starts keeps no lock: the same job can be judged later", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  let isFirst = true;
  const change = (own: JobEffects) => ({
    addAttempt(id: string) {
      own.addAttempt(id);
      if (isFirst) rmSync(join(paths.claimed, "me"), { recursive: true });
      isFirst = false;
    },
  });
  const { worker, events } = await openWorker(t, paths, { env: askFake(path), change });
  for (const end of ["job:lost", "job:judged"]) {
    drop(paths, "q1.json", question());
    await worker.work(waiting("q1.json", "default"));
    assert.equal(events.findLast(({ event }) => event.startsWith("job:"))?.event, end);
    assert.deepEqual(listDir(paths.locks), ["me"]);
  }
});

test("a bad file that cannot be moved to dead/ stays claimed, is told of once and goes there when that works", async (t) => {
  const paths = makeState(t);
  rmdirSync(paths.dead);
  // No file can be moved to another file system.
  symlinkSync("/dev", paths.dead);
  drop(paths, "b1.json", evidence({ on_hit: 5 }));
  const watcher = await watchInProcess(paths);
  await watcher.waitForEvent("watcher:error");
  const [verdict, ...more] = getVerdicts(paths);
  assert.deepEqual([verdict?.id, more, listDir(paths.inbox)], ["b1", [], []]);
  unlinkSync(paths.dead);
  await watcher.waitForEvent("job:dead", "b1");
  assert.equal(readReason(paths, "b1.json")["code"], "invalid");
  assert.deepEqual(getVerdicts(paths), [verdict]);
  const jobEvents = watcher.events.flatMap(({ event }) => (event.startsWith("job:") ? [event] : []));
  assert.deepEqual(jobEvents, ["job:claimed", "job:dead"]);
  watcher.kill("it is enough");
  await watcher.ended;
  assertAtRest(paths);
});

test("a death that cannot be carried out before its watcher ends is left to the next one, whatever is dropped meanwhile", async (t) => {
  const paths = makeState(t);
  rmdirSync(paths.dead);
  // No file can be moved to another file system.
  symlinkSync("/dev", paths.dead);
  const { worker } = await openWorker(t, paths);
  drop(paths, "b1.json", "[1]", 60_000);
  await worker.work(waiting("b1.json", "bad"));
  assert.deepEqual(listDir(join(paths.claimed, "me")).sort(), ["b1.death.json", "b1.json"]);
  unlinkSync(paths.dead);
  drop(paths, "b1.json", evidence());
  await judgeAll(paths);
  assert.deepEqual(listDir(paths.dead).sort(), ["b1.json", "b1.json.reason.json"]);
  assert.equal(readFileSync(join(paths.dead, "b1.json"), "utf8"), "[1]");
  assert.deepEqual(
    getVerdicts(paths).map(({ outcome }) => outcome),
    ["hit"],
  );
});

for (const [what, change, dead] of [
  ["another file of its name", (path: string) => writeFileSync(path, JSON.stringify(evidence())), []],
  ["the file itself", () => {}, ["e1.json", "e1.json.reason.json"]],
] as const) {
  test(`a death that a killed watcher had begun is finished for the file that it is about: ${what}`, async (t) => {
    const paths = makeState(t);
    drop(paths, "e1.json", "[1]", 60_000);
    const env = { CATSTACK_CRASH_AT: "X1 recorded" };
    const { exited } = await startWatch(t, paths, { args: ["--once"], env });
    assert.equal((await exited).signal, "SIGKILL");
    const [instance = ""] = listDir(paths.claimed);
    assert.deepEqual(listDir(join(paths.claimed, instance)).sort(), ["e1.death.json", "e1.json"]);
    change(join(paths.claimed, instance, "e1.json"));
    await judgeAll(paths);
    assert.deepEqual(listDir(paths.dead).sort(), dead);
    assert.deepEqual(
      getVerdicts(paths).map(({ outcome }) => outcome),
      dead.length === 0 ? ["hit"] : [],
    );
    assertAtRest(paths);
  });
}

test("a watcher that cannot read what it may spend says so, asks nobody and judges what asks nobody", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  drop(paths, "q1.json", question());
  const watcher = await watchInProcess(paths, { env: askFake(path) });
  await watcher.waitForEvent("job:start", "q1");
  rmSync(paths.starts, { force: true });
  mkdirSync(paths.starts);
  await watcher.waitForEvent("job:judged", "q1");
  const complaint = await watcher.waitForEvent("watcher:error");
  assert.match("message" in complaint ? complaint.message : "", /EISDIR|expected a file/);
  drop(paths, "q2.json", question());
  drop(paths, "e1.json", evidence());
  await watcher.waitForEvent("job:judged", "e1");
  assert.equal(listDir(paths.inbox).length, 1, "nobody is asked as long as nobody knows what may be spent");
  rmdirSync(paths.starts);
  await watcher.waitForEvent("job:judged", "q2");
  const told = watcher.events.flatMap((event) => ("what" in event ? [[event.event, event.what]] : []));
  assert.deepEqual(told, [
    ["watcher:error", "counting starts"],
    ["watcher:recovered", "counting starts"],
  ]);
});

test("a health file that cannot be written is told of once, though each try has a temporary file of another name", async (t) => {
  const paths = makeState(t);
  mkdirSync(paths.health, { recursive: true });
  const watcher = await watchInProcess(paths);
  // Both its first and its last health fail.
  watcher.kill("it is enough");
  await watcher.ended;
  const messages = watcher.events.flatMap((event) =>
    event.event === "watcher:error" && event.what === "writing the health file" ? [event.message] : [],
  );
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? "", /EISDIR.*\.health\.json\.tmp' -> /);
});

test("a named pipe where a watcher adds to a file holds nobody up", onlyLinux, async (t) => {
  const paths = makeState(t);
  for (const path of [paths.judgeLog, join(paths.attempts, "q1")]) execFileSync("mkfifo", [path]);
  drop(paths, "q1.json", question());
  drop(paths, "e1.json", evidence());
  const { path } = installFakes(t, { model: "answers" });
  const { child, exited, stderr } = await startWatch(t, paths, { env: askFake(path) });
  await waitFor("a verdict on e1", () => (getVerdicts(paths).length === 1 ? true : undefined));
  for (const what of ["judge.log", "attempts/q1"])
    await waitFor(`a word on ${what}`, () =>
      stderr().includes(`ENXIO: no such device or address, open '${join(paths.root, what)}'`) ? true : undefined,
    );
  child.kill("SIGTERM");
  assert.deepEqual(await exited, { code: 0, signal: null });
});

test(
  "a watcher whose state directory cannot be made ends with 78, also where no parent of it is missing",
  onlyLinux,
  async (t) => {
    const paths = makeState(t);
    const env = { CATSTACK_LLM_JUDGE_STATE_DIR: "/proc/catstack" };
    const { child, stderr } = await startWatch(t, paths, { args: ["--once"], env });
    assert.equal(await waitFor("its end", () => child.exitCode ?? undefined), 78);
    assert.match(stderr(), /expected a state directory that can be written, got Error: ENOENT.*'\/proc\/catstack'/);
  },
);

test("a watcher that has no file to spare for its service manager says so and lives", onlyLinux, async (t) => {
  if (lacks(t, existsSync("/usr/bin/prlimit"), "the program prlimit")) return;
  const paths = makeState(t);
  const { child, exited, ready, stderr } = await startWatch(t, paths, { env: { NOTIFY_SOCKET: "/nowhere/notify" } });
  await ready;
  await waitFor("the first try", () => (stderr().includes("telling the service manager") ? true : undefined));
  const open = listDir(`/proc/${child.pid}/fd`).length;
  execFileSync("prlimit", [`--pid=${child.pid}`, `--nofile=${open + 3}`]);
  child.kill("SIGHUP");
  await waitFor("the second try", () => (stderr().includes("EMFILE") ? true : undefined));
  child.kill("SIGTERM");
  assert.deepEqual(await exited, { code: 0, signal: null });
});

test("a watcher that cannot start leaves no clock running and no trace", async (t) => {
  const paths = makeState(t);
  let looks = 0;
  const broken = {
    ...paths,
    get root(): string {
      // The first look is at the folders, the second one at what is to be watched.
      if ((looks += 1) > 1) throw enospc();
      return paths.root;
    },
  };
  const countClocks = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const before = countClocks();
  await assert.rejects(watchInProcess(broken, { env: { HOME: paths.root } }), /ENOSPC/);
  assert.equal(countClocks(), before);
  assertAtRest(paths);
});

test("a file that failed and was removed is forgotten, one that still lies somewhere is not", async (t) => {
  const paths = makeState(t);
  const publish = () => Promise.reject(enospc());
  const { worker } = await openWorker(t, paths, { change: () => ({ publish }) });
  for (const name of ["e1.json", "e2.json"]) {
    drop(paths, name, evidence());
    await worker.work(waiting(name, "evidence"));
  }
  assert.deepEqual([worker.isResting("e1.json"), worker.isResting("e2.json")], [true, true]);
  worker.forgetGone((name) => name === "e1.json");
  assert.deepEqual([worker.isResting("e1.json"), worker.isResting("e2.json")], [true, false]);
});

test("files that fail alike are told of once, until none of them fails any more", async (t) => {
  const paths = makeState(t);
  const names = ["e1.json", "e2.json", "e3.json"];
  let isFull = true;
  const change = (own: JobEffects) => ({
    publish: (verdict: Verdict) => (isFull ? Promise.reject(enospc()) : own.publish(verdict)),
  });
  const { worker, events } = await openWorker(t, paths, { change });
  const work = async (name: string) => worker.work(waiting(name, "evidence"));
  const listTold = () => events.flatMap((event) => ("what" in event ? [[event.event, event.what]] : []));
  for (const name of names) drop(paths, name, evidence());
  for (const name of [...names, ...names]) await work(name);
  const error = ["watcher:error", "job files (ENOSPC)"];
  assert.deepEqual(listTold(), [error]);
  isFull = false;
  await work("e1.json");
  worker.forgetGone((name) => name !== "e2.json");
  assert.deepEqual(listTold(), [error], "the third one is not known to work");
  await work("e3.json");
  assert.deepEqual(listTold(), [error, ["watcher:recovered", "job files (ENOSPC)"]]);
});

test("a lock that cannot be given back is tried again, and its job, which is over, is not called lost", async (t) => {
  const paths = makeState(t);
  const aside = join(paths.root, "aside");
  const change = (own: JobEffects) => ({
    drop(claim: Claim) {
      own.drop(claim);
      renameSync(paths.locks, aside);
      writeFileSync(paths.locks, "in the way");
    },
  });
  const { worker, events } = await openWorker(t, paths, { change });
  drop(paths, "e1.json", evidence());
  await worker.work(waiting("e1.json", "evidence"));
  unlinkSync(paths.locks);
  renameSync(aside, paths.locks);
  await waitFor("the lock to go", () => {
    worker.retryStranded();
    return existsSync(join(paths.locks, "me.e1")) ? undefined : true;
  });
  assert.deepEqual(
    events.map(({ event }) => event),
    ["job:claimed", "job:judged", "watcher:error"],
  );
});

test("what is wrong with codex's settings is said once, what is wrong with a job each time", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  mkdirSync(join(path, ".codex"));
  writeFileSync(join(path, ".codex", "config.toml"), "model = ");
  const refused = { mode: "investigate", cwd: "nowhere" };
  for (const id of ["q1", "q2"]) drop(paths, `${id}.json`, question(refused));
  const watcher = await watchInProcess(paths, { env: askFake(path), once: true });
  await watcher.ended;
  const notes = watcher.events.flatMap((event) => (event.event === "watcher:note" ? [event] : []));
  assert.equal(notes.filter(({ message }) => message.includes("config.toml")).length, 1);
  assert.deepEqual(notes.flatMap(({ id, message }) => (message.includes("refused cwd") ? [String(id)] : [])).sort(), [
    "q1",
    "q2",
  ]);
});

test("the temporary folder of a killed watcher goes with its runner, and nobody else's", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "waits-for-child" });
  const temp = makeTempDir(t);
  const elsewhere = makeTempDir(t);
  drop(paths, "q1.json", question());
  const env = { ...askFake(fakes.path), TMPDIR: temp };
  const { child, exited } = await startWatch(t, paths, { env });
  await fakes.waitForPids("model");
  child.kill("SIGKILL");
  await exited;
  const [left = "", ...more] = listDir(temp);
  const [instance = ""] = listDir(paths.claimed);
  assert.deepEqual([left.replace(/\w{6}$/, ""), more], [`catstack-judge-${instance}.`, []]);
  writeFileSync(join(temp, left, "note"), "of the runner");
  writeFileSync(join(elsewhere, "kept"), "");
  symlinkSync(elsewhere, join(temp, `catstack-judge-${instance}.AAAAAA`));
  const others = [`catstack-judge-${instance}.notours`, `catstack-judge-${instance}-1.AAAAAA`, "catstack-judge-AAAAAA"];
  for (const name of others) mkdirSync(join(temp, name));
  await judgeAll(paths, { env: { HOME: paths.root, TMPDIR: temp }, settings: { jobsPerHour: 0 } });
  assert.deepEqual(listDir(temp).sort(), [...others, `catstack-judge-${instance}.AAAAAA`].sort());
  assert.deepEqual(listDir(elsewhere), ["kept"]);
});

/** A million characters on which a pattern that tries every length would take hours. */
const million = 1_000_000;
for (const [what, hostile] of [
  ["a row of ~ that a ` ends", `${"~".repeat(million)}\``],
  ["a row of ` that one more ends", `${"`".repeat(million)} \``],
  ["spaces", `${" ".repeat(million)}x`],
  ["short rows", "~~~`".repeat(million / 4)],
  ["opened objects", '{"a":'.repeat(million / 5)],
] as const) {
  test(`an answer is found behind ${what}, and no fence is opened by it`, () => {
    assert.deepEqual(parseAnswer(`${hostile}\n{"a": 1}`), { a: 1 });
  });
}

test("a row of a million ~ opens a fence that a row as long closes", () => {
  const row = "~".repeat(million);
  assert.deepEqual(parseAnswer(`{"a": 1}\n${row}\n{"a": 2}\n~~~`), { a: 1 });
  assert.deepEqual(parseAnswer(`{"a": 1}\n${row}\n{"a": 2}\n${row}`), { a: 2 });
});

test("an instance without a time that can be read is none", (t) => {
  const paths = makeState(t);
  const instance = createInstance(new Date(0), "aa");
  writeInstance(paths, instance);
  assert.deepEqual(readInstances(paths), [instance]);
  writeInstance(paths, { ...instance, startedAt: "noon" });
  assert.deepEqual(readInstances(paths), []);
});

test("a watcher that is to end when all is done tries again what failed, until it works", async (t) => {
  const paths = makeState(t);
  rmdirSync(paths.dead);
  // No file can be moved to another file system.
  symlinkSync("/dev", paths.dead);
  drop(paths, "b1.json", evidence({ on_hit: 5 }));
  const watcher = await watchInProcess(paths, { once: true });
  await watcher.waitForEvent("watcher:error");
  unlinkSync(paths.dead);
  const { code, left } = await watcher.ended;
  assert.deepEqual([code, left, readReason(paths, "b1.json")["code"]], [0, 0, "invalid"]);
});

test("a watcher that is to end when all is done ends with 75 and names what failed every time", async (t) => {
  const paths = makeState(t);
  rmdirSync(paths.dead);
  // No file can be moved to another file system.
  symlinkSync("/dev", paths.dead);
  drop(paths, "b1.json", evidence({ on_hit: 5 }));
  drop(paths, "e1.json", evidence());
  const watcher = await watchInProcess(paths, { once: true });
  const { code, left, reason, tally } = await watcher.ended;
  assert.deepEqual([code, left, tally.counts.hit], [75, 0, 1]);
  assert.equal(reason, "tried 3 times in vain: b1.json; judge.log says why");
  assert.equal(watcher.events.filter(({ event }) => event === "job:claimed").length, 2);
  const [instance = ""] = listDir(paths.claimed);
  assert.deepEqual(listDir(join(paths.claimed, instance)).sort(), ["b1.death.json", "b1.json"]);
});

test("a watcher that is to end when all is done ends with 75 and the reason when it cannot read what it may spend", async (t) => {
  const paths = makeState(t);
  mkdirSync(paths.starts);
  drop(paths, "q1.json", question());
  // More than are judged at a time.
  for (let index = 0; index < 20; index++) drop(paths, `e${index}.json`, evidence());
  const { code, left, reason, tally } = await judgeAll(paths, { env: askFake("/nowhere") });
  assert.deepEqual([code, left, tally.counts.hit], [75, 1, 20]);
  assert.match(reason, /^nobody may be asked: Error: .*(EISDIR|expected a file)/);
});
