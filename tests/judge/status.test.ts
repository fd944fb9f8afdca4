import assert from "node:assert/strict";
import { mkdirSync, rmSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { status as statusOf } from "../../cli/status.ts";
import { verdicts } from "../../cli/verdicts.ts";
import type { RunVerb } from "../../cli/verbs.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { getHealthPath } from "../../judge/health/health.ts";
import { describeCall, hash } from "../../judge/runners/identify.ts";
import { createInstance, writeInstance } from "../../judge/state/instance.ts";
import { describeModesAtRest, findModesAtRest } from "../../judge/status/modes-at-rest.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { getTranscriptKey, shortHash } from "../../lib/io/transcript-key.ts";
import { installFakes } from "../helpers/fake-clis.ts";
import {
  askFake,
  drop,
  evidence,
  judgeAll,
  makeState,
  question,
  transcript,
  watchInProcess,
} from "../helpers/queue.ts";
import { writeVerdictAt } from "../helpers/write-verdict.ts";

const now = new Date("2026-11-30T12:00:00Z");

type Command = RunVerb;

/** Of no hook: what is told of hooks, labels.test.ts tests. */
const status: RunVerb = (args, io) => statusOf(args, io, []);

function writeVerdict(paths: StatePaths, id: string, minutesAgo: number, more: Partial<Verdict> = {}): void {
  writeVerdictAt(paths, id, new Date(now.getTime() - minutesAgo * 60_000), more);
}

async function run(
  command: Command,
  paths: StatePaths,
  args: readonly string[] = [],
  color = false,
  at = now,
  env: Env = {},
) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await command(args, {
    env: { CATSTACK_LLM_JUDGE_STATE_DIR: paths.root, HOME: paths.root, XDG_CONFIG_HOME: paths.root, ...env },
    stdin: process.stdin,
    now: () => at,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    color,
    cwd: "/nowhere",
  });
  return { code, out, err };
}

async function readJson(command: Command, paths: StatePaths, args: readonly string[] = [], at = now): Promise<unknown> {
  const { out } = await run(command, paths, [...args, "--json"], false, at);
  assert.equal(out.length, 1);
  return JSON.parse(out[0] ?? "");
}

test("an empty queue without a watcher is fine", async (t) => {
  const paths = makeState(t);
  const { code, out } = await run(status, paths);
  assert.equal(code, 0);
  assert.deepEqual(out, [
    "watcher     none",
    "inbox       0",
    "claimed     0",
    "verdicts    0, 0 to be delivered",
    "dead        0",
    `state       ${paths.root}`,
    "fine",
  ]);
});

test("jobs that wait without a watcher are a problem", async (t) => {
  const paths = makeState(t);
  for (const [id, minutes] of [
    ["e1", 3],
    ["e2", 5],
  ] as const) {
    const time = new Date(now.getTime() - minutes * 60_000);
    utimesSync(drop(paths, `${id}.json`, evidence()), time, time);
  }
  drop(paths, "notes.txt", "no job");
  const { code, out } = await run(status, paths);
  assert.equal(code, 1);
  assert.ok(out.includes("inbox       2, the oldest for 5 min"));
  assert.equal(
    out.at(-1),
    "2 jobs wait and no watcher runs; start one with `catstack watch`, to keep: `catstack service install`",
  );
  assert.equal((await run(status, paths, [], true)).out.at(-1), `\u001b[31m${out.at(-1)}\u001b[39m`);
});

test("a running watcher is shown with what it runs", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question({ mode: "investigate", timeout_seconds: 90 }));
  drop(paths, "b1.json", "[1]", 60_000);
  drop(paths, "e1.json", evidence());
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path) });
  await fakes.waitForPids("model");
  await watcher.waitForEvent("job:dead", "b1");
  await watcher.waitForEvent("job:judged", "e1");
  const { code, out } = await run(status, paths, [], false, new Date());
  assert.equal(code, 0);
  assert.match(out[0] ?? "", new RegExp(`^watcher {5}.+, pid ${process.pid}, for \\d+ s$`));
  assert.match(out[1] ?? "", /^running {5}q1 \(test, investigate\), \d+ of 90 s$/);
  assert.deepEqual(out.slice(2, 6), [
    "inbox       0",
    "claimed     1",
    "verdicts    1, 1 to be delivered",
    "dead        1, see `catstack dead list`",
  ]);
  const found = await readJson(status, paths, [], new Date());
  assert.ok(typeof found === "object" && found !== null && "counts" in found && "healthy" in found);
  assert.deepEqual(found.counts, { inbox: 0, claimed: 1, dead: 1, undelivered: 1, outbox: 1 });
  assert.equal(found.healthy, true);
});

test("a watcher that gives no sign of life for 20 seconds is a problem", async (t) => {
  const paths = makeState(t);
  const instance = createInstance(new Date(now.getTime() - 3_600_000), "aa");
  writeInstance(paths, instance);
  const writeHealth = (age: number): void => {
    const at = new Date(now.getTime() - age).toISOString();
    const last_error = { at, what: "outbox", message: "full\u001b[2J" };
    writeFileSync(paths.health, JSON.stringify({ at, instance: instance.name, last_scan_at: at, last_error }));
  };
  writeHealth(20_000);
  assert.equal((await run(status, paths)).code, 0);
  writeHealth(21_000);
  const { code, out } = await run(status, paths);
  assert.equal(code, 1);
  assert.equal(out.at(-1), "the watcher's last sign of life is 21 s old, expected one every 5 s; restart it");
  assert.ok(out.includes("last error  outbox: full [2J, 21 s ago"), "no control character reaches the terminal");
});

test("what is no time is taken for broken, never shown as one", async (t) => {
  const paths = makeState(t);
  writeInstance(paths, createInstance(new Date(now.getTime() - 3_600_000), "aa"));
  const last_error = { at: "noon", what: "outbox", message: "full" };
  writeFileSync(paths.health, JSON.stringify({ at: now, instance: "i", last_scan_at: "noon", last_error }));
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "last_scan_at" in found && "last_error" in found);
  assert.deepEqual([found.last_scan_at, found.last_error], [null, null]);
  writeFileSync(paths.health, JSON.stringify({ at: "noon", instance: "i", last_scan_at: now }));
  assert.equal(
    (await run(status, paths)).out.at(-1),
    "the watcher's last sign of life is 3600 s old, expected one every 5 s; restart it",
  );
  writeInstance(paths, { ...createInstance(now, "aa"), startedAt: "noon" });
  for (const line of (await run(status, paths)).out) assert.doesNotMatch(line, /NaN|Invalid/);
});

test("the newest two reasons of dead files are shown, a line each", async (t) => {
  const paths = makeState(t);
  for (const [name, minutes, reason] of [
    ["a", 9, "oldest"],
    ["b", 3, "expected JSON,\ngot nothing"],
    ["c", 6, "expected `hook`, got nothing"],
  ] as const) {
    const time = new Date(now.getTime() - minutes * 60_000);
    writeFileSync(join(paths.dead, `${name}.json`), "");
    const path = join(paths.dead, `${name}.json.reason.json`);
    writeFileSync(path, JSON.stringify({ code: "invalid", reason }));
    utimesSync(path, time, time);
  }
  const { code, out } = await run(status, paths);
  assert.equal(code, 0);
  const first = out.indexOf("dead        3, see `catstack dead list`");
  assert.deepEqual(out.slice(first + 1, first + 4), [
    "            b.json, 3 min ago: expected JSON, got nothing",
    "            c.json, 6 min ago: expected `hook`, got nothing",
    `state       ${paths.root}`,
  ]);
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "dead_reasons" in found);
  assert.deepEqual(found.dead_reasons, [
    { file: "b.json", reason: "expected JSON,\ngot nothing", at: "2026-11-30T11:57:00.000Z" },
    { file: "c.json", reason: "expected `hook`, got nothing", at: "2026-11-30T11:54:00.000Z" },
  ]);
});

test("runners that rest are shown with why and until when, and those whose rest is over are not", async (t) => {
  const paths = makeState(t);
  const rest = { runner: "claude", cause: "quota", reason: "out of quota: limit\nreached", program: "p" };
  const since = "2026-11-30T11:00:00.000Z";
  const file = {
    a: { ...rest, since, until: "2026-11-30T14:30:00.000Z" },
    b: { ...rest, runner: "codex", cause: "not-installed", reason: "not installed", since, until: now.toISOString() },
  };
  writeFileSync(paths.resting, JSON.stringify(file));
  const { code, out } = await run(status, paths);
  assert.deepEqual(
    [code, out.filter((row) => row.startsWith("resting")), out.at(-1)],
    [0, ["resting     claude for 2 h, until 2026-11-30 14:30:00Z: out of quota: limit reached"], "fine"],
  );
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "resting" in found);
  const { program, ...shown } = file.a;
  assert.deepEqual([found.resting, program], [[{ ...shown, mode: null }], "p"]);
});

test("a runner that rests alike in both modes is shown once, else with its modes", async (t) => {
  const paths = makeState(t);
  const rest = { runner: "claude", cause: "not-installed", reason: "not installed", program: "p" };
  const since = "2026-11-30T11:00:00.000Z";
  const [a, b] = ["2026-11-30T12:09:00.000Z", "2026-11-30T12:09:01.000Z"];
  const look = async (of: object, color = false) => {
    const both = {
      a: { ...rest, since, mode: "default", until: a },
      b: { ...rest, since, mode: "investigate", until: b, ...of },
    };
    writeFileSync(paths.resting, JSON.stringify(both));
    return (await run(status, paths, [], color)).out.filter((row) => row.includes("resting"));
  };
  const one = "claude for 9 min, until 2026-11-30 12:09:01Z: not installed";
  assert.deepEqual(await look({}), [`resting     ${one}`]);
  assert.deepEqual(await look({ until: a }), [`resting     ${one.replace(":01Z", ":00Z")}`]);
  assert.deepEqual(await look({}, true), [`\u001B[33mresting     \u001B[39m${one}`]);
  assert.deepEqual(await look({ cause: "quota", reason: "out of quota" }), [
    "resting     claude (default) for 9 min, until 2026-11-30 12:09:00Z: not installed",
    "resting     claude (investigate) for 9 min, until 2026-11-30 12:09:01Z: out of quota",
  ]);
  const found = await readJson(status, paths);
  assert.match(JSON.stringify(found), /"mode":"default".*"mode":"investigate"/);
});

test("when every runner rests that is a problem, until one may be asked", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { first: "not-logged-in" });
  const override = JSON.stringify([
    ["first", ["first", "{prompt}"]],
    ["second", ["second", "{prompt}"]],
  ]);
  const env = { PATH: path, HOME: path, CATSTACK_LLM_JUDGE_RUNNERS: override };
  const look = async (at: Date) => {
    const { code, out } = await run(status, paths, [], false, at, { ...env, PATH: "/elsewhere" });
    return [code, out.at(-1)];
  };
  const start = new Date();
  drop(paths, "q1.json", question());
  await judgeAll(paths, { env, now: () => start });
  const ten = new Date(start.getTime() + 600_000);
  const said = `no runner can be asked until ${ten.toISOString()}: every job becomes unchecked`;
  assert.deepEqual(await look(start), [1, said], "whatever the environment of who looks: the watcher's counts");
  assert.deepEqual(await look(ten), [0, "fine"]);
});

test("a program that is there again is said to rest by nobody, whatever the PATH of who looks", async (t) => {
  const paths = makeState(t);
  const bin = join(paths.root, "bin");
  mkdirSync(bin);
  const env = { PATH: bin, HOME: paths.root, CATSTACK_LLM_JUDGE_RUNNERS: '[["mine", ["mine", "{prompt}"]]]' };
  const start = new Date();
  drop(paths, "q1.json", question());
  await judgeAll(paths, { env, now: () => start });
  const look = async () => (await run(status, paths, [], false, start, { ...env, PATH: "/elsewhere" })).out.at(-1);
  assert.match((await look()) ?? "", /^no runner can be asked until /);
  writeFileSync(join(bin, "mine"), "#!/bin/sh\n", { mode: 0o755 });
  assert.equal(await look(), "fine");
  rmSync(join(bin, "mine"));
  assert.match((await look()) ?? "", /^no runner can be asked until /, "nothing was written");
});

test("the modes whose runners all rest are found by how these are called", () => {
  const runner = (name: string) => ({ name, invoke: () => ({ file: name, args: [] }), getVariables: () => [] });
  const call = (name: string) => hash(describeCall(runner(name), "default"));
  const rest = { runner: "r", cause: "quota", reason: "r", since: now.toISOString(), program: "p" } as const;
  const rests = {
    [call("a")]: { ...rest, until: "2026-11-30T14:00:00.000Z" },
    [call("b")]: { ...rest, until: "2026-11-30T13:00:00.000Z" },
  };
  const find = (byDefault: readonly string[], investigate: readonly string[]) =>
    describeModesAtRest(
      findModesAtRest(rests, (mode) => ({
        ok: true,
        runners: (mode === "default" ? byDefault : investigate).map(runner),
      })),
    );
  const until = "until 2026-11-30T13:00:00.000Z";
  assert.deepEqual(find(["a", "b"], ["b"]), [`no runner can be asked ${until}: every job becomes unchecked`]);
  const ofOne = `no runner of investigate can be asked ${until}: every such job becomes unchecked`;
  assert.deepEqual(find(["a", "c"], ["b", "a"]), [ofOne]);
  assert.deepEqual(find(["c"], ["a", "c"]), []);
  assert.deepEqual(find([], []), []);
});

test("questions that a cap or a hook's share keeps waiting are shown, and are no problem", async (t) => {
  const paths = makeState(t);
  const settings = join(paths.root, "catstack", "config.json");
  mkdirSync(join(paths.root, "catstack"));
  const allow = (jobs_per_hour: number) => writeFileSync(settings, JSON.stringify({ judge: { jobs_per_hour } }));
  const starts = ["1", "2", "3"].map((digit) => `${now.getTime()} ${digit.repeat(16)} ${shortHash("by-hand")}\n`);
  writeFileSync(paths.starts, starts.join(""));
  writeInstance(paths, createInstance(now, "aa"));
  const jobs: readonly (readonly [string, Record<string, unknown>])[] = [
    ["q1", question({ hook: "by-hand" })],
    ["q2", question({ hook: "by-hand" })],
    ["q3", question({ hook: "other" })],
    ["e1", evidence({ hook: "by-hand" })],
  ];
  for (const [id, job] of jobs) drop(paths, `${id}.json`, job);
  const getWaiting = async () => {
    const { code, out } = await run(status, paths);
    return [code, ...out.filter((row) => row.startsWith("waiting"))];
  };
  allow(4);
  assert.deepEqual(await getWaiting(), [0, "waiting     2 of by-hand: its share is used (3 of 3 this hour)"]);
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "waiting" in found);
  assert.deepEqual(found.waiting, [{ hook: "by-hand", jobs: 2, used: 3, limit: 3, span: "hour" }]);
  allow(3);
  assert.deepEqual(await getWaiting(), [0, "waiting     3: 3 jobs an hour are used"]);
  allow(5);
  assert.deepEqual(await getWaiting(), [0]);
});

test("files in the inbox that are no jobs are named, hidden ones apart", async (t) => {
  const paths = makeState(t);
  const getIgnored = async () => (await run(status, paths)).out.filter((row) => row.startsWith("ignored"));
  drop(paths, ".hidden", "");
  assert.deepEqual(await getIgnored(), []);
  drop(paths, "note.txt", "");
  assert.deepEqual(await getIgnored(), ["ignored     1 file in inbox/ that is no job (note.txt)"]);
  for (const name of ["b.md", "c.json~", "d\u001b[2J"]) drop(paths, name, "");
  assert.deepEqual(await getIgnored(), ["ignored     4 files in inbox/ that are no jobs (b.md, c.json~, d [2J, ...)"]);
  assert.equal((await run(status, paths)).code, 0);
});

test("limits that cannot be read are problems, and the rest is shown", async (t) => {
  const paths = makeState(t);
  mkdirSync(paths.starts);
  for (const path of [paths.resting, paths.tripped]) symlinkSync(path, path);
  const { code, out } = await run(status, paths);
  assert.equal(code, 1);
  assert.ok(out.includes("inbox       0"));
  assert.deepEqual(
    out.slice(-3).map((line) => line.slice(0, line.indexOf(":"))),
    [paths.resting, paths.starts, paths.tripped].map((path) => `${path} cannot be read`),
  );
  for (const line of out) assert.doesNotMatch(line, /\.ts:/, "no stack");
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null);
  const { resting, budget, tripped }: Record<string, unknown> = { ...found };
  assert.deepEqual([resting, budget, tripped], [null, null, null]);
});

test("a last error is said once while it lasts, and then with since when it is over", async (t) => {
  const paths = makeState(t);
  const instance = createInstance(now, "aa");
  writeInstance(paths, instance);
  const at = now.toISOString();
  const error = { what: "outbox", message: "full" };
  const write = (more: Record<string, unknown>) =>
    writeFileSync(paths.health, JSON.stringify({ at, instance: instance.name, ...more }));
  const find = async () => (await run(status, paths)).out.filter((row) => row.includes("outbox: full"));
  write({ last_error: { at, ...error }, problems: [{ since: at, ...error }] });
  assert.deepEqual(await find(), ["outbox: full"]);
  write({ last_error: { at, ...error, over_at: at }, problems: [] });
  assert.deepEqual(await find(), ["last error  outbox: full, 0 s ago (over since 2026-11-30 12:00:00Z)"]);
});

test("what was asked is shown beside the caps, which broken settings leave out", async (t) => {
  const paths = makeState(t);
  const starts = [now.getTime(), now.getTime() - 3_600_000, now.getTime() - 86_400_000];
  writeFileSync(paths.starts, starts.map((start) => `${start}\n`).join(""));
  const settings = join(paths.root, "catstack", "config.json");
  mkdirSync(join(paths.root, "catstack"));
  writeFileSync(settings, '{"judge": {"jobs_per_hour": 1, "jobs_per_day": 10}}');
  const getAsked = async () => (await run(status, paths)).out.filter((row) => row.startsWith("asked"));
  assert.deepEqual(await getAsked(), [
    "asked       1 of 1 in the last hour, 2 of 10 in the last 24 h, answered or not",
  ]);
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "budget" in found);
  assert.deepEqual(found.budget, { hour: { used: 1, cap: 1, left: 0 }, day: { used: 2, cap: 10, left: 8 } });
  writeFileSync(settings, "{");
  assert.deepEqual(await getAsked(), ["asked       1 in the last hour, 2 in the last 24 h, answered or not"]);
});

test("a trip is a problem that says how to end it", async (t) => {
  const paths = makeState(t);
  const trip = { since: "2026-11-30T11:50:00.000Z", until: "2026-11-30T12:05:00.000Z", limit: 120 };
  writeFileSync(paths.tripped, JSON.stringify(trip));
  const { code, out } = await run(status, paths);
  assert.equal(code, 1);
  assert.equal(
    out.at(-1),
    "tripped: more than 120 questions came within a minute; none is asked until 2026-11-30T12:05:00.000Z; " +
      `see what fills ${paths.inbox}, and remove ${paths.tripped} to go on at once`,
  );
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "tripped" in found && "healthy" in found);
  assert.deepEqual([found.tripped, found.healthy], [trip, false]);
});

test("what a watcher fails at again and again is a problem, said once however many fail", async (t) => {
  const paths = makeState(t);
  const at = now.toISOString();
  const problem = { since: at, what: "reading the inbox", message: "EIO\u001b[2J" };
  for (const random of ["aa", "bb"]) {
    const instance = createInstance(now, random);
    writeInstance(paths, instance);
    mkdirSync(dirname(getHealthPath(paths, instance.name)), { recursive: true });
    const health = { at, instance: instance.name, problems: [problem, "none", { what: 1 }] };
    writeFileSync(getHealthPath(paths, instance.name), JSON.stringify(health));
  }
  const { code, out } = await run(status, paths);
  assert.equal(code, 1);
  assert.deepEqual(out.slice(-2), [`state       ${paths.root}`, "reading the inbox: EIO [2J"]);
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "watchers" in found && Array.isArray(found.watchers));
  const problems = found.watchers.map((watcher: { problems: unknown }) => watcher.problems);
  assert.deepEqual(problems, [[problem], [problem]]);
});

test("of two watchers the one that hangs is named", async (t) => {
  const paths = makeState(t);
  const early = new Date(now.getTime() - 60_000);
  for (const [random, startedAt] of [
    ["aa", early],
    ["bb", now],
  ] as const)
    writeInstance(paths, createInstance(startedAt, random));
  const { code, out } = await run(status, paths);
  assert.equal(code, 1);
  assert.equal(
    out.at(-1),
    `watcher ${process.pid}'s last sign of life is 60 s old, expected one every 5 s; restart it`,
  );
});

test("what hooks in observe mode would have done is counted by hook, the older log included", async (t) => {
  const paths = makeState(t);
  const line = (hook: string, messages: string[], jobs: string[]) => `${JSON.stringify({ hook, messages, jobs })}\n`;
  writeFileSync(`${paths.observedLog}.1`, line("flips", ["m"], ["j", "k"]));
  writeFileSync(paths.observedLog, `${line("flips", ["m"], ["j"])}broken\n${line("claims", [], ["j"])}`);
  const found = await readJson(status, paths);
  assert.ok(typeof found === "object" && found !== null && "observed" in found);
  assert.deepEqual(found.observed, [
    { hook: "claims", would_have_said: 0, would_have_asked: 1, since: null },
    { hook: "flips", would_have_said: 2, would_have_asked: 3, since: null },
  ]);
});

test("verdicts are listed newest first, in columns", async (t) => {
  const paths = makeState(t);
  assert.deepEqual((await run(verdicts, paths)).out, ["no verdicts"]);
  writeVerdict(paths, "v1", 30);
  writeVerdict(paths, "v22", 10, {
    outcome: "unchecked",
    runner: null,
    reason: "expired\nat noon",
    hook: "longer-name",
  });
  writeVerdict(paths, "v3", 20, { outcome: "clean", reason: "not true: hit" });
  const { code, out } = await run(verdicts, paths);
  assert.equal(code, 0);
  assert.deepEqual(out, [
    "2026-11-30 11:50:00Z  unchecked  longer-name  -      v22  expired at noon",
    "2026-11-30 11:40:00Z  clean      test         codex  v3   not true: hit",
    "2026-11-30 11:30:00Z  hit        test         codex  v1   say it",
  ]);
  assert.deepEqual((await run(verdicts, paths, ["--limit", "1"])).out.length, 1);
  await assert.rejects(run(verdicts, paths, ["--limit", "0"]), /--limit.*"0"/);
});

test("verdicts of one transcript are found by its path, and broken ones are named", async (t) => {
  const paths = makeState(t);
  const other = { transcript: "/nowhere/b.jsonl", transcript_key: getTranscriptKey("/nowhere/b.jsonl") };
  writeVerdict(paths, "v1", 1, other);
  writeVerdict(paths, "v2", 2);
  writeFileSync(join(paths.outbox, "v3.json"), "{");
  mkdirSync(join(paths.outbox, "v4.json"));
  const { code, err } = await run(verdicts, paths);
  assert.equal(code, 0);
  assert.equal(err.length, 1);
  assert.match(err[0] ?? "", /v3\.json: expected /);
  const found = await readJson(verdicts, paths, ["--transcript", "b.jsonl"]);
  assert.ok(Array.isArray(found));
  assert.deepEqual(
    found.map((verdict: Verdict) => verdict.id),
    ["v1"],
  );
});

test("one verdict is shown in full", async (t) => {
  const paths = makeState(t);
  writeVerdict(paths, "v1", 1, { rule_id: "flip", report: "seen", started_at: "2026-11-30T11:58:00Z" });
  const { code, out } = await run(verdicts, paths, ["v1"]);
  assert.equal(code, 0);
  assert.deepEqual(out, [
    "id          v1",
    "outcome     hit",
    "reason      all true: hit",
    "report      seen",
    "hook        test (flip)",
    "runner      codex, default",
    "attempt     codex: answered (1.5 s)",
    'answer      {"hit":true}',
    "on a hit    say it",
    `transcript  ${transcript}`,
    "started     2026-11-30T11:58:00Z",
    "finished    2026-11-30T11:59:00.000Z",
    "delivery    on the next prompt",
  ]);
  assert.deepEqual(
    await readJson(verdicts, paths, ["v1"]),
    JSON.parse(readFileSync(join(paths.outbox, "v1.json"), "utf8")),
  );
  writeVerdict(paths, "v3", 1, { harness: "cursor" });
  assert.match(
    (await run(verdicts, paths, ["v3"])).out.at(-1) ?? "",
    /^delivery {4}to nobody, since Cursor has no way/,
  );
  await assert.rejects(run(verdicts, paths, ["v2"]), /expected the id of a verdict, got "v2"/);
  await assert.rejects(run(verdicts, paths, ["../inbox/e1"]), /expected the id of a verdict/);
});
