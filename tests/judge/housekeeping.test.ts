import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { buryStranger, type Death } from "../../judge/dead/bury.ts";
import { startJanitor } from "../../judge/recovery/janitor.ts";
import { sweep } from "../../judge/recovery/sweep.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { createMark } from "../../lib/io/edge/once.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import {
  assertAtRest,
  backdate,
  drop,
  evidence,
  getVerdicts,
  judgeAll,
  listUndelivered,
  makeState,
  readReason,
  transcriptKey,
} from "../helpers/queue.ts";
import { runCommand } from "../helpers/run-command.ts";

// What nobody asks for any more goes, when its time has come and not before.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function make(dir: string, name: string, ageMs: number, content = ""): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), content);
  backdate(join(dir, name), ageMs);
}

/** Sweeps as if it were so much later; what was made in this test is then so old, also where only the kernel sets the time. */
async function sweepIn(paths: StatePaths, aheadMs = 0): Promise<Death[]> {
  const buried: Death[] = [];
  const { signal } = new AbortController();
  const now = new Date(Date.now() + aheadMs);
  await sweep({ paths, now, signal, onBurial: (death) => void buried.push(death) });
  return buried;
}

test("leftovers of crashes go after two hours, answers after a day, verdicts after two weeks", async (t) => {
  const paths = makeState(t);
  const home = join(paths.undelivered, transcriptKey);
  const answers = join(paths.cache, "answers");
  const hash = (digit: string) => `${digit.repeat(64)}.json`;
  make(paths.tmp, "a.json.12.k3j9x0aa.tmp", 2.1 * HOUR);
  make(paths.tmp, "b.json.12.k3j9x0aa.tmp", 1.9 * HOUR);
  make(paths.inbox, ".c.json.12.k3j9x0aa.tmp", 2.1 * HOUR);
  make(paths.inbox, "d.json", 1000 * HOUR);
  make(join(paths.claimed, "me"), "claimed.json", 0);
  make(join(paths.reclaim, "it@me"), "reclaimed.json", 0);
  for (const id of ["d", "claimed", "reclaimed", "removed"]) make(paths.attempts, id, 2.1 * HOUR);
  make(paths.attempts, "removed-just-now", 1.9 * HOUR);
  for (const dir of [paths.outbox, home]) {
    make(dir, "e.json", 14.1 * DAY);
    make(dir, "f.json", 13.9 * DAY);
  }
  make(answers, hash("a"), 1.1 * DAY);
  make(answers, hash("b"), 0.9 * DAY);
  make(answers, "of-someone-else", 1000 * DAY);
  make(join(paths.undelivered, "empty"), "g.json", 14.1 * DAY);
  await sweepIn(paths);
  assert.deepEqual(listDir(paths.tmp), ["b.json.12.k3j9x0aa.tmp"]);
  assert.deepEqual(listDir(paths.inbox), ["d.json"]);
  assert.deepEqual(listDir(paths.attempts).sort(), ["claimed", "d", "reclaimed", "removed-just-now"]);
  assert.deepEqual([listDir(paths.outbox), listDir(home)], [["f.json"], ["f.json"]]);
  assert.deepEqual(listDir(answers).sort(), [hash("b"), "of-someone-else"]);
  await sweepIn(paths, 15 * DAY);
  assert.deepEqual(listDir(paths.undelivered), []);
});

test("a verdict stays until its job has expired, so that the job never runs again", async (t) => {
  const paths = makeState(t);
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  drop(paths, "long.json", evidence({ expires_at: inDays(20) }));
  drop(paths, "short.json", evidence({ expires_at: inDays(1) }));
  drop(paths, "none.json", evidence({ created_at: inDays(0) }));
  await judgeAll(paths);
  await sweepIn(paths, 15 * DAY);
  assert.deepEqual(
    getVerdicts(paths).map(({ id }) => id),
    ["long"],
  );
  drop(paths, "long.json", evidence({ expires_at: getVerdicts(paths)[0]?.expires_at }));
  const { tally } = await judgeAll(paths);
  assert.deepEqual([tally.counts.hit, listUndelivered(paths)], [0, [`${transcriptKey}/long`]], "met its verdict");
  await sweepIn(paths, 20.1 * DAY);
  assert.deepEqual(listDir(paths.outbox), []);
});

test("what died goes after thirty days with its reason, whatever it is, and nothing behind a link does", async (t) => {
  const paths = makeState(t);
  const elsewhere = makeTempDir(t);
  make(elsewhere, "kept.json", 0);
  const { dead } = paths;
  writeFileSync(join(dead, "a.json"), "");
  writeFileSync(join(dead, "a.json.reason.json"), "{}");
  writeFileSync(join(dead, "without-reason.json"), "");
  writeFileSync(join(dead, "without-file.json.reason.json"), "{}");
  mkdirSync(join(dead, "folder.json", "deep"), { recursive: true });
  symlinkSync(elsewhere, join(dead, "folder.json", "deep", "link"));
  symlinkSync(elsewhere, join(dead, "link.json"));
  execFileSync("mkfifo", [join(dead, "pipe.json")]);
  const names = listDir(dead).sort();
  // An old file that died a moment ago is new here.
  backdate(join(dead, "a.json"), 1000 * DAY);
  await sweepIn(paths, 29.9 * DAY);
  assert.deepEqual(listDir(dead).sort(), names);
  await sweepIn(paths, 30.1 * DAY);
  assert.deepEqual([listDir(dead), listDir(elsewhere)], [[], ["kept.json"]]);
});

test("a folder of ours that is a link is not swept: what lies behind it is somebody's", async (t) => {
  const paths = makeState(t);
  const elsewhere = makeTempDir(t);
  make(elsewhere, "e.json", 1000 * DAY);
  make(elsewhere, "e.json.12.k3j9x0aa.tmp", 1000 * DAY);
  const { dead, outbox, attempts, tmp } = paths;
  for (const dir of [dead, outbox, attempts, tmp]) {
    rmdirSync(dir);
    symlinkSync(elsewhere, dir);
  }
  await sweepIn(paths, 1000 * DAY);
  assert.deepEqual(listDir(elsewhere).sort(), ["e.json", "e.json.12.k3j9x0aa.tmp"]);
});

test("what is no job lies in the inbox for a day, then in dead/ with a reason and no verdict", async (t) => {
  const paths = makeState(t);
  const names = [".e1.json", ".e1.json.swp", "e1.json.part", "e1.json~", "e1.txt", "notes.tmp", "~e1.json"];
  for (const name of names) drop(paths, name, evidence());
  mkdirSync(join(paths.inbox, "folder"));
  writeFileSync(join(paths.inbox, "folder", "e2.json"), JSON.stringify(evidence()));
  symlinkSync("/nowhere", join(paths.inbox, "link"));
  names.push("folder", "link");
  assert.deepEqual([await sweepIn(paths, 23.9 * HOUR), listDir(paths.dead)], [[], []]);
  const buried = await sweepIn(paths, 24.1 * HOUR);
  assert.deepEqual(buried.map(({ from }) => from).sort(), names.map((name) => join(paths.inbox, name)).sort());
  assert.equal(listDir(paths.dead).length, 2 * names.length);
  assert.equal(readReason(paths, "e1.json.part")["code"], "not_a_job");
  assert.match(
    String(readReason(paths, "e1.txt")["reason"]),
    /^expected a job, <id>.json, got e1.txt, .*drop it again/,
  );
  assert.deepEqual(listDir(join(paths.dead, "folder")), ["e2.json"]);
  const swap = buried.find(({ from }) => from.endsWith(".swp"));
  assert.match(swap?.reason ?? "", /kept as dead\/[0-9a-f-]{36}\.json$/, "its own name is no joy there");
  assert.deepEqual(getVerdicts(paths), []);
  assertAtRest(paths);
});

test("a watcher that starts moves what is no job away, and of two that want to one does", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json.part", evidence());
  const now = () => new Date(Date.now() + 25 * HOUR);
  await judgeAll(paths, { now });
  assert.deepEqual(listDir(paths.dead).sort(), ["e1.json.part", "e1.json.part.reason.json"]);
  assertAtRest(paths);
  assert.equal(buryStranger("e1.json.part", now(), paths), undefined);
  assert.deepEqual(listDir(paths.dead).sort(), ["e1.json.part", "e1.json.part.reason.json"]);
  // A second one of the name, and a crash between the two steps of moving it.
  drop(paths, "e1.json.part", "other");
  linkSync(join(paths.inbox, "e1.json.part"), join(paths.dead, "e2.json.part"));
  const death = buryStranger("e1.json.part", now(), paths);
  assert.equal(readFileSync(join(paths.dead, death?.file ?? ""), "utf8"), "other");
  assertAtRest(paths);
});

test("one that cannot be moved keeps no other in the inbox, and is told of", async (t) => {
  const paths = makeState(t);
  for (const name of ["a.part", "b.part"]) drop(paths, name, "");
  rmdirSync(paths.dead);
  // No file can be moved to another file system.
  symlinkSync("/proc", paths.dead);
  await assert.rejects(sweepIn(paths, 25 * HOUR), /E[A-Z]+/);
  assert.deepEqual(listDir(paths.inbox).sort(), ["a.part", "b.part"]);
});

test("marks go after ninety days when another one is made, and nobody else's file ever does", (t) => {
  const dir = makeTempDir(t);
  const old = ["a".repeat(16), `${"b".repeat(16)}.noted`, `${"c".repeat(16)}.noted.1234`];
  const others = ["notes.txt", "0123.noted", `${"d".repeat(16)}.json`];
  for (const name of [...old, ...others]) make(dir, name, 91 * DAY);
  make(dir, `${"e".repeat(16)}.noted`, 89 * DAY);
  createMark({ dir, name: "f".repeat(16), content: "" }, new Date());
  assert.deepEqual(listDir(dir).sort(), [...others, `${"e".repeat(16)}.noted`, "f".repeat(16)].sort());
});

test("a hundred thousand files are swept without holding other work up", async (t) => {
  const paths = makeState(t);
  // Links to a few files: as many names, made in a fraction of the time. A file system may allow 32,000 to one.
  const old = ["old0", "old1", "old2", "old3"].map((name) => join(paths.root, name));
  for (const path of old) make(paths.root, basename(path), 15 * DAY, "{}");
  const count = 100_000;
  for (let name = 0; name < count; name++) linkSync(old[name % 4] ?? "", join(paths.outbox, `${name}.json`));
  let longest = 0;
  let last = performance.now();
  const clock = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  const begin = performance.now();
  await sweepIn(paths);
  const total = performance.now() - begin;
  clearInterval(clock);
  assert.deepEqual(listDir(paths.outbox), []);
  assert.ok(longest < total / 4, `the longest hold-up was ${Math.round(longest)} of ${Math.round(total)} ms`);
  t.diagnostic(`swept ${count} files in ${Math.round(total)} ms; the longest hold-up was ${Math.round(longest)} ms`);
});

test("two processes that rotate one log at the same moment lose no line of it", async (t) => {
  const folder = makeTempDir(t);
  const rounds = 40;
  const lines = 300;
  const url = new URL("../../lib/io/rotate-file.ts", import.meta.url).href;
  // Both together write enough for one rotation and too little for two.
  const script = `
    import { appendFileSync, existsSync, writeFileSync } from "node:fs";
    import { rotateFile } from ${JSON.stringify(url)};
    const [folder, me, other] = process.argv.slice(1);
    for (let round = 0; round < ${rounds}; round++) {
      const path = folder + "/" + round;
      writeFileSync(path + "." + me, "");
      while (!existsSync(path + "." + other));
      for (let line = 0; line < ${lines}; line++) {
        rotateFile(path, 80 * ${lines});
        appendFileSync(path, (me + line).padEnd(79) + "\\n");
      }
    }`;
  const start = (me: string, other: string) => {
    const args = ["--import", "tsx", "--input-type=module", "--eval", script, folder, me, other];
    return runCommand(process.execPath, args);
  };
  for (const { code, stderr } of await Promise.all([start("a", "b"), start("b", "a")])) assert.equal(code, 0, stderr);
  for (let round = 0; round < rounds; round++) {
    const path = join(folder, String(round));
    const text = [path, `${path}.1`].map((part) => readFileSync(part, "utf8")).join("");
    assert.equal(new Set(text.split("\n")).size - 1, 2 * lines, `round ${round}`);
  }
  assert.deepEqual(
    listDir(folder).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test("each round of the janitor makes the folders that are gone, and complains of what is in the way", async (t) => {
  const paths = makeState(t);
  const failed: string[] = [];
  const complaints = { failed: (what: string) => void failed.push(what), worked: () => {} };
  const runRound = () =>
    new Promise<void>((resolve) => {
      const env = { HOME: paths.root };
      const now = () => new Date();
      const janitor = startJanitor({ paths, env, me: "me", now, emit: () => {}, complaints, onEnd });
      function onEnd(): void {
        void janitor.close().then(resolve);
      }
    });
  for (const dir of [paths.tmp, paths.reclaim, paths.locks]) rmdirSync(dir);
  await runRound();
  assert.deepEqual(
    [listDir(paths.root).includes("tmp"), listDir(paths.root).includes("reclaim"), failed],
    [true, true, []],
  );
  rmdirSync(paths.attempts);
  writeFileSync(paths.attempts, "in the way");
  await runRound();
  assert.ok(failed.includes("the state directory"));
});

test("a watcher that ends does not wait for a long sweep", async (t) => {
  const paths = makeState(t);
  for (let name = 0; name < 100; name++) make(paths.outbox, `${name}.json`, 15 * DAY);
  const abort = new AbortController();
  abort.abort();
  await sweep({ paths, now: new Date(), signal: abort.signal, onBurial: () => {} });
  assert.equal(listDir(paths.outbox).length, 100);
});
