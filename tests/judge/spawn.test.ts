import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { endGroup } from "../../judge/runners/leftovers.ts";
import type { Command } from "../../judge/runners/runner.ts";
import { MAX_OUTPUT_BYTES, runCommand, type Ended, type RunOptions } from "../../judge/runners/spawn.ts";
import { supervise } from "../../judge/runners/supervise.ts";
import { installFakes, isRunning, makeTempDir, type FakeClis } from "../helpers/fake-clis.ts";
import { waitFor } from "../helpers/wait-for.ts";

/** No test waits for this one: where it is the limit, something else must end the run. */
const FAR = 600_000;
const quick = { termMs: 100, giveUpMs: 10_000, exitMs: 100, killMs: 5000 };
const onlyLinux = { skip: process.platform === "linux" ? false : "only Linux shows the environment of a process" };

function toCommand(fakes: FakeClis, name: string, extra: Partial<Command> = {}): Command {
  return { file: name, args: [], cwd: fakes.path, env: { PATH: fakes.path }, ...extra };
}

/** As a runner of a job is started: what leaves its group can be found by this mark. */
function withMark(command: Command): Command {
  return { ...command, env: { ...command.env, CATSTACK_JOB: `job-${randomUUID()}` } };
}

function toOptions(extra: Partial<RunOptions> = {}): RunOptions {
  return { timeoutMs: FAR, signal: new AbortController().signal, onSpawn: () => {}, patience: quick, ...extra };
}

async function runToEnd(command: Command, options: RunOptions): Promise<Ended> {
  const result = await runCommand(command, options);
  assert.ok(result.started, "expected the fake to start");
  return result;
}

/** Runs a fake and aborts it when it has said which processes there are. */
async function abortWhenReady(t: TestContext, fake: string, isMarked = false) {
  const fakes = installFakes(t, { [fake]: fake });
  const stopping = new AbortController();
  const command = toCommand(fakes, fake);
  const running = runToEnd(isMarked ? withMark(command) : command, toOptions({ signal: stopping.signal }));
  const pids = await fakes.waitForPids(fake);
  assert.ok(pids.length > 0 && pids.every(isRunning), `expected ${fake} to run`);
  stopping.abort();
  return { result: await running, pids };
}

test("a process that ends by itself gives its output and exit code", async (t) => {
  const fakes = installFakes(t, { "exits-3": "exits-3" });
  const result = await runToEnd(toCommand(fakes, "exits-3"), toOptions());
  assert.equal(result.exitCode, 3);
  assert.equal(result.stopped, undefined);
  assert.equal(result.stdout, '{"hit": true}\n');
  assert.ok(result.stderr.endsWith("no such model\n"));
  assert.deepEqual(result.survivors, []);
});

test("a process sees the given environment, folder and stdin and nothing of its parent's", async (t) => {
  const fakes = installFakes(t, { records: "records" });
  const cwd = makeTempDir(t);
  const command = toCommand(fakes, "records", { args: ["-a", ""], cwd, stdin: "é".repeat(500_000) });
  await runToEnd(command, toOptions());
  assert.deepEqual(fakes.find("records.json"), {
    args: ["-a", ""],
    stdin: "é".repeat(500_000),
    env: command.env,
    cwd,
    entries: [],
    cwdMode: "700",
  });
});

test("without a prompt for it stdin is empty", async (t) => {
  const fakes = installFakes(t, { records: "records" });
  const result = await runToEnd(toCommand(fakes, "records"), toOptions());
  assert.equal(result.exitCode, 0);
  assert.match(JSON.stringify(fakes.find("records.json")), /"stdin":""/);
});

test("a process that ends without reading its long stdin is no error", async (t) => {
  const fakes = installFakes(t, { answers: "answers" });
  const result = await runToEnd(toCommand(fakes, "answers", { stdin: "x".repeat(1_000_000) }), toOptions());
  assert.equal(result.exitCode, 0);
});

test("a process that hangs is ended at the limit, and the queue learns its group at once", async (t) => {
  const fakes = installFakes(t, { hangs: "hangs" });
  const groups: number[] = [];
  const options = toOptions({ timeoutMs: 300, onSpawn: (pid) => groups.push(pid) });
  const result = await runToEnd(toCommand(fakes, "hangs"), options);
  assert.equal(result.stopped, "timed-out");
  assert.equal(result.signal, "SIGTERM");
  assert.equal(result.exitCode, null);
  assert.equal(groups.length, 1);
  assert.deepEqual(groups.filter(isRunning), []);
});

test("a process that ignores SIGTERM is killed", async (t) => {
  const { result, pids } = await abortWhenReady(t, "ignores-term");
  assert.equal(result.stopped, "aborted");
  assert.equal(result.signal, "SIGKILL");
  assert.deepEqual(pids.filter(isRunning), []);
});

test("a child that ignores SIGTERM dies with the process that waits for it", async (t) => {
  const { result, pids } = await abortWhenReady(t, "waits-for-child");
  assert.equal(result.stopped, "aborted");
  assert.equal(result.signal, "SIGTERM");
  assert.equal(pids.length, 2);
  assert.deepEqual(pids.filter(isRunning), []);
});

test("a process that answered and ended while a child holds stdout has ended by itself, and the child dies", async (t) => {
  const fakes = installFakes(t, { daemon: "answers-then-daemon" });
  const result = await runToEnd(toCommand(fakes, "daemon"), toOptions());
  assert.equal(result.stopped, undefined);
  assert.equal(result.exitCode, 0);
  assert.equal(result.stdout, '{"hit": true}\n');
  assert.deepEqual((await fakes.waitForPids("daemon")).filter(isRunning), []);
});

test("a child that holds no pipe dies as soon as its process has ended", async (t) => {
  const fakes = installFakes(t, { daemon: "answers-then-quiet-daemon" });
  const result = await runToEnd(toCommand(fakes, "daemon"), toOptions({ patience: { ...quick, exitMs: FAR } }));
  assert.equal(result.exitCode, 0);
  assert.deepEqual((await fakes.waitForPids("daemon")).filter(isRunning), []);
});

test("a child in a session of its own dies after the answer", onlyLinux, async (t) => {
  const fakes = installFakes(t, { escapes: "escapes-then-answers" });
  const result = await runToEnd(withMark(toCommand(fakes, "escapes")), toOptions());
  assert.equal(result.stopped, undefined);
  assert.equal(result.exitCode, 0);
  assert.deepEqual(result.survivors, []);
  assert.deepEqual((await fakes.waitForPids("escapes")).filter(isRunning), []);
});

test("a child in a session of its own dies when its process is ended", onlyLinux, async (t) => {
  const { result, pids } = await abortWhenReady(t, "escapes-then-hangs", true);
  assert.equal(result.stopped, "aborted");
  assert.equal(pids.length, 3);
  assert.deepEqual(pids.filter(isRunning), []);
});

test("a child that left its group unmarked lives on, but holds up neither the answer nor this process", async (t) => {
  const fakes = installFakes(t, { escapes: "escapes-then-answers" });
  const countPipes = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
  const before = countPipes();
  const result = await runToEnd(toCommand(fakes, "escapes"), toOptions());
  const [pid = 0] = await fakes.waitForPids("escapes");
  t.after(() => process.kill(pid, "SIGKILL"));
  assert.ok(isRunning(pid));
  assert.equal(result.stdout, '{"hit": true}\n');
  await waitFor("our ends of the pipes to close", () => countPipes() === before || undefined);
});

test("a runner of the same job under another watcher is left alone", onlyLinux, async (t) => {
  const fakes = installFakes(t, { answers: "answers", hangs: "hangs" });
  const command = withMark(toCommand(fakes, "answers"));
  const start = `require("node:child_process").spawn("hangs", { env: ${JSON.stringify(command.env)}, stdio: "ignore" })`;
  const watcher = spawn(process.execPath, ["-e", start], { env: { PATH: fakes.path }, detached: true });
  t.after(() => endGroup(watcher.pid ?? 0, 5000));
  const pids = await fakes.waitForPids("hangs");
  const result = await runToEnd(command, toOptions());
  assert.deepEqual(result.survivors, []);
  assert.equal(pids.length, 1);
  assert.ok(pids.every(isRunning));
});

for (const pipe of ["stdout", "stderr"] as const) {
  test(`a process that floods ${pipe} is ended at the cap`, async (t) => {
    const fakes = installFakes(t, { floods: "floods" });
    const result = await runToEnd(toCommand(fakes, "floods", { args: [pipe] }), toOptions());
    assert.equal(result.stopped, "output-too-large");
    assert.equal(MAX_OUTPUT_BYTES, 1_000_000);
    assert.equal(result[pipe].length, 1_000_000);
    assert.deepEqual((await fakes.waitForPids("floods")).filter(isRunning), []);
  });
}

test("a signal that was given before the start ends the process at once", async (t) => {
  const fakes = installFakes(t, { hangs: "hangs" });
  const result = await runToEnd(toCommand(fakes, "hangs"), toOptions({ signal: AbortSignal.abort() }));
  assert.equal(result.stopped, "aborted");
});

test("what onSpawn throws reaches the caller when the process is dead", async (t) => {
  const fakes = installFakes(t, { hangs: "hangs" });
  const groups: number[] = [];
  const onSpawn = (pid: number) => {
    groups.push(pid);
    throw new Error("disk full");
  };
  await assert.rejects(runCommand(toCommand(fakes, "hangs"), toOptions({ onSpawn })), /disk full/);
  assert.equal(groups.length, 1);
  assert.deepEqual(groups.filter(isRunning), []);
});

test("what cannot be started says why and starts nothing", async (t) => {
  const fakes = installFakes(t, { answers: "answers" });
  writeFileSync(join(fakes.path, "text"), "not a program");
  chmodSync(join(fakes.path, "text"), 0o644);
  const started: number[] = [];
  const options = toOptions({ onSpawn: (pid) => started.push(pid) });
  const run = (name: string, extra: Partial<Command> = {}) => runCommand(toCommand(fakes, name, extra), options);

  assert.deepEqual(await run("absent"), { started: false, code: "ENOENT", cwdMissing: false });
  assert.deepEqual(await run(join(fakes.path, "text")), { started: false, code: "EACCES", cwdMissing: false });
  const gone = join(fakes.path, "gone");
  assert.deepEqual(await run("answers", { cwd: gone }), { started: false, code: "ENOENT", cwdMissing: true });
  const long = ["x".repeat(200 * 1024)];
  assert.deepEqual(await run("answers", { args: long }), { started: false, code: "E2BIG", cwdMissing: false });
  assert.equal((await run("answers", { args: ["a\0b"] })).started, false);
  assert.deepEqual(started, []);
});

test("a process that shows no end is given up", async () => {
  const unending = new EventEmitter();
  const limits = { timeoutMs: 1, termMs: 1, giveUpMs: 2, abort: new AbortController().signal };
  const supervision = supervise(unending, await findDeadGroup(), limits);
  assert.deepEqual(await supervision.ended, { exitCode: null, signal: null });
  assert.equal(supervision.getStopReason(), "timed-out");
});

test("sixteen runs may wait for one signal without a warning of a leak", async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on("warning", onWarning);
  t.after(() => process.off("warning", onWarning));
  const group = await findDeadGroup();
  const leaders = Array.from({ length: 16 }, () => new EventEmitter());
  const abort = new AbortController();
  const deadlines = { timeoutMs: FAR, termMs: FAR, giveUpMs: FAR, abort: abort.signal };
  const runs = leaders.map((leader) => supervise(leader, group, deadlines));
  abort.abort();
  for (const leader of leaders) leader.emit("exit", null, "SIGTERM");
  await Promise.all(runs.map(({ ended }) => ended));
  assert.ok(runs.every(({ getStopReason }) => getStopReason() === "aborted"));
  await setImmediate();
  assert.deepEqual(warnings, []);
});

test("ending a group that nobody is in gives nobody", async () => {
  assert.deepEqual(await endGroup(await findDeadGroup(), 0), []);
});

async function findDeadGroup(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { detached: true });
  await once(child, "exit");
  return child.pid ?? 0;
}
