import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { watch } from "../../cli/watch.ts";
import { UsageError } from "../../cli/failure.ts";
import { createEventBus, type JudgeEvent } from "../../judge/events.ts";
import { createComplaints } from "../../judge/health/complaints.ts";
import { readHealth, readWatcherHealth } from "../../judge/health/health.ts";
import { startHealthReport } from "../../judge/health/report-health.ts";
import { measureLoopLag } from "../../judge/health/loop-lag.ts";
import { addToTally, emptyTally } from "../../judge/health/tally.ts";
import { writeRun } from "../../judge/state/run-file.ts";
import { createInstance } from "../../judge/state/instance.ts";
import { createIdleClock } from "../../judge/supervision/find-end.ts";
import { getPingMs, startNotifier, toMessages } from "../../judge/supervision/notify.ts";
import { trackProgram } from "../../judge/supervision/own-version.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { getOwnIdentity } from "../../lib/io/process-identity.ts";
import { installFakes, isRunning, makeTempDir } from "../helpers/fake-clis.ts";
import { canNotify, receiveNotifications } from "../helpers/notify-socket.ts";
import { askFake, assertAtRest, drop, evidence, makeState, question, watchInProcess } from "../helpers/queue.ts";
import { lacks } from "../helpers/skip.ts";
import { mountSmallDisk } from "../helpers/small-disk.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { copyProgram, startWatch, type WatchProcess } from "../helpers/watch-process.ts";

// How a watcher starts, hears, tells and ends, as its supervisor sees it.

const onlyLinux = { skip: process.platform !== "linux" && "needs /proc" };

type LogLine = Readonly<Record<string, unknown>>;

function readLog({ judgeLog }: StatePaths): LogLine[] {
  const text = existsSync(judgeLog) ? readFileSync(judgeLog, "utf8") : "";
  return text.split("\n").flatMap((line) => {
    const value: unknown = line === "" ? null : JSON.parse(line);
    return typeof value === "object" && value !== null ? [{ ...value }] : [];
  });
}

/** The line of the log that fits and comes after so many others. */
function waitForLine(paths: StatePaths, event: JudgeEvent["event"], { id, from = 0 }: { id?: string; from?: number }) {
  const fits = (line: LogLine) => line["event"] === event && (id === undefined || line["id"] === id);
  return waitFor(`${event} ${id ?? ""}`, () => readLog(paths).slice(from).find(fits));
}

function listEvents(paths: StatePaths): string[] {
  return readLog(paths).map(({ event, id }) => [event, id].filter((part) => typeof part === "string").join(" "));
}

function writeSettings(paths: StatePaths, text: string): void {
  const folder = join(paths.root, ".config", "catstack");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), text);
}

/** Waits until the process listens for SIGHUP, the last of its signals and the one that Node itself does not catch. */
function waitUntilCaught({ child }: WatchProcess): Promise<true> {
  return waitFor("a listener for SIGHUP", () => {
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    const caught = Number.parseInt(/^SigCgt:\s+[0-9a-f]+([0-9a-f])$/m.exec(status)?.[1] ?? "0", 16);
    return caught % 2 === 1 ? true : undefined;
  });
}

/** At the same time: most of them wait for a clock, and each has a process and a folder of its own. */
describe("a watcher under a supervisor", { concurrency: true }, () => {
  test("SIGHUP has the settings read again: changed ones count at once, broken ones change nothing", async (t) => {
    const paths = makeState(t);
    const fakes = installFakes(t, { model: "hangs" });
    writeSettings(paths, '{"judge": {"concurrency": 1}}');
    drop(paths, "q1.json", question());
    const { child, exited } = await startWatch(t, paths, {
      env: askFake(fakes.path) && { ...askFake(fakes.path), HOME: paths.root },
    });
    await waitForLine(paths, "job:start", { id: "q1" });
    drop(paths, "q2.json", question());
    drop(paths, "e1.json", evidence());
    await waitForLine(paths, "job:judged", { id: "e1" });

    writeSettings(paths, '{"judge": {\n  "concurrency": 99}}');
    child.kill("SIGHUP");
    const first = await waitForLine(paths, "watcher:reloaded", {});
    assert.deepEqual(first["changes"], []);
    const error = await waitForLine(paths, "watcher:error", {});
    assert.match(String(error["message"]), /concurrency.*line 2, column 18.*config\.json.*the old settings stay$/);
    const problems = readHealth(paths)?.problems.map(({ what }) => what);
    assert.deepEqual(problems, ["reading the settings"], "it is degraded until they are read");

    writeSettings(paths, '{"judge": {"concurrency": 2, "jobs_per_hour": 50, "jobs_per_dya": 9}}');
    const from = readLog(paths).length;
    child.kill("SIGHUP");
    const second = await waitForLine(paths, "watcher:reloaded", { from });
    assert.deepEqual(second["changes"], ["concurrency: 1, now 2", "jobs_per_hour: 60, now 50"]);
    const note = await waitForLine(paths, "watcher:note", { from });
    assert.equal(note["message"], "unknown key judge.jobs_per_dya; did you mean jobs_per_day?");
    await waitForLine(paths, "job:start", { id: "q2" });
    assert.deepEqual(
      listEvents(paths).filter((event) => !event.startsWith("job:claimed")),
      [
        "watcher:ready",
        "job:start q1",
        "job:judged e1",
        "watcher:error",
        "watcher:reloaded",
        "watcher:recovered",
        "watcher:reloaded",
        "watcher:note",
        "job:start q2",
      ],
    );
    assert.deepEqual(readHealth(paths)?.problems, []);
    child.kill("SIGTERM");
    child.kill("SIGINT");
    assert.deepEqual(await exited, { code: 0, signal: null });
    assertAtRest(paths, ["q1.json", "q2.json"]);
  });

  test("a signal that comes before the watcher is ready is heeded once it is", onlyLinux, async (t) => {
    const paths = makeState(t);
    const watcher = await startWatch(t, paths);
    await waitUntilCaught(watcher);
    watcher.child.kill("SIGHUP");
    await waitForLine(paths, "watcher:reloaded", {});
    const other = makeState(t);
    const ended = await startWatch(t, other);
    await waitUntilCaught(ended);
    ended.child.kill("SIGTERM");
    assert.deepEqual(await ended.exited, { code: 0, signal: null });
    watcher.child.kill("SIGTERM");
    await watcher.exited;
    assert.deepEqual(listEvents(paths).slice(0, 3), ["watcher:ready", "watcher:reloaded", "watcher:stopping"]);
    assert.deepEqual(listEvents(other), ["watcher:ready", "watcher:stopping", "watcher:stop"]);
  });

  test("SIGTERM gives running jobs their time, then ends them, gives the attempt back and requeues", async (t) => {
    const paths = makeState(t);
    const fakes = installFakes(t, { model: "ignores-term" });
    drop(paths, "q1.json", question());
    const { child, exited } = await startWatch(t, paths, { env: askFake(fakes.path) });
    const [pid = 0] = await fakes.waitForPids("model");
    child.kill("SIGTERM");
    await waitForLine(paths, "watcher:stopping", {});
    drop(paths, "e1.json", evidence());
    assert.equal(isRunning(pid), true);
    assert.deepEqual(await exited, { code: 0, signal: null });
    assert.equal(isRunning(pid), false);
    assert.deepEqual(listEvents(paths), [
      "watcher:ready",
      "job:claimed q1",
      "job:start q1",
      "watcher:stopping",
      "attempt:failed q1",
      "job:requeued q1",
      "watcher:stop",
    ]);
    assertAtRest(paths, ["e1.json", "q1.json"]);
  });

  test("SIGTERM ends a watcher whose verdict cannot be written to a full disk, and the job goes back", async (t) => {
    const disk = await mountSmallDisk(t);
    if (lacks(t, disk !== undefined, "unshare with a tmpfs")) return;
    const { paths } = disk ?? assert.fail();
    const prepared = join(paths.root, "e1.json");
    writeFileSync(prepared, JSON.stringify(evidence({ padding: "x".repeat(8192) })));
    const { child, exited, ready, stderr } = await startWatch(t, paths);
    await ready;
    disk?.fill();
    renameSync(prepared, join(paths.inbox, "e1.json"));
    await waitFor("a complaint", () => (stderr().includes("writing the verdict on e1") ? true : undefined));
    child.kill("SIGTERM");
    assert.deepEqual(await exited, { code: 0, signal: null });
    assert.deepEqual(listDir(paths.inbox), ["e1.json"]);
    assert.match(stderr(), /"job:requeued","id":"e1","reason":"the watcher is stopping"/);
  });

  test("a watcher that hangs at its end is gone all the same, and the next one goes on with its jobs", async (t) => {
    const paths = makeState(t);
    const fakes = installFakes(t, { model: "hangs" });
    // The runner's temporary folder is never removed, so its job never ends.
    const hang = `
      import fs from "node:fs/promises";
      import { syncBuiltinESMExports } from "node:module";
      fs.rm = () => new Promise(() => {});
      syncBuiltinESMExports();`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(hang)}`;
    drop(paths, "q1.json", question());
    const env = { ...askFake(fakes.path), NODE_OPTIONS: preload };
    const { child, exited } = await startWatch(t, paths, { env });
    const [pid = 0] = await fakes.waitForPids("model");
    child.kill("SIGTERM");
    child.kill("SIGINT");
    assert.deepEqual(await exited, { code: 75, signal: null });
    assert.equal(isRunning(pid), false, "what ran is dead");
    const last = readLog(paths).at(-1) ?? {};
    assert.match(
      `${String(last["what"])}: ${String(last["message"])}`,
      /^ending: ended by force, since something hung/,
    );
    unlinkSync(join(fakes.path, "model"));
    symlinkSync(join(import.meta.dirname, "../../fixtures/bin/answers.mjs"), join(fakes.path, "model"));
    const next = await startWatch(t, paths, { env: askFake(fakes.path), args: ["--once"] });
    assert.deepEqual(await next.exited, { code: 0, signal: null });
    assert.deepEqual(listDir(paths.outbox), ["q1.json"]);
    assertAtRest(paths);
  });

  test("a watcher whose program is replaced ends with 75, one that is told so by no other content does not", async (t) => {
    const paths = makeState(t);
    const program = join(makeTempDir(t), "catstack.mjs");
    await copyProgram(program);
    const { child, exited, ready } = await startWatch(t, paths, { program });
    await ready;
    await copyProgram(`${program}.new`);
    renameSync(`${program}.new`, program);
    child.kill("SIGHUP");
    await waitForLine(paths, "watcher:reloaded", {});
    writeFileSync(`${program}.new`, "// A later build.\n");
    renameSync(`${program}.new`, program);
    assert.deepEqual(await exited, { code: 75, signal: null });
    const stop = readLog(paths).at(-1) ?? {};
    assert.deepEqual([stop["event"], stop["reason"]], ["watcher:stop", `${program} was replaced by another`]);
  });

  test("an error that nobody caught ends the watcher with 70, once it has given back what it held", async (t) => {
    const paths = makeState(t);
    const fakes = installFakes(t, { model: "hangs" });
    drop(paths, "q1.json", question());
    const { child, exited, stderr } = await startWatch(t, paths, {
      env: { ...askFake(fakes.path), NODE_CHANNEL_FD: "3" },
      hasChannel: true,
    });
    const channel = child.stdio[3];
    assert.ok(channel !== null && channel !== undefined && "write" in channel && "on" in channel);
    let said = "";
    channel.on("data", (bytes: Buffer) => (said += bytes.toString()));
    const [pid = 0] = await fakes.waitForPids("model");
    assert.equal(said, '"ready"\n', "a parent with a channel is told");
    // Node itself throws out of any code of ours when its parent sends what is no JSON.
    channel.write("no message\n");
    assert.deepEqual(await exited, { code: 70, signal: null });
    assert.match(stderr(), /catstack watch: an error that nobody expected: SyntaxError/);
    assert.equal(isRunning(pid), false);
    const [error] = readLog(paths).filter(({ event }) => event === "watcher:error");
    assert.match(
      `${String(error?.["what"])}: ${String(error?.["message"])}`,
      /^the watcher itself: SyntaxError.*\n +at /,
    );
    assert.deepEqual(listEvents(paths).slice(-5), [
      "watcher:error",
      "watcher:stopping",
      "attempt:failed q1",
      "job:requeued q1",
      "watcher:stop",
    ]);
    assertAtRest(paths, ["q1.json"]);
  });

  test("a rejection that nobody awaits ends the watcher with 70 as well", async (t) => {
    const paths = makeState(t);
    const reject = 'process.on("SIGUSR2", () => void Promise.reject(new Error("left alone")));';
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(reject)}` };
    const { child, exited, ready } = await startWatch(t, paths, { env });
    await ready;
    child.kill("SIGUSR2");
    assert.deepEqual(await exited, { code: 70, signal: null });
    const stop = readLog(paths).at(-1) ?? {};
    assert.deepEqual(
      [stop["event"], stop["reason"]],
      ["watcher:stop", "an error that nobody expected: Error: left alone"],
    );
    assertAtRest(paths);
  });

  test("a watcher in a terminal ends when the terminal is closed", onlyLinux, async (t) => {
    if (lacks(t, canNotify(), "python3 and systemd-notify")) return;
    const paths = makeState(t);
    const program = join(makeTempDir(t), "catstack.mjs");
    await copyProgram(program);
    const script = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while b"ready" not in seen:
    seen += os.read(terminal, 4096)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`;
    const python = spawn("python3", ["-c", script, process.execPath, program], {
      env: { PATH: process.env["PATH"], HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    python.stdout.on("data", (bytes: Buffer) => (said += bytes.toString()));
    await new Promise((resolve) => python.once("close", resolve));
    assert.equal(said, "0\n");
    assert.deepEqual(listEvents(paths).slice(-2), ["watcher:stopping", "watcher:stop"]);
    assert.equal(readLog(paths).at(-1)?.["reason"], "SIGHUP");
  });

  for (const kind of ["path", "abstract name"]) {
    test(`a service manager is told of every step, by a socket with a ${kind}`, onlyLinux, async (t) => {
      if (lacks(t, canNotify(), "python3 and systemd-notify")) return;
      const paths = makeState(t);
      const fakes = installFakes(t, { model: "records" });
      const socket = kind === "path" ? join(makeTempDir(t), "notify") : `@catstack-test-${process.pid}`;
      const getMessages = await receiveNotifications(t, socket);
      const env = {
        ...askFake(fakes.path),
        PATH: `${fakes.path}:${process.env["PATH"]}`,
        NOTIFY_SOCKET: socket,
        WATCHDOG_USEC: "3000000",
      };
      const { child, exited } = await startWatch(t, paths, { env });
      const isPing = (message: readonly string[]) => message.includes("WATCHDOG=1");
      await waitFor("two signs of life", () => (getMessages().filter(isPing).length >= 2 ? true : undefined));
      drop(paths, "q1.json", question());
      await waitForLine(paths, "job:judged", { id: "q1" });
      child.kill("SIGHUP");
      await waitFor("READY again", () =>
        getMessages().filter((lines) => lines.includes("READY=1")).length > 1 ? true : undefined,
      );
      child.kill("SIGTERM");
      assert.deepEqual(await exited, { code: 0, signal: null });
      const [ready, reloading, readyAgain, stopping, ...more] = getMessages().filter((lines) => !isPing(lines));
      const status = `STATUS=watching ${paths.inbox}, 2 at a time`;
      const pid = `MAINPID=${child.pid}`;
      assert.deepEqual(ready?.toSorted(), [pid, "READY=1", status]);
      assert.match(reloading?.toSorted().join(" ") ?? "", new RegExp(`^${pid} MONOTONIC_USEC=\\d{7,} RELOADING=1$`));
      assert.deepEqual(readyAgain?.toSorted(), [pid, "READY=1"]);
      assert.deepEqual(stopping?.toSorted(), [pid, "STATUS=stopping: SIGTERM", "STOPPING=1"]);
      assert.deepEqual(more, []);
      const recorded = fakes.find("model.json");
      assert.ok(typeof recorded === "object" && recorded !== null && "env" in recorded);
      assert.doesNotMatch(JSON.stringify(recorded.env), /NOTIFY_SOCKET|WATCHDOG/, "no runner may speak for us");
    });
  }

  test("while the inbox is not looked at, the service manager hears nothing", onlyLinux, async (t) => {
    if (lacks(t, canNotify(), "python3 and systemd-notify")) return;
    const socket = join(makeTempDir(t), "notify");
    const getMessages = await receiveNotifications(t, socket);
    const bus = createEventBus((error) => assert.fail(String(error)));
    const answers = [true, false, false, true];
    let asked = 0;
    const isFresh = () => answers[asked++] ?? false;
    const env = { PATH: process.env["PATH"], NOTIFY_SOCKET: socket, WATCHDOG_USEC: "3000000" };
    const notifier = startNotifier({ env, pid: process.pid, bus, complaints: createComplaints(bus.emit), isFresh });
    t.after(() => notifier.close());
    // Its clock keeps no process alive.
    const alive = setInterval(() => {}, 1000);
    t.after(() => clearInterval(alive));
    bus.emit({ event: "watcher:ready", instance: "i", inbox: "/inbox", concurrency: 1 });
    await waitFor("six looks at the clock", () => (asked >= 6 ? true : undefined));
    await notifier.close();
    assert.equal(getMessages().filter((lines) => lines.includes("WATCHDOG=1")).length, 2);
  });

  test("a systemd-notify that fails or is missing is told of once and disturbs nothing", async (t) => {
    const fakes = installFakes(t, { "systemd-notify": "exits-3" });
    for (const [PATH, message] of [
      [fakes.path, /expected systemd-notify to end with 0, got 3/],
      ["/nowhere", /expected to run systemd-notify, got .*ENOENT; install it/],
    ] as const) {
      const paths = makeState(t);
      drop(paths, "e1.json", evidence());
      const { child, exited } = await startWatch(t, paths, { env: { PATH, NOTIFY_SOCKET: "/nowhere/notify" } });
      await waitForLine(paths, "job:judged", { id: "e1" });
      await waitForLine(paths, "watcher:error", {});
      child.kill("SIGHUP");
      await waitForLine(paths, "watcher:reloaded", {});
      child.kill("SIGTERM");
      assert.deepEqual(await exited, { code: 0, signal: null });
      const errors = readLog(paths).filter(({ event }) => event === "watcher:error");
      assert.deepEqual(
        errors.map(({ what }) => what),
        ["telling the service manager"],
      );
      assert.match(String(errors[0]?.["message"]), message);
    }
  });

  test("two watchers run side by side, and each has a health of its own", async (t) => {
    const paths = makeState(t);
    const one = await startWatch(t, paths);
    await one.ready;
    const two = await startWatch(t, paths);
    await two.ready;
    assert.match(two.stderr(), new RegExp(`another watcher runs \\(pid ${one.child.pid}\\); both take jobs`));
    const names = listDir(paths.watcherHealth);
    assert.equal(names.length, 2);
    const pids = new Set(names.map((name) => Number(name.split("-")[1])));
    assert.deepEqual(pids, new Set([one.child.pid, two.child.pid]));
    for (const name of names) {
      const instance = name.replace(/\.json$/, "");
      assert.equal(readWatcherHealth(paths, instance)?.instance, instance);
    }
    one.child.kill("SIGKILL");
    await one.exited;
    await waitFor("the traces of the killed one to go", () =>
      listDir(paths.watcherHealth).length === 1 ? true : undefined,
    );
    drop(paths, "e1.json", evidence());
    await waitForLine(paths, "job:judged", { id: "e1" });
    two.child.kill("SIGTERM");
    assert.deepEqual(await two.exited, { code: 0, signal: null });
  });

  test("--idle-exit ends a watcher that has nothing to do with 0, and not while anything lies in the inbox", async (t) => {
    const paths = makeState(t);
    drop(paths, "notes.txt", "no job");
    drop(paths, "q1.json", question());
    const watcher = await watchInProcess(paths, { idleExitMs: 1, settings: { jobsPerHour: 0 } });
    /** The first cleaning is over by then; a watcher that ends looks no more. */
    const waitForLooks = async () => {
      const since = Date.now();
      const hasLooked = () => Date.parse(readHealth(paths)?.last_scan_at ?? "1970-01-01") > since + 2500;
      await waitFor("two more looks", () => (hasLooked() ? true : undefined));
    };
    await waitForLooks();
    unlinkSync(join(paths.inbox, "q1.json"));
    await waitForLooks();
    assert.ok(!watcher.events.some(({ event }) => event === "watcher:stopping"));
    unlinkSync(join(paths.inbox, "notes.txt"));
    const { code, reason, left } = await watcher.ended;
    assert.deepEqual([code, reason, left], [0, "nothing to do for 0.001 s", 0]);
  });
});

test("a watcher that retires ends when what runs has its answer, and takes nothing more", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question({ mode: "investigate", timeout_seconds: 1.5 }));
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path), idleExitMs: 1 });
  await watcher.waitForEvent("job:start", "q1");
  watcher.retire("a later build", 75);
  drop(paths, "e1.json", evidence());
  const { code, left } = await watcher.ended;
  assert.deepEqual([code, left], [75, 1]);
  assert.deepEqual(
    watcher.events.map(({ event }) => event),
    [
      "watcher:ready",
      "job:claimed",
      "job:start",
      "watcher:note",
      "attempt:failed",
      "job:judged",
      "watcher:stopping",
      "watcher:stop",
    ],
  );
  assertAtRest(paths, ["e1.json"]);
});

test("--idle-exit wants seconds, and is no company for --once", async () => {
  const io = {
    env: { HOME: "/nowhere", CATSTACK_LLM_JUDGE_STATE_DIR: "/nowhere" },
    stdin: process.stdin,
    now: () => new Date(),
    out: () => {},
    err: () => {},
    color: false,
    cwd: "/",
  };
  for (const args of [
    ["--idle-exit", "0"],
    ["--idle-exit", "1.5"],
    ["--idle-exit", "5s"],
    ["--once", "--idle-exit", "5"],
  ])
    await assert.rejects(watch(args, io), UsageError, args.join(" "));
});

test("a watcher that is idle waits for the jobs of others, which it may have to give back", (t) => {
  const paths = makeState(t);
  const bus = createEventBus((error) => assert.fail(String(error)));
  const clock = createIdleClock({ paths, bus, me: "me", limitMs: 0 });
  mkdirSync(join(paths.claimed, "me"));
  mkdirSync(join(paths.claimed, "other"));
  assert.equal(clock.look(false), undefined);
  rmSync(join(paths.claimed, "other"), { recursive: true });
  assert.equal(clock.look(false)?.code, 0);
  mkdirSync(join(paths.reclaim, "dead@other"));
  assert.equal(clock.look(false), undefined);
  rmSync(join(paths.reclaim, "dead@other"), { recursive: true });
  assert.equal(clock.look(false)?.code, 0);
  const patient = createIdleClock({ paths, bus, me: "me", limitMs: 60_000 });
  assert.equal(patient.look(false), undefined);
});

test("a program is replaced when what it holds has changed and looks the same twice", (t) => {
  const folder = makeTempDir(t);
  const [old, next, program] = [join(folder, "old.mjs"), join(folder, "next.mjs"), join(folder, "catstack")];
  writeFileSync(old, "one");
  symlinkSync(old, program);
  const findChange = trackProgram(program) ?? assert.fail();
  assert.equal(findChange(), "none");
  utimesSync(old, 1, 1);
  assert.deepEqual(
    [findChange(), findChange(), findChange()],
    ["unsettled", "none", "none"],
    "the same text is no change",
  );
  rmSync(old);
  assert.deepEqual([findChange(), findChange()], ["none", "none"], "missing for a moment is no change");
  writeFileSync(old, "one");
  assert.deepEqual([findChange(), findChange()], ["unsettled", "none"]);
  writeFileSync(old, "half of tw");
  assert.equal(findChange(), "unsettled");
  writeFileSync(old, "the whole of two");
  assert.deepEqual([findChange(), findChange()], ["unsettled", "replaced"]);
  writeFileSync(old, "one");
  writeFileSync(next, "three");
  unlinkSync(program);
  symlinkSync(next, program);
  assert.deepEqual([findChange(), findChange()], ["unsettled", "replaced"], "a link that leads elsewhere");
  assert.equal(trackProgram(join(folder, "nothing")), undefined);
});

test("a watchdog hears from its own process, three times in the time that it gives", () => {
  assert.equal(getPingMs({ WATCHDOG_USEC: "120000000" }, 7), 40_000);
  assert.equal(getPingMs({ WATCHDOG_USEC: "120000000", WATCHDOG_PID: "7" }, 7), 40_000);
  assert.equal(getPingMs({ WATCHDOG_USEC: "120000000", WATCHDOG_PID: "8" }, 7), undefined);
  assert.equal(getPingMs({ WATCHDOG_USEC: "1000" }, 7), 1000, "no clock runs faster than once a second");
  for (const WATCHDOG_USEC of ["", "0", "-5", "soon"]) assert.equal(getPingMs({ WATCHDOG_USEC }, 7), undefined);
  assert.deepEqual(toMessages({ event: "watcher:stopping", code: 0, reason: "a\nREADY=1" }, 0n), [
    ["STOPPING=1", "STATUS=stopping: a READY=1"],
  ]);
});

test("a problem goes on from its first error until what it is about has worked", () => {
  const fail = (message: string, what = "a") => ({ event: "watcher:error", what, message, lasting: true }) as const;
  const events: JudgeEvent[] = [
    fail("one"),
    { event: "watcher:error", what: "once", message: "passes" },
    fail("two"),
    fail("b fails", "b"),
    { event: "watcher:recovered", what: "b" },
  ];
  const tally = events.reduce((tally, event, index) => addToTally(tally, event, `t${index}`), emptyTally);
  assert.deepEqual(tally.problems, [{ since: "t0", what: "a", message: "two" }]);
  assert.deepEqual(tally.lastError, { at: "t3", what: "b", message: "b fails", over_at: "t4" });
  const other = addToTally(tally, { event: "watcher:recovered", what: "a" }, "t5");
  assert.equal(other.lastError?.over_at, "t4", "what else works again changes nothing");
  const told: JudgeEvent[] = [];
  const complaints = createComplaints((event) => void told.push(event));
  complaints.worked("a");
  complaints.failed("a", "one");
  complaints.failed("a", "one");
  complaints.worked("a");
  complaints.worked("a");
  assert.deepEqual(told, [fail("one"), { event: "watcher:recovered", what: "a" }]);
});

test("health shows what runs since when, what waits, what is wrong, and no job whose claim is gone", async (t) => {
  const paths = makeState(t);
  let time = Date.parse("2026-11-30T12:00:00Z");
  const now = () => new Date(time);
  const instance = createInstance(now(), "aa");
  const bus = createEventBus((error) => assert.fail(String(error)));
  const complaints = createComplaints(bus.emit);
  const health = startHealthReport({ paths, instance, bus, now, complaints });
  t.after(() => health.close());
  const claims = join(paths.claimed, instance.name);
  mkdirSync(claims);
  for (const id of ["q1", "q2", "q3"]) {
    writeFileSync(join(claims, `${id}.json`), "{}");
    bus.emit({ event: "job:claimed", id });
    if (id !== "q3") bus.emit({ event: "job:start", id, hook: "test", mode: "default", attempt: 1 });
  }
  writeRun(claims, {
    ...getOwnIdentity(),
    id: "q1",
    hook: "test",
    mode: "default",
    startedAt: now().toISOString(),
    limitSeconds: 60,
  });
  writeFileSync(join(paths.dead, "b1.json"), "");
  writeFileSync(join(paths.dead, "b1.json.reason.json"), "");
  drop(paths, "e1.json", evidence());
  health.scanned(1);
  time += 1000;
  bus.emit({ event: "attempt:failed", id: "q1", runner: "model", duration_ms: 1 });
  rmSync(join(claims, "q2.json"));
  complaints.failed("the disk", "full");
  const read = (): unknown => JSON.parse(readFileSync(paths.health, "utf8"));
  const found = read();
  assert.ok(
    typeof found === "object" && found !== null && "running" in found && "queue" in found && "problems" in found,
  );
  assert.deepEqual(found.running, [{ id: "q1", since: "2026-11-30T12:00:00.000Z", limit_seconds: 60 }]);
  assert.deepEqual(found.queue, { inbox: 1, dead: 1, outbox: 0 });
  assert.deepEqual(found.problems, [{ since: "2026-11-30T12:00:01.000Z", what: "the disk", message: "full" }]);
  const view = readWatcherHealth(paths, instance.name);
  assert.deepEqual(view, readHealth(paths));
  assert.deepEqual([view?.problems, view?.last_scan_at], [found.problems, "2026-11-30T12:00:00.000Z"]);
  assert.equal(typeof view?.loop_lag_ms, "number");
  bus.emit({ event: "job:requeued", id: "q1", reason: "the watcher is stopping" });
  complaints.worked("the disk");
  const later = read();
  assert.ok(typeof later === "object" && later !== null && "running" in later && "problems" in later);
  assert.deepEqual([later.running, later.problems], [[], []]);
  health.close();
  // As after a SIGHUP that comes late: nobody would remove its file any more.
  complaints.failed("reading the settings", "broken");
  assert.equal(readWatcherHealth(paths, instance.name), undefined);
});

test("a health of an older watcher is read, and has no problems", (t) => {
  const paths = makeState(t);
  const at = "2026-11-30T12:00:00.000Z";
  writeFileSync(
    paths.health,
    JSON.stringify({ at, instance: "i", last_scan_at: null, running: ["q1"], problems: [5] }),
  );
  assert.deepEqual(readHealth(paths), {
    at,
    instance: "i",
    last_scan_at: null,
    loop_lag_ms: null,
    last_error: null,
    problems: [],
  });
});

test("a loop that was held up is seen, whether or not that was when it was asked", async (t) => {
  const block = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const meter = measureLoopLag();
  t.after(() => meter.close());
  // Its clock is due after a second.
  block(1500);
  assert.ok(meter.take() >= 490);
  assert.ok(meter.take() < 100, "told once");
  block(1500);
  // Its clock comes before the second of these.
  for (const turn of [1, 2]) await new Promise((resolve) => setImmediate(resolve, turn));
  assert.ok(meter.take() >= 490);
});
