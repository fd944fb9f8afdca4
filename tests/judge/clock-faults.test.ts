import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createInboxView } from "../../judge/inbox/inbox.ts";
import { createDeadTest } from "../../judge/recovery/dead-owner.ts";
import { createReclaimer } from "../../judge/recovery/reclaim.ts";
import { createInstance, writeInstance } from "../../judge/state/instance.ts";
import { openDelivering, restoreAbandoned } from "../../lib/io/delivery/delivering.ts";
import { isWaitingInVain } from "../../lib/io/delivery/waiting-jobs.ts";
import { getInstancePath, probeInstance, readInstance } from "../../lib/io/instance.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { readProcessIdentity } from "../../lib/io/process-identity.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { makeGate } from "../helpers/gate.ts";
import {
  assertAtRest,
  drop,
  evidence,
  getVerdicts,
  judgeAll,
  makeState,
  question,
  transcriptKey,
  watchInProcess,
} from "../helpers/queue.ts";
import { runCommand } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { startWatch, type WatchProcess } from "../helpers/watch-process.ts";

// Clocks that are set, processes that stand still or cannot be seen, and the system's other refusals. No live owner is robbed, no job is lost
// or run twice, nothing waits for an hour.

const HOUR = 3_600_000;
const onlyLinux = { skip: process.platform !== "linux" };

function assertOneHit(paths: StatePaths, ...ids: string[]): void {
  assert.deepEqual(
    getVerdicts(paths).map(({ id, outcome }) => [id, outcome]),
    ids.map((id) => [id, "hit"]),
  );
}

const until = (what: string, condition: () => boolean) => waitFor(what, () => (condition() ? true : undefined));

const isJudged = (paths: StatePaths, id: string) => existsSync(join(paths.outbox, `${id}.json`));

/** Ends a watcher before its state directory goes. */
async function end({ child, exited }: WatchProcess): Promise<void> {
  child.kill("SIGTERM");
  await exited;
}

/** Sets when a lock was last touched. */
function setLocks(paths: StatePaths, aheadMs: number): void {
  const time = (Date.now() + aheadMs) / 1000;
  for (const lock of listDir(paths.locks)) utimesSync(join(paths.locks, lock), time, time);
}

async function untilLocksAreFresh(paths: StatePaths): Promise<void> {
  await until("locks that are renewed", () => {
    const ages = listDir(paths.locks).map(
      (lock) => Date.now() - (lstatSync(join(paths.locks, lock), { throwIfNoEntry: false })?.mtimeMs ?? 0),
    );
    return ages.length === 2 && ages.every((age) => Math.abs(age) < HOUR / 2);
  });
}

describe("clocks, owners and refusals", { concurrency: true }, () => {
  describe("a clock that is set", { concurrency: true }, () => {
    for (const [what, step] of [
      ["forward", HOUR],
      ["back", -HOUR],
    ] as const) {
      test(`an hour ${what}, while a file rests after a failure: it is tried again as soon as without`, async (t) => {
        const paths = makeState(t);
        rmdirSync(paths.dead);
        // No file can be moved to another file system.
        symlinkSync("/dev", paths.dead);
        drop(paths, "b1.json", "[1]", 2 * HOUR);
        let ahead = 0;
        const now = () => new Date(Date.now() + ahead);
        const watcher = await watchInProcess(paths, { now });
        await watcher.waitForEvent("watcher:error");
        unlinkSync(paths.dead);
        ahead = step;
        await watcher.waitForEvent("job:dead", "b1");
        drop(paths, "e1.json", evidence());
        drop(paths, "e2.json", evidence(), step);
        for (const id of ["e1", "e2"]) await watcher.waitForEvent("job:judged", id);
        assertOneHit(paths, "e1", "e2");
      });

      test(`an hour ${what}, while a file is being written: it is waited for as long as without`, (t) => {
        const paths = makeState(t);
        const start = Date.now();
        let clock = 0;
        const view = createInboxView(paths.inbox, () => clock);
        const path = join(paths.inbox, "e1.json");
        const text = JSON.stringify(evidence());
        const write = (content: string, at: number) => {
          writeFileSync(path, content);
          utimesSync(path, at / 1000, at / 1000);
        };
        const look = (now: number) => {
          view.update(["e1.json"], now);
          return view.list()[0]?.kind;
        };
        write(text.slice(0, 9), start);
        assert.equal(look(start), "half-written");
        clock = 9999;
        assert.equal(look(start + step), "half-written");
        write(text.slice(0, 19), start + 1000);
        clock = 10_000;
        assert.equal(look(start + step), "half-written", "changed since");
        clock = 19_999;
        assert.equal(look(start + step), "half-written");
        clock = 20_000;
        assert.equal(look(start + step), "bad");
        view.forget("e1.json");
        write(text, start);
        assert.equal(look(start + step), "evidence");
      });

      test(`an hour ${what}, while verdicts are delivered: they stay with the hook that lives`, (t) => {
        const paths = makeState(t);
        const mine = openDelivering(paths);
        writeFileSync(join(mine, "e1.json"), "{}");
        restoreAbandoned(paths, new Date(Date.now() + step));
        assert.deepEqual(listDir(mine).includes("e1.json"), true);
      });

      test(`an hour ${what}, while a job waits: nobody is told of it as long as a watcher lives`, (t) => {
        const paths = makeState(t);
        writeInstance(paths, createInstance(new Date(), "aa"));
        drop(paths, "q1.json", question());
        assert.equal(isWaitingInVain(transcriptKey, paths, new Date(Date.now() + step)), false);
      });
    }

    test("back, when a broken file comes from the future: it is waited for, for ten seconds and not for an hour", (t) => {
      const paths = makeState(t);
      const path = drop(paths, "e1.json", '{"hook":"te');
      const now = lstatSync(path).mtimeMs - HOUR;
      let clock = 0;
      const view = createInboxView(paths.inbox, () => clock);
      const look = () => {
        view.update(["e1.json"], now);
        return view.list()[0]?.kind;
      };
      assert.equal(look(), "half-written");
      clock = 10_000;
      assert.equal(look(), "bad");
    });

    test("for real, forward and back under a watcher that works beside another one", onlyLinux, async (t) => {
      const found = await runCommand("faketime", ["-f", "+0", "printenv", "LD_PRELOAD"]).catch(() => undefined);
      if (lacks(t, found?.code === 0, "the program faketime") || found === undefined) return;
      const paths = makeState(t);
      const gate = makeGate(t);
      const clock = join(makeTempDir(t), "clock");
      const set = (offset: string) => {
        writeFileSync(`${clock}.new`, `${offset}\n`);
        renameSync(`${clock}.new`, clock);
      };
      set("+0");
      const fake = {
        LD_PRELOAD: found.stdout.trim(),
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        // As the kernel does it: a clock that is set changes neither the monotonic clock nor the times of files.
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
        NO_FAKE_STAT: "1",
      };
      const watcher = await startWatch(t, paths, { env: { ...gate.env, ...fake } });
      await watcher.ready;
      drop(paths, "q1.json", question());
      await gate.waitForRun();
      const other = await watchInProcess(paths, { settings: { concurrency: 1 } });
      const renewed = (lock: string) => {
        const before = statSync(join(paths.locks, lock)).mtimeMs;
        return until("a lock that is renewed", () => statSync(join(paths.locks, lock)).mtimeMs !== before);
      };
      const [owner = ""] = listDir(paths.claimed).filter((name) => listDir(join(paths.claimed, name)).length > 0);
      set("+3600s");
      await renewed(`${owner}.q1`);
      set("-3600s");
      await renewed(`${owner}.q1`);
      set("+3600s");
      assert.equal(existsSync(join(paths.claimed, owner, "q1.json")), true, "nobody took it");
      gate.open();
      await until("a verdict", () => isJudged(paths, "q1"));
      other.stop("test");
      await other.ended;
      drop(paths, "e1.json", evidence());
      await until("a verdict", () => isJudged(paths, "e1"));
      set("-3600s");
      drop(paths, "e2.json", evidence());
      await until("a verdict", () => isJudged(paths, "e2"));
      assert.equal(gate.countRuns(), 1);
      assertOneHit(paths, "e1", "e2", "q1");
      const ahead = getVerdicts(paths).map(({ finished_at }) =>
        Math.round((Date.parse(finished_at) - Date.now()) / HOUR),
      );
      assert.deepEqual(ahead, [1, -1, 1], "the clock was set indeed");
      assert.equal(watcher.child.exitCode, null);
      await end(watcher);
      assert.deepEqual(
        other.events.filter(({ event }) => event === "janitor:reclaimed"),
        [],
      );
    });
  });

  describe("owners", { concurrency: true }, () => {
    test("a watcher that stands still past its lease is not robbed, and finishes its job when it goes on", async (t) => {
      const paths = makeState(t);
      const gate = makeGate(t);
      drop(paths, "q1.json", question());
      const { child, exited } = await startWatch(t, paths, { env: gate.env });
      await gate.waitForRun();
      const [owner = ""] = listDir(paths.claimed);
      child.kill("SIGSTOP");
      let clock = 0;
      const isDead = createDeadTest(paths, () => clock);
      for (const [id, step] of [
        ["e1", -HOUR],
        ["e2", HOUR],
      ] as const) {
        setLocks(paths, step);
        drop(paths, `${id}.json`, evidence());
        await judgeAll(paths);
        assert.equal(isDead(owner), false);
        clock += HOUR;
        assert.equal(isDead(owner), false);
        assert.equal(existsSync(join(paths.claimed, owner, "q1.json")), true);
      }
      child.kill("SIGCONT");
      await untilLocksAreFresh(paths);
      gate.open();
      await until("a verdict", () => isJudged(paths, "q1"));
      assert.equal(gate.countRuns(), 1);
      assertOneHit(paths, "e1", "e2", "q1");
      child.kill("SIGTERM");
      assert.equal((await exited).code, 0);
      assertAtRest(paths);
    });

    for (const name of ["the watcher's", "the job's"]) {
      test(`a lock of ${name} that is taken away ends the watcher with 75`, async (t) => {
        const paths = makeState(t);
        const gate = makeGate(t);
        drop(paths, "q1.json", question());
        const watcher = await watchInProcess(paths, { env: gate.env, graceMs: HOUR });
        await gate.waitForRun();
        const isJob = name === "the job's";
        for (const lock of listDir(paths.locks)) {
          if (lock.endsWith(".q1") === isJob) rmSync(join(paths.locks, lock), { recursive: true });
        }
        const { code, reason } = await watcher.ended;
        assert.deepEqual([code, reason, getVerdicts(paths)], [75, "a lock was taken away", []]);
      });
    }

    test("a zombie is dead, and so is a process whose number another one has now", onlyLinux, async (t) => {
      // The child ends at once, and its parent, which became another program, never asks for it.
      const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 600"], { stdio: ["ignore", "pipe", "ignore"] });
      t.after(() => void parent.kill("SIGKILL"));
      let text = "";
      parent.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
      const zombie = Number(await waitFor("a number", () => /^(\d+)\n/.exec(text)?.[1]));
      await until("a zombie", () => /\) Z /.test(readFileSync(`/proc/${zombie}/stat`, "utf8")));
      const paths = makeState(t);
      const instance = createInstance(new Date(), "aa");
      const write = (pid: number, startTime: string | undefined) =>
        writeInstance(paths, { ...instance, pid, startTime: startTime ?? "" });
      const isDead = createDeadTest(paths, () => 0);
      const identity = readProcessIdentity(zombie);
      assert.ok(identity, "it can be seen");
      write(zombie, identity.startTime);
      assert.equal(isDead(instance.name), true);
      write(process.pid, instance.startTime);
      assert.equal(isDead(instance.name), false);
      write(process.pid, String(Number(instance.startTime) + 1));
      assert.equal(isDead(instance.name), true);
    });

    test("a watcher of another machine that comes back after it was gone gets its whole time anew", (t) => {
      const paths = makeState(t);
      const [a, b] = ["aa", "bb"].map((random) => ({ ...createInstance(new Date(), random), hostname: "elsewhere" }));
      assert.ok(a && b);
      let clock = 0;
      const isDead = createDeadTest(paths, () => clock);
      writeInstance(paths, a);
      assert.equal(isDead(a.name), false);
      rmSync(getInstancePath(paths, a.name));
      writeInstance(paths, b);
      assert.equal(isDead(b.name), false);
      writeInstance(paths, a);
      clock = 60_000;
      assert.deepEqual([isDead(a.name), isDead(b.name)], [false, true]);
    });

    test("a watcher that cannot be seen, in a container, is judged by its lock", onlyLinux, async (t) => {
      const under = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
      const can = await runCommand("unshare", [...under.slice(1), "true"]).catch(() => undefined);
      if (lacks(t, can?.code === 0, "the right to make a pid namespace")) return;
      const paths = makeState(t);
      const gate = makeGate(t);
      drop(paths, "q1.json", question());
      const { child, exited } = await startWatch(t, paths, { env: gate.env, under });
      await gate.waitForRun();
      const [owner = ""] = listDir(paths.claimed);
      const instance = readInstance(paths, owner);
      assert.ok(instance);
      assert.equal(probeInstance(instance), "unknown");
      let clock = 0;
      const complaints = { failed: (_: string, error: unknown) => assert.fail(String(error)), worked: () => {} };
      const options = { paths, env: { HOME: paths.root }, me: "me", now: () => new Date(), emit: () => {}, complaints };
      const reclaim = createReclaimer(options, () => clock);
      const lock = join(paths.locks, owner);
      const before = statSync(lock).mtimeMs;
      await reclaim();
      await until("a lock that is renewed", () => statSync(lock).mtimeMs !== before);
      clock = 60_000;
      await reclaim();
      assert.equal(existsSync(join(paths.claimed, owner, "q1.json")), true, "it has touched its lock");
      child.kill("SIGKILL");
      await exited;
      clock += 59_999;
      await reclaim();
      assert.deepEqual(listDir(paths.inbox), []);
      clock += 1;
      await reclaim();
      assert.deepEqual([listDir(paths.inbox), listDir(paths.locks), listDir(paths.instances)], [["q1.json"], [], []]);
      gate.open();
      await judgeAll(paths, { env: gate.env });
      assertOneHit(paths, "q1");
    });
  });

  describe("refusals of the system", { concurrency: true }, () => {
    test("a process that cannot be looked at for too many open files is not gone", onlyLinux, async () => {
      const url = fileURLToPath(new URL("../../lib/io/process-identity.ts", import.meta.url));
      const script = `
      import { openSync } from "node:fs";
      import { getOwnIdentity, probeLiveness } from ${JSON.stringify(url)};
      const me = getOwnIdentity();
      const found = [probeLiveness(me)];
      try { for (;;) openSync("/dev/null", "r"); } catch { /* The table is full. */ }
      try { found.push(probeLiveness(me)); } catch (error) { found.push(error.code); }
      process.stdout.write(found.join(" "));`;
      const args = ["--import", "tsx", "--input-type=module", "--eval", script];
      const { stdout } = await runCommand("sh", ["-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, ...args]);
      assert.equal(stdout, "alive EMFILE");
    });

    for (const [what, spare] of [
      ["not even a folder can be listed", -2],
      ["no process can be started", 3],
    ] as const) {
      test(`a watcher without open files left says so and recovers: ${what}`, onlyLinux, async (t) => {
        if (lacks(t, existsSync("/usr/bin/prlimit"), "the program prlimit")) return;
        const paths = makeState(t);
        const gate = makeGate(t);
        gate.open();
        const errors = join(makeTempDir(t), "stderr");
        const under = ["/bin/sh", "-c", `exec "$@" 2>${errors}`, "sh"];
        const watcher = await startWatch(t, paths, { env: gate.env, under });
        await watcher.ready;
        const { pid, exitCode } = watcher.child;
        const limit = (files: number) => execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:`]);
        const open = listDir(`/proc/${pid}/fd`).length;
        limit(open + spare);
        drop(paths, "q1.json", question());
        await until("a word of it", () => readFileSync(errors, "utf8").includes("EMFILE"));
        limit(1024);
        await until("a verdict", () => isJudged(paths, "q1"));
        assertOneHit(paths, "q1");
        assert.equal(gate.countRuns(), 1);
        assert.equal(exitCode, null);
        await end(watcher);
      });
    }

    test(
      "a folder that may not be written is complained of, and its verdict is written when it may be",
      onlyLinux,
      async (t) => {
        // Root may write anywhere, unless that right is dropped.
        const isRoot = process.getuid?.() === 0;
        const under = isRoot ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] : [];
        const can = await runCommand(under[0] ?? "true", [...under.slice(1), "true"].slice(isRoot ? 0 : 1)).catch(
          () => undefined,
        );
        if (lacks(t, can?.code === 0, "the program setpriv")) return;
        const paths = makeState(t);
        const gate = makeGate(t);
        const { child, ready } = await startWatch(t, paths, { env: gate.env, under });
        await ready;
        drop(paths, "q1.json", question());
        await gate.waitForRun();
        chmodSync(paths.outbox, 0o500);
        gate.open();
        await until("a complaint", () => readFileSync(paths.judgeLog, "utf8").includes("EACCES"));
        assert.deepEqual(getVerdicts(paths), []);
        chmodSync(paths.outbox, 0o700);
        await until("a verdict", () => isJudged(paths, "q1"));
        assertOneHit(paths, "q1");
        assert.equal(gate.countRuns(), 1);
        chmodSync(paths.inbox, 0o500);
        drop(paths, "q2.json", question());
        await until("a complaint", () => /job files \(EACCES\).*q2\.json/.test(readFileSync(paths.judgeLog, "utf8")));
        chmodSync(paths.inbox, 0o700);
        await until("a verdict", () => isJudged(paths, "q2"));
        assertOneHit(paths, "q1", "q2");
        child.kill("SIGTERM");
      },
    );

    test("a state directory that may not be written ends a watcher with 77", onlyLinux, async (t) => {
      const isRoot = process.getuid?.() === 0;
      const under = isRoot ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] : [];
      const can = await runCommand(under[0] ?? "true", under.slice(1).concat("true")).catch(() => undefined);
      if (lacks(t, can?.code === 0, "the program setpriv")) return;
      const paths = makeState(t);
      chmodSync(paths.outbox, 0o500);
      const { exited } = await startWatch(t, paths, { args: ["--once"], under });
      assert.equal((await exited).code, 77);
    });
  });
});
