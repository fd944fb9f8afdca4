import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { JudgeEvent } from "../../judge/events.ts";
import { createComplaints } from "../../judge/health/complaints.ts";
import { createReclaimer } from "../../judge/recovery/reclaim.ts";
import { selectDescendants, trackDescendants } from "../../judge/runners/descendants.ts";
import { listProcesses, parsePsTable, type ProcessRow } from "../../judge/runners/proc.ts";
import { endLeftovers } from "../../judge/runners/leftovers.ts";
import { findMark, nameState, toVariables } from "../../judge/runners/mark.ts";
import { collectOutput } from "../../judge/runners/output.ts";
import type { Command } from "../../judge/runners/runner.ts";
import { MAX_OUTPUT_BYTES, runCommand, type Ended, type RunOptions } from "../../judge/runners/spawn.ts";
import { supervise } from "../../judge/runners/supervise.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { installFakes, isRunning, makeTempDir, type FakeClis } from "../helpers/fake-clis.ts";
import {
  assertAtRest,
  drop,
  getVerdicts,
  judgeAll,
  makeState,
  question,
  readReason,
  watchInProcess,
} from "../helpers/queue.ts";
import { lacks } from "../helpers/skip.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { startWatch } from "../helpers/watch-process.ts";

/** No test waits for this one: where it is the limit, something else must end the run. */
const FAR = 600_000;
const quick = { termMs: 100, giveUpMs: 10_000, exitMs: 100, killMs: 5000 };
const onlyLinux = { skip: process.platform === "linux" ? false : "only Linux shows the environment of a process" };

function toCommand(fakes: FakeClis, name: string, extra: Partial<Command> = {}): Command {
  return { file: name, args: [], cwd: fakes.path, env: { PATH: fakes.path }, ...extra };
}

/** As a runner of a job is started: what leaves its group can be found by this mark. */
function withMark(command: Command): Command {
  return { ...command, env: { ...command.env, ...toVariables({ jobId: `job-${randomUUID()}`, state: "state-1" }) } };
}

function toOptions(extra: Partial<RunOptions> = {}): RunOptions {
  return { timeoutMs: FAR, signal: new AbortController().signal, onSpawn: () => {}, patience: quick, ...extra };
}

async function runToEnd(command: Command, options: RunOptions): Promise<Ended> {
  const result = await runCommand(command, options);
  assert.ok(result.started, "expected the fake to start");
  return result;
}

/** A function of the shell that tells the test which processes there are, all at once. */
const TELL = 'tell() { echo "$@" > "$TOLD.new"; mv "$TOLD.new" "$TOLD"; }';

/** A shell script as a runner. */
function toShell(folder: string, script: string, extra: Partial<Command> = {}): Command {
  const env = { PATH: "/usr/bin:/bin", TOLD: join(folder, "told") };
  return { file: "/bin/sh", args: ["-c", `${TELL}\n${script}`], cwd: folder, env, ...extra };
}

/** The processes that a script has told of. */
function waitForTold({ env }: Command): Promise<number[]> {
  const path = env["TOLD"] ?? "";
  return waitFor(path, () => (existsSync(path) ? readFileSync(path, "utf8").trim().split(" ").map(Number) : undefined));
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

test("a process that never reads its long stdin is ended in the middle of the write", async (t) => {
  const stopping = new AbortController();
  const command = toShell(makeTempDir(t), "tell $$; exec sleep 30", { stdin: "x".repeat(5_000_000) });
  const running = runToEnd(command, toOptions({ signal: stopping.signal }));
  const pids = await waitForTold(command);
  stopping.abort();
  assert.deepEqual([(await running).stopped, (await running).signal], ["aborted", "SIGTERM"]);
  assert.deepEqual(pids.filter(isRunning), []);
});

test("an answer counts while a grandchild holds a stdin that nobody reads", async (t) => {
  const script = "sleep 30 <&0 >/dev/null 2>&1 & tell $!; echo hi";
  const command = toShell(makeTempDir(t), script, { stdin: "x".repeat(5_000_000) });
  const result = await runToEnd(command, toOptions());
  assert.deepEqual([result.stopped, result.exitCode, result.stdout], [undefined, 0, "hi\n"]);
  assert.deepEqual((await waitForTold(command)).filter(isRunning), []);
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

test("a runner of the same job under another watcher is left alone, and its orphans", onlyLinux, async (t) => {
  const folder = makeTempDir(t);
  const command = withMark(toShell(folder, "tell $$; until [ -e go ]; do sleep 0.01; done"));
  const running = runToEnd(command, toOptions());
  await waitForTold(command);
  // These are the younger ones: nothing older is looked at anyway.
  const others = toShell(
    makeTempDir(t),
    "(sleep 30 & echo $! > orphan); tell $$ $(cat orphan); while :; do sleep 1; done",
  );
  const mark = findMark(command.env);
  assert.ok(mark);
  const env = { ...others.env, ...toVariables(mark) };
  const start = `require("node:child_process").spawn("/bin/sh", ${JSON.stringify(others.args)}, { cwd: ${JSON.stringify(others.cwd)}, detached: true, stdio: "ignore" })`;
  const watcher = spawn(process.execPath, ["-e", start], { env });
  t.after(() => watcher.kill("SIGKILL"));
  const pids = await waitForTold(others);
  t.after(() => endLeftovers({ mark }, 5000));
  writeFileSync(join(folder, "go"), "");
  const result = await running;
  assert.deepEqual([result.exitCode, result.survivors], [0, []]);
  assert.equal(pids.length, 2);
  assert.ok(pids.every(isRunning));
});

interface Victim {
  readonly does: string;
  readonly script: string;
  readonly result: Pick<Ended, "stopped" | "exitCode" | "signal" | "stdout">;
  /** Needs `setsid`, which only Linux has, and a system that shows who descends from whom. */
  readonly leaves?: boolean;
}

const timedOut = { stopped: "timed-out", exitCode: null, signal: "SIGTERM", stdout: "hi\n" } as const;
const answered = { exitCode: 0, signal: null, stdout: "hi\n" } as const;
const victims: readonly Victim[] = [
  { does: "waits for a grandchild", script: "sleep 30 & tell $$ $!; echo hi; wait", result: timedOut },
  {
    does: "exits 0 while a grandchild holds stdout",
    script: "sleep 30 & tell $$ $!; echo hi; exit 0",
    result: answered,
  },
  {
    does: "ignores SIGTERM",
    script: "trap '' TERM; sleep 30 & tell $$ $!; echo hi; while :; do sleep 0.2; done",
    result: { ...timedOut, signal: "SIGKILL" },
  },
  {
    does: "dies of SIGTERM and leaves a grandchild that ignores it",
    script: "(trap '' TERM; while :; do sleep 0.2; done) & tell $$ $!; echo hi; wait",
    result: timedOut,
  },
  {
    does: "waits for a grandchild in a session of its own",
    script: "setsid sleep 30 & tell $$ $!; echo hi; wait",
    result: timedOut,
    leaves: true,
  },
  { does: "ends well", script: "tell $$; echo hi", result: answered },
  {
    does: "prints 5 MB and sleeps",
    script: "tell $$; head -c 5000000 /dev/zero | tr '\\0' x; sleep 30",
    result: { stopped: "output-too-large", exitCode: null, signal: "SIGTERM", stdout: "x".repeat(1_000_000) },
  },
  {
    does: "waits for a grandchild in a session and an environment of its own",
    script: "env -i setsid sleep 30 & tell $$ $!; echo hi; wait",
    result: timedOut,
    leaves: true,
  },
  {
    does: "exits 0, and an orphan has a group and an environment of its own",
    script: "(env -i timeout 60 sleep 30 & echo $! > orphan); tell $$ $(cat orphan); echo hi; exit 0",
    result: answered,
    leaves: true,
  },
];

test("whatever a runner does, it settles and nothing of it is left", { concurrency: true }, async (t) => {
  await Promise.all(
    victims.map(({ does, script, result, leaves = false }) =>
      t.test(does, leaves ? onlyLinux : {}, async (t) => {
        const command = toShell(makeTempDir(t), script);
        const { started, stderr, survivors, ...ended } = await runToEnd(command, toOptions({ timeoutMs: 2000 }));
        assert.deepEqual(ended, result);
        assert.deepEqual([started, stderr, survivors], [true, "", []]);
        const pids = await waitForTold(command);
        assert.ok(pids.length > 0 && pids.every((pid) => pid > 1), "expected it to tell who there is");
        assert.deepEqual(pids.filter(isRunning), []);
      }),
    ),
  );
});

/** Leaves a daemon before anybody can see from whom it descends, and waits until that one runs. */
const daemonize = (more: string) =>
  `setsid -f env ${more} TOLD="$TOLD" sh -c '${TELL}; tell $$; exec sleep 30'; until [ -s "$TOLD" ]; do sleep 0.01; done`;

test("a daemon that nobody saw leave is ended by its mark", onlyLinux, async (t) => {
  const command = withMark(toShell(makeTempDir(t), `${daemonize("> /dev/null 2>&1")}; echo hi`));
  const result = await runToEnd(command, toOptions());
  assert.deepEqual([result.stopped, result.exitCode, result.stdout, result.survivors], [undefined, 0, "hi\n", []]);
  assert.deepEqual((await waitForTold(command)).filter(isRunning), []);
});

test("a marked orphan that is older than the runner is none of its", onlyLinux, async (t) => {
  const older = withMark(toShell(makeTempDir(t), daemonize("> /dev/null 2>&1")));
  spawn("/bin/sh", older.args, { env: older.env, stdio: "ignore" });
  const pids = await waitForTold(older);
  const toldAt = performance.now();
  await waitFor("a few ticks of the system's clock", () => performance.now() - toldAt > 50 || undefined);
  const mark = findMark(older.env);
  assert.ok(mark);
  const command = toShell(makeTempDir(t), "echo hi");
  await runToEnd({ ...command, env: { ...command.env, ...toVariables(mark) } }, toOptions());
  assert.ok(pids.length === 1 && pids.every(isRunning));
  assert.deepEqual(await endLeftovers({ mark }, 5000), []);
  assert.deepEqual(pids.filter(isRunning), []);
});

test("an orphan of a job of the same id in another state directory is left alone", onlyLinux, async (t) => {
  const mark = { jobId: `job-${randomUUID()}`, state: "state-1" };
  const other = { ...mark, state: "state-2" };
  const commands = [mark, other].map((of) => {
    const command = toShell(makeTempDir(t), daemonize("> /dev/null 2>&1"));
    return { ...command, env: { ...command.env, ...toVariables(of) } };
  });
  for (const { args, env } of commands) spawn("/bin/sh", args, { env, stdio: "ignore" });
  const pids = (await Promise.all(commands.map(waitForTold))).flat();
  t.after(() => endLeftovers({ mark: other }, 5000));
  assert.deepEqual(await endLeftovers({ mark }, 5000), []);
  assert.deepEqual(pids.map(isRunning), [false, true]);
});

test("two names of one state directory are one to the processes of its runners, another directory is another", (t) => {
  const paths = makeState(t);
  const link = join(paths.root, "link");
  symlinkSync(paths.root, link);
  assert.equal(nameState({ ...paths, root: link }), nameState(paths));
  assert.match(nameState(paths), /^[0-9a-f]{16}$/);
  assert.notEqual(nameState(makeState(t)), nameState(paths));
});

test(
  "a daemon that nobody saw leave, unmarked, is told of when it holds a pipe and holds nothing up",
  onlyLinux,
  async (t) => {
    const countPipes = () => process.getActiveResourcesInfo().filter((name) => name === "PipeWrap").length;
    const before = countPipes();
    const runOne = async () => {
      const command = withMark(toShell(makeTempDir(t), `${daemonize("-i PATH=/usr/bin:/bin")}; echo hi`));
      const result = await runToEnd(command, toOptions());
      const [pid = 0] = await waitForTold(command);
      return { result, pid };
    };
    let { result, pid } = await runOne();
    // On a busy machine a look may come before it has left; then it is ended like any other.
    for (let tries = 1; !isRunning(pid) && tries < 10; tries++) {
      assert.deepEqual(result.survivors, []);
      ({ result, pid } = await runOne());
    }
    t.after(() => process.kill(pid, "SIGKILL"));
    assert.ok(isRunning(pid), "it is not known to be the runner's");
    assert.deepEqual([result.stopped, result.exitCode, result.stdout, result.survivors], [undefined, 0, "hi\n", [pid]]);
    await waitFor("our ends of the pipes to close", () => countPipes() === before || undefined);
  },
);

test("what was seen to descend from a runner is ended after it, wherever it went", onlyLinux, async (t) => {
  // It lives for many looks, then it answers and leaves an orphan that nothing but these looks gives away.
  const script =
    "sleep 0.3; env -i setsid sleep 30 > /dev/null 2>&1 & tell $!; for i in 1 2 3 4 5; do echo $i; sleep 0.15; done";
  const command = toShell(makeTempDir(t), script);
  const result = await runToEnd(command, toOptions());
  assert.deepEqual([result.exitCode, result.stdout, result.survivors], [0, "1\n2\n3\n4\n5\n", []]);
  assert.deepEqual((await waitForTold(command)).filter(isRunning), []);
});

test("a descendant that no look has shown yet is found when its runner is told to end", onlyLinux, async (t) => {
  const stopping = new AbortController();
  const command = toShell(makeTempDir(t), "sleep 0.3; env -i setsid sleep 30 & tell $$ $!; wait");
  const running = runToEnd(command, toOptions({ signal: stopping.signal }));
  const pids = await waitForTold(command);
  stopping.abort();
  assert.deepEqual((await running).survivors, []);
  assert.equal(pids.length, 2);
  assert.deepEqual(pids.filter(isRunning), []);
});

test("descendants are known by start time, session and parent, and a number that was given away is nobody's", () => {
  const row = (pid: number, parent: number, session: number, startTime = `${pid}`): ProcessRow => {
    return { pid, parent, group: session, session, startTime, isZombie: false };
  };
  const known = {
    starts: new Map([
      [100, "100"],
      [101, "101"],
      [102, "102"],
    ]),
    sessions: new Set([100]),
  };
  const theirs = [
    row(101, 1, 90), // known, and now an orphan
    row(110, 1, 100), // an orphan in the runner's session
    row(111, 101, 111),
    row(112, 111, 111), // two generations after a known one
    row(113, 1, 111), // an orphan in a session that was found just now
  ];
  const strangers = [
    row(1, 0, 1),
    row(50, 1, 50),
    row(102, 50, 50, "999"), // the number of a known one that is gone
    row(120, 102, 50, "1000"),
  ];
  assert.deepEqual(selectDescendants([...strangers, ...theirs], known), theirs);
});

test(
  "a runner that is gone at the first look has no descendants, nor has one that leads no session",
  onlyLinux,
  async (t) => {
    assert.equal(trackDescendants(await findDeadGroup()).getStartTime(), undefined);
    const child = spawn("/bin/sleep", ["30"]);
    t.after(() => child.kill("SIGKILL"));
    const descendants = trackDescendants(child.pid ?? 0);
    assert.deepEqual(descendants.select(listProcesses()), []);
  },
);

test("a table of ps is read line by line, whatever else stands in it", () => {
  const table = [
    "    1     0     1 Ss   Mon Nov 30 18:24:03 2026    ",
    "  501     1   501 Z    Tue Dec  1 09:00:00 2026",
    "ps: a complaint",
    "",
  ].join("\n");
  assert.deepEqual(parsePsTable(table), [
    { pid: 1, parent: 0, group: 1, startTime: "Mon Nov 30 18:24:03 2026", isZombie: false },
    { pid: 501, parent: 1, group: 501, startTime: "Tue Dec  1 09:00:00 2026", isZombie: true },
  ]);
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

test("a flood that goes on after the cap, and output in single bytes, take little memory", async (t) => {
  let peak = 0;
  const measure = () => {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    peak = Math.max(peak, arrayBuffers + heapUsed);
    return arrayBuffers + heapUsed;
  };
  const before = measure();
  const measuring = setInterval(measure, 20);
  t.after(() => clearInterval(measuring));
  const command = toShell(makeTempDir(t), "trap '' TERM; while :; do head -c 100000000 /dev/zero; done");
  const patience = { ...quick, termMs: 500 };
  const { stopped, signal, stdout } = await runToEnd(command, toOptions({ patience }));
  assert.deepEqual([stopped, signal, stdout.length], ["output-too-large", "SIGKILL", 1_000_000]);
  const pipes = { stdout: new PassThrough(), stderr: new PassThrough() };
  const output = collectOutput(pipes, 1_000_000, () => assert.fail("expected it to fit"));
  const byte = Buffer.from("x");
  for (let count = 0; count < 1_000_000; count++) pipes.stdout.emit("data", byte);
  assert.equal(output.stdout().length, 1_000_000);
  measure();
  assert.ok(peak - before < 64_000_000, `expected less than 64 MB, got ${peak - before}`);
});

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
  const sent: string[] = [];
  const supervision = supervise(unending, (signal) => void sent.push(signal), limits);
  assert.deepEqual(await supervision.ended, { exitCode: null, signal: null });
  assert.deepEqual(sent, ["SIGTERM", "SIGKILL"]);
  assert.equal(supervision.getStopReason(), "timed-out");
});

test("sixteen runs may wait for one signal without a warning of a leak", async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on("warning", onWarning);
  t.after(() => process.off("warning", onWarning));
  const leaders = Array.from({ length: 16 }, () => new EventEmitter());
  const abort = new AbortController();
  const deadlines = { timeoutMs: FAR, termMs: FAR, giveUpMs: FAR, abort: abort.signal };
  const runs = leaders.map((leader) => supervise(leader, () => {}, deadlines));
  abort.abort();
  for (const leader of leaders) leader.emit("exit", null, "SIGTERM");
  await Promise.all(runs.map(({ ended }) => ended));
  assert.ok(runs.every(({ getStopReason }) => getStopReason() === "aborted"));
  await setImmediate();
  assert.deepEqual(warnings, []);
});

test("ending a group that nobody is in gives nobody", async () => {
  assert.deepEqual(await endLeftovers({ group: await findDeadGroup() }, 0), []);
});

async function findDeadGroup(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""], { detached: true });
  await once(child, "exit");
  return child.pid ?? 0;
}

/** Runners that are shell scripts, asked in turn, and a home where they may write. */
function askShells(home: string, scripts: readonly string[]): Record<string, string> {
  const runners = scripts.map((script, index) => [
    `shell-${index + 1}`,
    ["/bin/sh", "-c", `TOLD="$HOME/told"\n${TELL}\n${script}`],
  ]);
  return { PATH: "/usr/bin:/bin", HOME: home, CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify(runners) };
}

function readTold(home: string): number[] {
  return readFileSync(join(home, "told"), "utf8").trim().split(" ").map(Number);
}

test("an answer is a verdict although a grandchild still holds stdout", async (t) => {
  const paths = makeState(t);
  const env = askShells(paths.root, [`sleep 30 & tell $!; echo '{"hit": true}'; exit 0`]);
  drop(paths, `${randomUUID()}.json`, question());
  await judgeAll(paths, { env });
  const [verdict] = getVerdicts(paths);
  assert.deepEqual([verdict?.outcome, verdict?.runner], ["hit", "shell-1"]);
  assert.deepEqual(readTold(paths.root).filter(isRunning), []);
  assertAtRest(paths);
});

test("what a job's first runner left is ended before its second one starts", onlyLinux, async (t) => {
  const paths = makeState(t);
  const isGone = `read pid < "$HOME/told"; ! grep -q ') [^Z]' /proc/$pid/stat 2> /dev/null`;
  const second = `if ${isGone}; then echo '{"hit": true}'; else echo '{"hit": false}'; fi`;
  drop(paths, `two-runners-${randomUUID()}.json`, question());
  await judgeAll(paths, { env: askShells(paths.root, [`${daemonize("> /dev/null 2>&1")}; echo no answer`, second]) });
  const [verdict] = getVerdicts(paths);
  assert.deepEqual([verdict?.outcome, verdict?.runner], ["hit", "shell-2"]);
  assert.deepEqual(readTold(paths.root).filter(isRunning), []);
});

const onlyRoot = {
  skip: process.platform === "linux" && process.getuid?.() === 0 ? false : "only root can become another account",
};
const lacksPython = (t: TestContext) => lacks(t, existsSync("/usr/bin/python3"), "python3");

/** A shell command that goes on, for half a minute, as a process of another account: it is none of ours to end. */
function writeBecomeOther(home: string): string {
  const lines = ["os.seteuid(0)", "os.setresuid(65533, 65533, 65533)", 'os.execv("/bin/sleep", ["sleep", "30"])'];
  writeFileSync(join(home, "become-other.py"), ["import os", ...lines].join("\n"));
  return 'python3 "$HOME/become-other.py"';
}

/** Does the work as an account that may end no process of the one above. */
async function withoutRights<T>(paths: StatePaths, work: () => Promise<T>): Promise<T> {
  // What belongs to another account is no job.
  execFileSync("find", [
    dirname(paths.root),
    "-not",
    "-name",
    `${"?".repeat(36)}.json`,
    "-exec",
    "chown",
    "65534",
    "{}",
    "+",
  ]);
  process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

const isOther = (pid: number) => statSync(`/proc/${pid}`).uid === 65533;
const describeLeft = (pid: number) =>
  `expected every process of it to be gone, could not end ${pid}; look what they are and end them`;

test(
  "a process that a runner left and that cannot be ended is an error, and its answer counts",
  onlyRoot,
  async (t) => {
    if (lacksPython(t)) return;
    const paths = makeState(t);
    const leave = `${writeBecomeOther(paths.root)} > /dev/null 2>&1 & tell $!`;
    const wait = "until grep -q '^Uid:.65533' /proc/$!/status; do sleep 0.01; done";
    const env = askShells(paths.root, [`${leave}; ${wait}; echo '{"hit": true}'`]);
    const id = randomUUID();
    drop(paths, `${id}.json`, question());
    const watcher = await withoutRights(paths, async () => {
      const watcher = await watchInProcess(paths, { env, once: true });
      await watcher.ended;
      return watcher;
    });
    const [pid = 0] = readTold(paths.root);
    assert.ok(isRunning(pid) && isOther(pid));
    process.kill(pid, "SIGKILL");
    const errors = watcher.events.filter(({ event }) => event === "watcher:error");
    const message = describeLeft(pid);
    assert.deepEqual(errors, [{ event: "watcher:error", what: `runner shell-1 of job ${id}`, message }]);
    assert.equal((await watcher.ended).tally.lastError?.message, message);
    assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
  },
);

test("a dead watcher's job waits for its runner to end, ten minutes at most", onlyRoot, async (t) => {
  if (lacksPython(t)) return;
  const paths = makeState(t);
  // Ids name processes on this machine.
  const [id1, id2, id3] = [randomUUID(), randomUUID(), randomUUID()];
  const ids = [id1, id2, id3];
  const become = writeBecomeOther(paths.root);
  const script = `TOLD="$TOLD-$CATSTACK_JOB"; tell $$; if [ $CATSTACK_JOB = ${id2} ]; then exec sleep 30; else exec ${become}; fi`;
  mkdirSync(join(paths.root, ".config", "catstack"), { recursive: true });
  writeFileSync(join(paths.root, ".config", "catstack", "config.json"), '{"judge": {"concurrency": 3}}');
  for (const id of ids) drop(paths, `${id}.json`, question());
  const env = { ...askShells(paths.root, [script]), TMPDIR: makeTempDir(t) };
  const { child, exited } = await startWatch(t, paths, { env });
  const toldPaths = ids.map((id) => join(paths.root, `told-${id}`));
  const [q1 = 0, q2 = 0, q3 = 0] = await waitFor("three runners", () => {
    const pids = toldPaths.flatMap((path) => (existsSync(path) ? Number(readFileSync(path, "utf8")) : []));
    const records = listDir(paths.claimed).flatMap((name) => listDir(join(paths.claimed, name)));
    const isRecorded = records.filter((name) => name.endsWith(".run.json")).length === 3;
    return isRecorded && pids.length === 3 && pids.filter(isOther).length === 2 ? pids : undefined;
  });
  t.after(() => endLeftovers({ group: q1 }, 5000));
  child.kill("SIGKILL");
  await exited;

  // One that is to end when all is done leaves the job to the next one.
  const once = () => judgeAll(paths, { settings: { jobsPerHour: 0 } });
  const { code, left } = await withoutRights(paths, once);
  assert.deepEqual([code, left, isRunning(q2)], [75, 1, false]);

  const events: JudgeEvent[] = [];
  const emit = (event: JudgeEvent) => void events.push(event);
  let clock = 0;
  const complaints = createComplaints(emit);
  const options = { paths, env: { TMPDIR: paths.root }, me: "me", now: () => new Date(), emit, complaints };
  const reclaim = createReclaimer(options, () => clock);
  const files = (...ids: string[]) => ids.map((id) => `${id}.json`).sort();
  const lookAround = () => [listDir(paths.inbox).sort(), listDir(paths.dead).sort(), [q1, q2, q3].map(isRunning)];

  await withoutRights(paths, reclaim);
  assert.deepEqual(lookAround(), [files(id2), [], [true, false, true]]);
  process.kill(q3, "SIGKILL");
  clock = 599_999;
  await withoutRights(paths, reclaim);
  assert.deepEqual(lookAround(), [files(id2, id3), [], [true, false, false]]);
  clock = 600_000;
  await withoutRights(paths, reclaim);
  assert.deepEqual(lookAround(), [files(id2, id3), [`${id1}.json`, `${id1}.json.reason.json`], [true, false, false]]);
  assert.equal(readReason(paths, `${id1}.json`)["code"], "runner_survives");
  assert.deepEqual(
    getVerdicts(paths).map(({ id, outcome }) => [id, outcome]),
    [[id1, "unchecked"]],
  );
  assert.deepEqual(listDir(paths.reclaim), []);
  const told = (id: string) => events.filter((event) => "what" in event && event.what.endsWith(id));
  const error = (id: string, pid: number) => {
    return { event: "watcher:error", what: `runner shell-1 of job ${id}`, message: describeLeft(pid), lasting: true };
  };
  assert.deepEqual(told(id1), [error(id1, q1)]);
  // Its job is over, and it is not: that is said until it is.
  process.kill(q1, "SIGKILL");
  await waitFor("the end of it", () => (isRunning(q1) ? undefined : true));
  await withoutRights(paths, reclaim);
  assert.deepEqual(told(id1), [error(id1, q1), { event: "watcher:recovered", what: error(id1, q1).what }]);
  assert.deepEqual(told(id3), [error(id3, q3), { event: "watcher:recovered", what: error(id3, q3).what }]);
});
