import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openClaims } from "../../judge/claim.ts";
import { createEventBus, type JudgeEvent } from "../../judge/events.ts";
import type { Waiting } from "../../judge/inbox/inbox.ts";
import { createComplaints } from "../../judge/health/complaints.ts";
import { createJobEffects } from "../../judge/job-effects.ts";
import { findLastingFailure } from "../../judge/runners/lasting.ts";
import { findResetTime } from "../../judge/runners/reset-time.ts";
import { countStartsLeft, describeReachedCap, type Caps, type Start } from "../../judge/schedule/budget.ts";
import { createChooser } from "../../judge/schedule/choose.ts";
import { createJobWorker } from "../../judge/schedule/job-worker.ts";
import { addLines } from "../../judge/schedule/parse-starts.ts";
import { getRestEnd, mayEndByLogin } from "../../judge/question/rest.ts";
import { selectJobs, selectShed } from "../../judge/schedule/select-jobs.ts";
import { openStarts } from "../../judge/schedule/starts.ts";
import { findAbsurdDrop } from "../../judge/schedule/trip.ts";
import { createTripwire } from "../../judge/schedule/tripwire.ts";
import type { JudgeSettings } from "../../judge/settings.ts";
import { createShutdown } from "../../judge/supervision/shutdown.ts";
import { readRests } from "../../judge/state/rests-file.ts";
import { readTrip } from "../../judge/state/trip-file.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import { installFakes } from "../helpers/fake-clis.ts";
import {
  askFake,
  drop,
  evidence,
  getMode,
  judgeAll,
  makeState,
  question,
  readVerdictAt,
  watchInProcess,
} from "../helpers/queue.ts";
import { waitFor } from "../helpers/wait-for.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = Date.parse("2026-11-30T12:00:00Z");

// --- why a runner will fail again

const banner = "OpenAI Codex v0.171.0\n--------\nworkdir: /tmp/x\nmodel: m\n--------\nuser\n";
const codexSays = (question: string, error: string) => `${banner}${question}\n\n${error}\n`;
const PLEASE_LOG_IN = "Not logged in · Please run /login";

const failures: readonly (readonly [name: string, kind: string | undefined, stdout: string, stderr: string])[] = [
  ["claude without an account", "not-logged-in", PLEASE_LOG_IN, ""],
  ["claude with a wrong key", "not-logged-in", "Invalid API key · Fix external API key\n", ""],
  ["claude with an expired token", "not-logged-in", 'API Error: 401 {"type":"error"} · Please run /login', ""],
  ["claude after a warning on stderr", "not-logged-in", PLEASE_LOG_IN, "(node:7) Warning: old\n"],
  [
    "codex without a key",
    "not-logged-in",
    "",
    codexSays(
      "Is it so?",
      "ERROR: unexpected status 401 Unauthorized: Missing bearer or basic authentication in header",
    ),
  ],
  ["cursor-agent", "not-logged-in", "", "Error: Authentication required. Please run 'agent login' first."],
  ["claude's older limit", "quota", "Claude AI usage limit reached|1796043600", ""],
  ["claude's session limit", "quota", "You've hit your session limit · resets 3pm (Europe/Berlin)", ""],
  ["claude's limit with a curly quote", "quota", "You’ve hit your limit · resets 3pm (Europe/Berlin)", ""],
  ["claude's weekly limit", "quota", "Weekly limit reached · resets Feb 7, 11am (Asia/Seoul)", ""],
  ["claude without credit", "quota", "Credit balance is too low", ""],
  [
    "codex's limit",
    "quota",
    "",
    codexSays("Is it so?", "ERROR: You've hit your usage limit. Upgrade to Pro or try again in 3 days 2 hours."),
  ],
  ["codex's billing", "quota", "", "ERROR: Quota exceeded. Check your plan and billing details.\n"],
  ["codex with a line after the error", "quota", "", "ERROR: You've hit your usage limit.\ntokens used: 0\n"],
  ["an older claude", "missing-switch", "", "error: unknown option '--strict-mcp-config'\n"],
  ["an older codex", "missing-switch", "", "Error: Unknown feature flag: hooks\n"],
  ["a server error", undefined, "API Error: 500 internal error", ""],
  ["an overloaded server", undefined, 'API Error: 529 {"type":"overloaded_error"}', ""],
  [
    "a rate limit",
    undefined,
    "API Error: 429 This request would exceed your account's rate limit. Please try again later.",
    "",
  ],
  ["a rate limit in other words", undefined, "", "ERROR: Rate limit reached for m. Please try again in 1.2s"],
  ["a rate limit that was hit", undefined, "", "ERROR: You've hit your rate limit"],
  ["a network error", undefined, "", "ERROR: stream disconnected before completion: connection reset"],
  ["nothing said", undefined, "", ""],
  [
    "a question about a limit, echoed before a passing error",
    undefined,
    "",
    codexSays("ERROR: You've hit your usage limit", "ERROR: Connection failed: dns error"),
  ],
  [
    "a question about a switch, echoed before a passing error",
    undefined,
    "",
    codexSays("error: unknown option '-x'", "ERROR: Connection failed: dns error"),
  ],
  ["an answer about logins above the error", undefined, "API Error: 503\nYou were not logged in.", ""],
];

for (const [name, kind, stdout, stderr] of failures) {
  test(`${name}: ${kind ?? "no lasting failure"}`, () => {
    assert.equal(findLastingFailure({ exitCode: 1, stdout, stderr })?.kind, kind);
    assert.equal(findLastingFailure({ exitCode: 0, stdout, stderr }), undefined, "a runner that ended with 0 did work");
  });
}

// --- until when

const resets: readonly (readonly [text: string, at: string | undefined])[] = [
  ["Claude AI usage limit reached|1796043600", "2026-11-30T13:00:00Z"],
  ['{"type":"usage_limit_reached","resets_at":1796043600}', "2026-11-30T13:00:00Z"],
  ["try again in 3 days 2 hours.", "2026-12-03T14:00:00Z"],
  ["try again in 1 day 1 hour 1 minute", "2026-12-01T13:01:00Z"],
  ["Resets in 2h 30m", "2026-11-30T14:30:00Z"],
  ["resets 3pm (Europe/Berlin)", "2026-11-30T14:00:00Z"],
  ["Your limit will reset at 1pm (Etc/GMT+5)", "2026-11-30T18:00:00Z"],
  ["resets 12:30am (America/New_York)", "2026-12-01T05:30:00Z"],
  ["resets 12pm (UTC)", undefined],
  ["resets 11:30am (UTC)", undefined],
  ["resets 10:30am (UTC)", "2026-12-01T10:30:00Z"],
  ["try again at 5:12 PM.", "2026-11-30T16:12:00Z"],
  ["resets 5:12pm (Nowhere/Atall)", "2026-11-30T16:12:00Z"],
  ["try again at Dec 8th, 2026 12:30 PM.", "2026-12-08T11:30:00Z"],
  ["try again after or try again at Dec 1st, 2026 12:57 AM", "2026-11-30T23:57:00Z"],
  ["resets Dec 3 at 10am (UTC)", "2026-12-03T10:00:00Z"],
  ["resets Dec 24, 9am (Asia/Seoul)", "2026-12-24T00:00:00Z"],
  ["resets Jan 1, 9am (Asia/Seoul)", "2027-01-01T00:00:00Z"],
  ["try again at Mar 28th, 2027 3:30 AM", undefined],
  ["reached|1796040000", undefined],
  ["try again later.", undefined],
  ["try again in -5 days", undefined],
  ["try again in 1.5 days", undefined],
  ["resets 25pm", undefined],
  ["resets 3:99pm", undefined],
  ["the quota of 3 days is over", undefined],
];

for (const [text, at] of resets) {
  test(`a reset in words: ${text} is ${at ?? "no time"}`, () => {
    const found = findResetTime(text, now, "Europe/Berlin");
    assert.equal(found === undefined ? undefined : new Date(found).toISOString(), at?.replace("Z", ".000Z"));
  });
}

test("a reset on the day that the clocks change is that of the new time", () => {
  const eve = Date.parse("2027-03-27T12:00:00Z");
  assert.equal(findResetTime("resets Mar 28, 1:30am", eve, "Europe/Berlin"), Date.parse("2027-03-28T00:30:00Z"));
  assert.equal(findResetTime("resets Mar 28, 4am", eve, "Europe/Berlin"), Date.parse("2027-03-28T02:00:00Z"));
});

test("a rest is as long as its cause lasts, and that of a quota ends with it", () => {
  assert.equal(getRestEnd("not-logged-in", now, now + DAY), now + 10 * MINUTE);
  assert.equal(getRestEnd("quota", now, now + DAY), now + DAY);
  assert.equal(getRestEnd("quota", now, undefined), now + 30 * MINUTE);
  assert.equal(getRestEnd("missing-switch", now, undefined), now + 6 * HOUR);
});

// --- resting, with a watcher

const twoRunners = [
  ["first", ["first", "{prompt}"]],
  ["second", ["second", "{prompt}"]],
];

function ask(binPath: string, runners: unknown = twoRunners): Env {
  return { PATH: binPath, HOME: binPath, CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify(runners) };
}

function countCalls(binPath: string, name: string): number {
  const path = join(binPath, `${name}.calls`);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n").length : 0;
}

const fakes = (name: string) => fileURLToPath(new URL(`../../fixtures/bin/${name}.mjs`, import.meta.url));
const verdictOf = (paths: StatePaths, id: string) => readVerdictAt(join(paths.outbox, `${id}.json`));
const reasonsOf = (paths: StatePaths, id: string) => verdictOf(paths, id).attempts.map(({ reason }) => reason);
let asked = 0;
/** One that nobody was asked before. */
const fresh = (more: Record<string, unknown> = {}) => question({ prompt: `Question ${(asked += 1)}`, ...more });

test("a runner that is not logged in is asked once, rests for ten minutes and is asked again", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { first: "not-logged-in", second: "counts" });
  const start = new Date();
  const judge = async (id: string, afterMs: number) => {
    drop(paths, `${id}.json`, fresh());
    await judgeAll(paths, { env: ask(path), now: () => new Date(start.getTime() + afterMs) });
    return [verdictOf(paths, id).runner, reasonsOf(paths, id)[0]];
  };
  const until = new Date(start.getTime() + 10 * MINUTE).toISOString();
  const said = `not logged in: ${PLEASE_LOG_IN}`;
  assert.deepEqual(await judge("q1", 0), ["second", said]);
  assert.deepEqual(await judge("q2", 1), ["second", `resting until ${until}: ${said}`]);
  assert.deepEqual([countCalls(path, "first"), getMode(paths.resting)], [1, "600"]);
  writeFileSync(join(path, "first.login"), "");
  assert.deepEqual(await judge("q3", 10 * MINUTE - 1), ["second", `resting until ${until}: ${said}`]);
  assert.deepEqual(await judge("q4", 10 * MINUTE), ["first", "answered"]);
  assert.deepEqual([countCalls(path, "first"), countCalls(path, "second")], [2, 3]);
});

test("a runner out of quota rests until its limit is reset, and an answer ends whatever was said of it", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { first: "out-of-quota", second: "counts" });
  let time = new Date();
  drop(paths, "q1.json", fresh());
  await judgeAll(paths, { env: ask(path), now: () => time });
  const rests = readRests(paths, time);
  const [call = "", rest] = Object.entries(rests)[0] ?? [];
  assert.equal(rest?.until, new Date(time.getTime() + 3 * DAY + 2 * HOUR).toISOString());
  assert.match(rest?.reason ?? "", /^out of quota: ERROR: You've hit your usage limit\./);
  time = new Date(time.getTime() + 1);
  writeFileSync(paths.resting, JSON.stringify({ [call]: { ...rest, program: "another" } }));
  unlinkSync(join(path, "first"));
  symlinkSync(fakes("counts"), join(path, "first"));
  drop(paths, "q2.json", fresh());
  await judgeAll(paths, { env: ask(path), now: () => time });
  assert.equal(verdictOf(paths, "q2").runner, "first");
  assert.equal(existsSync(paths.resting), false);
});

test("when every runner rests the job is unchecked at once: nothing is started and nothing counted", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { first: "not-logged-in" });
  drop(paths, "q1.json", fresh());
  await judgeAll(paths, { env: ask(path) });
  assert.deepEqual(reasonsOf(paths, "q1"), [`not logged in: ${PLEASE_LOG_IN}`, "not installed"]);
  drop(paths, "q2.json", fresh());
  const watcher = await watchInProcess(paths, { env: ask(path), once: true });
  await watcher.ended;
  const { outcome, reason, attempts } = verdictOf(paths, "q2");
  assert.equal(outcome, "unchecked");
  assert.match(
    reason,
    /^no runner answered: first: resting until .+: not logged in: .+; second: resting until .+Z: not .*; install and log in to first or second; see: catstack doctor$/,
  );
  assert.equal(attempts.length, 2);
  assert.deepEqual(
    watcher.events.filter(({ event }) => event === "job:start"),
    [],
  );
  assert.equal(countCalls(path, "first"), 1);
  assert.equal(openStarts(paths).list(Date.now()).length, 1);
});

test("a program that is installed while it rests, or is called otherwise, is asked at once", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { other: "counts" });
  drop(paths, "q1.json", fresh());
  await judgeAll(paths, { env: askFake(path) });
  assert.deepEqual(reasonsOf(paths, "q1"), ["not installed"]);
  drop(paths, "q2.json", fresh());
  await judgeAll(paths, { env: ask(path, [["model", ["other", "{prompt}"]]]) });
  assert.equal(verdictOf(paths, "q2").outcome, "hit", "another program under the name");
  symlinkSync(join(path, "other"), join(path, "model"));
  drop(paths, "q3.json", fresh());
  await judgeAll(paths, { env: askFake(path) });
  assert.equal(verdictOf(paths, "q3").outcome, "hit");
});

test("logging in ends a rest for want of a login or a quota at once, and no other rest", async (t) => {
  const paths = makeState(t);
  for (const [name, folder, variable, file] of [
    ["codex", ".codex", "CODEX_HOME", "auth.json"],
    ["claude", ".claude", "CLAUDE_CONFIG_DIR", ".credentials.json"],
  ] as const) {
    const { path } = installFakes(t, { [name]: "not-logged-in" });
    const home = join(path, folder);
    mkdirSync(home);
    for (const env of [askFake(path, name), { ...askFake(path, name), HOME: "/nowhere", [variable]: home }]) {
      const judge = async () => {
        drop(paths, `login-${asked}.json`, fresh());
        await judgeAll(paths, { env });
        return countCalls(path, name);
      };
      const before = countCalls(path, name);
      assert.deepEqual([await judge(), await judge()], [before + 1, before + 1], "it rests");
      writeFileSync(join(home, file), `login ${variable} ${before}`);
      assert.deepEqual([await judge(), await judge()], [before + 2, before + 2], "asked once more");
      unlinkSync(join(home, file));
    }
  }
  assert.deepEqual([mayEndByLogin("missing-switch"), mayEndByLogin("not-installed")], [false, false]);
});

test("a rest that would last longer than any limit is not believed", (t) => {
  const paths = makeState(t);
  const rest = { runner: "a", cause: "quota", reason: "r", since: new Date(now).toISOString(), program: "p" };
  const until = (ms: number) => new Date(now + ms).toISOString();
  const file = { a: { ...rest, until: until(32 * DAY) }, b: { ...rest, until: until(32 * DAY + 1) } };
  writeFileSync(paths.resting, JSON.stringify(file));
  assert.deepEqual(Object.keys(readRests(paths, new Date(now))), ["a"]);
});

test("an entry of PATH that is no folder keeps nobody from resting", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "not-logged-in" });
  const events: JudgeEvent[][] = [];
  for (const id of ["q1", "q2"]) {
    drop(paths, `${id}.json`, fresh());
    const env = { ...askFake(path), PATH: `${join(path, "node")}:${path}` };
    const watcher = await watchInProcess(paths, { env, once: true });
    await watcher.ended;
    events.push(watcher.events.filter(({ event }) => event === "watcher:error"));
  }
  assert.deepEqual([countCalls(path, "model"), events], [1, [[], []]]);
});

test("a passing failure rests nobody, and neither does a broken file of those that rest", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { first: "exits-1-on-stdout", second: "counts" });
  drop(paths, "q1.json", fresh());
  await judgeAll(paths, { env: ask(path) });
  assert.equal(existsSync(paths.resting), false);
  const future = { runner: "second", cause: "quota", reason: "r", since: "2999-01-01T00:00:00Z", program: "p" };
  for (const [id, content] of [
    ["q2", "{"],
    ["q3", "[]"],
    ["q4", '{"a": null, "b": {"runner": 1}}'],
    ["q5", JSON.stringify({ a: { ...future, until: "2999-01-02T00:00:00Z" } })],
  ] as const) {
    writeFileSync(paths.resting, content);
    drop(paths, `${id}.json`, fresh());
    await judgeAll(paths, { env: ask(path) });
    assert.equal(verdictOf(paths, id).runner, "second");
  }
});

// --- earlier answers

test("a question that was answered within a day is answered again without asking, by the job's own keys", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "counts" });
  let time = new Date();
  const judge = async (id: string, job: Record<string, unknown>, env = askFake(path)) => {
    drop(paths, `${id}.json`, job);
    const watcher = await watchInProcess(paths, { env, once: true, now: () => time, settings: { jobsPerHour: 5 } });
    await watcher.ended;
    return verdictOf(paths, id);
  };
  const first = await judge("q1", question());
  const at = first.finished_at;
  const again = await judge("q2", question({ hit_if_all_true: [], on_hit: "something else" }));
  assert.deepEqual([again.outcome, again.runner, again.started_at], ["hit", "model", undefined]);
  const said = `answered from an earlier answer of ${at}`;
  assert.deepEqual(again.attempts, [{ runner: "model", ok: true, reason: said, duration_ms: 0 }]);
  assert.deepEqual([countCalls(path, "model"), openStarts(paths).list(time.getTime()).length], [1, 1]);
  const [file = ""] = listDir(paths.answers);
  assert.match(file, /^[0-9a-f]{64}\.json$/);
  assert.equal(getMode(join(paths.answers, file)), "600");

  const lacking = await judge("q3", question({ hit_if_all_true: ["claims"] }));
  assert.deepEqual([lacking.outcome, countCalls(path, "model")], ["unchecked", 2], "asked, since the key is missing");
  await judge("q4", question({ mode: "investigate" }));
  await judge("q5", question({ mode: "investigate" }));
  assert.equal(countCalls(path, "model"), 4, "investigate is always asked");
  time = new Date(time.getTime() + DAY);
  await judge("q6", question());
  assert.equal(countCalls(path, "model"), 5, "a day later it is asked");
  time = new Date(time.getTime() - 2 * HOUR);
  await judge("q7", question());
  assert.equal(countCalls(path, "model"), 6, "an answer of the future is none");
});

test("another prompt or runner set, or a broken file, is no earlier answer", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "counts" });
  const judge = async (id: string, job: Record<string, unknown>, env = askFake(path)) => {
    drop(paths, `${id}.json`, job);
    await judgeAll(paths, { env });
    return countCalls(path, "model");
  };
  assert.equal(await judge("q1", question()), 1);
  assert.equal(await judge("q2", question({ prompt: "Another" })), 2);
  assert.equal(await judge("q3", question(), ask(path, [["model", ["model", "-v", "{prompt}"]]])), 3);
  for (const name of listDir(paths.answers)) writeFileSync(join(paths.answers, name), '{"runner": "model"');
  assert.equal(await judge("q4", question()), 4);
  for (const name of listDir(paths.answers)) unlinkSync(join(paths.answers, name));
  for (const name of ["x"]) mkdirSync(join(paths.answers, name));
  assert.equal(await judge("q5", question()), 5);
  assert.equal(await judge("q6", question()), 5);
});

// --- caps

const caps: Caps = { perHour: 2, perDay: 3, hookShare: 1 };
const hook = shortHash("test");
const startsAt = (...times: number[]): Start[] => times.map((at) => ({ at, name: null, hook }));

test("the tighter of the two caps counts, and a start stops counting when its time is over", () => {
  const starts = startsAt(HOUR, 2 * HOUR, 3 * HOUR);
  assert.equal(countStartsLeft([], caps, 0), 2);
  assert.equal(countStartsLeft(starts, caps, 3.5 * HOUR), 0, "three in the day");
  assert.equal(countStartsLeft(starts.slice(1), caps, 3.5 * HOUR), 1, "one in the hour, two in the day");
  assert.equal(countStartsLeft(starts, caps, 25 * HOUR), 1, "the first is a day old to the millisecond");
  assert.equal(describeReachedCap(starts, caps, 3.5 * HOUR, hook), "3 jobs a day");
  assert.equal(describeReachedCap(startsAt(HOUR, HOUR), caps, HOUR, hook), "2 jobs an hour");
  assert.equal(describeReachedCap(starts, caps, 25 * HOUR, hook), undefined);
  assert.equal(countStartsLeft([], { ...caps, perHour: 0 }, 0), 0, "a cap of 0 lets nothing start");
});

test("a start of the coming hour counts, one that a wrong clock wrote for later does not", () => {
  const one: Caps = { perHour: 1, perDay: 1, hookShare: 1 };
  const time = 100 * HOUR;
  assert.equal(countStartsLeft(startsAt(time + HOUR), one, time), 0);
  assert.equal(describeReachedCap(startsAt(time + HOUR), one, time, hook), "1 jobs an hour");
  assert.equal(countStartsLeft(startsAt(time + HOUR + 1), one, time), 1);
  assert.equal(describeReachedCap(startsAt(time + HOUR + 1), one, time, hook), undefined);
});

test("one hook may use its share of both caps, rounded up, whatever the others use", () => {
  const shared: Caps = { perHour: 5, perDay: 8, hookShare: 0.75 };
  const own = startsAt(now, now, now, now);
  assert.equal(describeReachedCap(own.slice(1), shared, now, hook), undefined, "3 of 4");
  assert.equal(describeReachedCap(own, shared, now, hook), "the 4 jobs an hour that one hook may ask");
  assert.equal(describeReachedCap(own, shared, now, shortHash("other")), undefined);
  assert.equal(countStartsLeft(own, shared, now, hook), 0);
  assert.equal(countStartsLeft(own, shared, now, shortHash("other")), 4);
  const ofOlderBuild = own.map(({ at }) => ({ at, name: null, hook: null }));
  assert.equal(countStartsLeft(ofOlderBuild, shared, now, hook), 4, "an older build did not write down who asked");
  assert.equal(countStartsLeft(ofOlderBuild, shared, now), 1);
});

test("lines of starts are counted, taken back, and left out when they are cut off", () => {
  const a = "a".repeat(16);
  const b = "b".repeat(16);
  const first = addLines([], `17\n\n20 ${a} ${hook}\n21 ${b} ${hook}\n22 ${a.slice(1)}\nx ${b.slice(1)}\nnoise\n`);
  assert.deepEqual(first, [
    { at: 17, name: null, hook: null },
    { at: 20, name: a, hook },
    { at: 21, name: b, hook },
  ]);
  assert.deepEqual(
    addLines(first, `x ${a}\n`).map(({ at }) => at),
    [17, 21],
  );
});

test("starts of an older build count, and a line that a full disk cut off swallows no other", (t) => {
  const paths = makeState(t);
  writeFileSync(paths.starts, `${now}\n${now - 2 * DAY}\n${now} ab`);
  const starts = openStarts(paths);
  assert.equal(starts.list(now).length, 1);
  assert.equal(starts.reserve("test", caps, now), undefined);
  assert.equal(starts.reserve("test", caps, now), "2 jobs an hour");
  assert.deepEqual(
    openStarts(paths)
      .list(now)
      .map(({ at }) => at),
    [now, now],
    "what was refused is taken back",
  );
});

test("a full file of starts is put aside, counts on, and goes when all of it is over", (t) => {
  const paths = makeState(t);
  const line = `${now} ${"a".repeat(16)} ${hook}\n`;
  writeFileSync(paths.starts, line.repeat(Math.ceil((1024 * 1024) / line.length)));
  const starts = openStarts(paths);
  const many: Caps = { perHour: 1_000_000, perDay: 1_000_000, hookShare: 1 };
  const before = starts.list(now).length;
  assert.equal(starts.reserve("test", many, now), undefined);
  assert.equal(starts.list(now).length, before + 1);
  const listAside = () => listDir(join(paths.root, "run")).filter((name) => name.startsWith("starts."));
  assert.equal(listAside().length, 1);
  assert.equal(openStarts(paths).list(now).length, before + 1);
  writeFileSync(paths.starts, line.repeat(Math.ceil((1024 * 1024) / line.length)));
  assert.equal(starts.reserve("test", many, now + 2 * DAY), undefined);
  assert.deepEqual(listAside(), []);
  assert.equal(starts.list(now + 2 * DAY).length, 1);
});

test("watchers that count at the same moment never pass a cap, and use all of it", async (t) => {
  const paths = makeState(t);
  const module = pathToFileURL(fileURLToPath(new URL("../../judge/schedule/starts.ts", import.meta.url))).href;
  const go = join(paths.root, "go");
  const script = `
    import { existsSync } from "node:fs";
    import { openStarts } from ${JSON.stringify(module)};
    const starts = openStarts(${JSON.stringify(paths)});
    console.log("ready");
    const cell = new Int32Array(new SharedArrayBuffer(4));
    while (!existsSync(${JSON.stringify(go)})) Atomics.wait(cell, 0, 0, 5);
    let count = 0;
    for (let i = 0; i < 40; i++) if (starts.reserve("test", { perHour: 50, perDay: 60, hookShare: 1 }, ${now}) === undefined) count++;
    console.log(count);`;
  const children = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    t.after(() => child.kill("SIGKILL"));
    return { read: () => out };
  });
  await waitFor("three processes", () => (children.every(({ read }) => read() === "ready\n") ? true : undefined));
  writeFileSync(go, "");
  const counts = await waitFor("three counts", () => {
    const found = children.map(({ read }) => /^ready\n(\d+)\n$/.exec(read())?.[1]);
    return found.every((count) => count !== undefined) ? found.map(Number) : undefined;
  });
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    50,
  );
  assert.equal(openStarts(paths).list(now).length, 50);
});

test("over a hook's share its jobs wait, those of other hooks do not, and what expires says why", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "counts" });
  let time = new Date();
  const settings = { jobsPerHour: 4, hookShare: 0.5 };
  const watcher = await watchInProcess(paths, { env: askFake(path), settings, now: () => time });
  for (const id of ["q1", "q2", "q3"]) drop(paths, `${id}.json`, fresh());
  drop(paths, "o1.json", fresh({ hook: "other" }));
  for (const id of ["q1", "q2", "o1"]) await watcher.waitForEvent("job:judged", id);
  drop(paths, "e1.json", evidence());
  await watcher.waitForEvent("job:judged", "e1");
  assert.deepEqual(listDir(paths.inbox), ["q3.json"]);
  time = new Date(time.getTime() + 25 * HOUR);
  await watcher.waitForEvent("job:judged", "q3");
  assert.match(
    verdictOf(paths, "q3").reason,
    /^cap: the 2 jobs an hour that one hook may ask were used up until this one expired at /,
  );
});

test("a claim whose cap another watcher has used up goes back, and no attempt is spent", async (t) => {
  const paths = makeState(t);
  const events: JudgeEvent[] = [];
  const limits = { concurrency: 1, jobsPerHour: 1, jobsPerDay: 9, hookShare: 1, maxWaiting: 0, tripPerMinute: 0 };
  const bus = createEventBus((error) => assert.fail(String(error)));
  bus.subscribe((event) => void events.push(event));
  const effects = createJobEffects({
    paths,
    starts: openStarts(paths),
    env: askFake("/nowhere"),
    getSettings: () => ({ ...limits, runners: {} }),
    now: () => new Date(),
    emit: bus.emit,
    shutdown: createShutdown(0),
  });
  const claims = await openClaims(paths, "me", () => {});
  t.after(() => claims.close());
  writeFileSync(paths.starts, `${Date.now()}\n`);
  drop(paths, "q1.json", fresh());
  const worker = createJobWorker({ claims, effects, bus, complaints: createComplaints(bus.emit) });
  await worker.work(waiting("q1.json", "default", { droppedAt: Date.now() }));
  assert.deepEqual(events, [
    { event: "job:claimed", id: "q1" },
    { event: "job:requeued", id: "q1", reason: "cap: 1 jobs an hour were used up by another watcher" },
  ]);
  assert.deepEqual([listDir(paths.inbox), listDir(paths.attempts)], [["q1.json"], []]);
  assert.equal(openStarts(paths).list(Date.now()).length, 1);
});

// --- the length of the queue

const waiting = (name: string, kind: Waiting["kind"] = "default", more: Partial<Waiting> = {}): Waiting => {
  return { name, kind, changedAt: 0, droppedAt: 0, expiresAt: Infinity, hook, ...more };
};
const namesOf = (jobs: readonly Waiting[]) => jobs.map(({ name }) => name);

test("of more questions than may wait the oldest are shed, a few at a time, and nothing else is", () => {
  const jobs = [waiting("a"), waiting("e", "evidence"), waiting("b", "investigate"), waiting("c"), waiting("d")];
  assert.deepEqual(namesOf(selectShed(jobs, 2, 1, 8)), ["a", "b"]);
  assert.deepEqual(namesOf(selectShed(jobs, 2, 1, 1)), ["a"]);
  assert.deepEqual(namesOf(selectShed(jobs, 2, 1, -1)), []);
  assert.deepEqual(namesOf(selectShed(jobs, 4, 1, 8)), []);
  assert.deepEqual(namesOf(selectShed(jobs, 0, 1, 8)), [], "0 is no limit");
  assert.deepEqual(namesOf(selectShed([waiting("old", "default", { expiresAt: 1 }), ...jobs], 4, 1, 8)), []);
});

test("a question over its hook's share lets those of other hooks pass", () => {
  const jobs = [waiting("a"), waiting("b"), waiting("c", "default", { hook: "other" })];
  const load = { now, concurrency: 3, asking: 0, investigating: 0, freeLeft: 8, startsLeft: 9 };
  const { chosen, capped } = selectJobs(jobs, { ...load, hookStartsLeft: () => 1 });
  assert.deepEqual([namesOf(chosen), namesOf(capped)], [["a", "c"], ["b"]]);
});

test("a job that is being claimed counts against the caps before it is in the file of starts", (t) => {
  const settings: JudgeSettings = {
    concurrency: 8,
    jobsPerHour: 4,
    jobsPerDay: 4,
    hookShare: 0.5,
    maxWaiting: 0,
    tripPerMinute: 0,
    runners: {},
  };
  const paths = makeState(t);
  const choose = createChooser({ paths, starts: openStarts(paths), getSettings: () => settings, emit: () => {} });
  const all = [waiting("a"), waiting("b"), waiting("c", "default", { hook: "other" })];
  const chooseBeside = (isCounted: boolean) => {
    const flights = [{ slot: "default", hook, isCounted }] as const;
    return namesOf(choose({ all, ready: all, flights }, now).chosen);
  };
  // A hook may ask two.
  assert.deepEqual(
    [chooseBeside(true), chooseBeside(false)],
    [
      ["a", "b", "c"],
      ["a", "c"],
    ],
  );
});

test("more questions than may wait are answered with unchecked, the oldest first, evidence never", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "counts" });
  for (let index = 1; index <= 12; index++) drop(paths, `q${index}.json`, fresh(), (20 - index) * 1000);
  drop(paths, "e1.json", evidence(), 60_000);
  await judgeAll(paths, { env: askFake(path), settings: { jobsPerHour: 0, maxWaiting: 2 } });
  assert.deepEqual(listDir(paths.inbox).sort(), ["q11.json", "q12.json"]);
  assert.equal(verdictOf(paths, "e1").outcome, "hit");
  assert.deepEqual(
    [verdictOf(paths, "q1").outcome, verdictOf(paths, "q10").reason],
    ["unchecked", "shed: more than 2 questions waited, and this was one of the oldest"],
  );
});

// --- the trip

test("a minute is absurd when more than the limit came within it", () => {
  assert.equal(findAbsurdDrop([1, 2, 3], 3), undefined);
  assert.equal(findAbsurdDrop([3, 1, 2, 4], 3), 4);
  assert.equal(findAbsurdDrop([0, 1, 2, MINUTE], 3), undefined, "a minute to the millisecond");
  assert.equal(findAbsurdDrop([0, 1, 2, MINUTE - 1, 9 * MINUTE], 3), MINUTE - 1, "the last one counts");
});

function openTripwire(paths: StatePaths, limit = 3) {
  const events: JudgeEvent[] = [];
  const tripwire = createTripwire({ paths, getLimit: () => limit, emit: (event) => void events.push(event) });
  const look = (jobs: readonly Waiting[], at: number) => tripwire.look(jobs, at)?.until;
  return { look, count: (name: string) => events.filter(({ event }) => event === name).length };
}

const burst = (start: string, at: number, kind: Waiting["kind"] = "default") =>
  [1, 2, 3, 4].map((index) => waiting(`${start}${index}.json`, kind, { droppedAt: at + index }));

test("questions trip the wire, for fifteen minutes after the last absurd minute and for every watcher", (t) => {
  const paths = makeState(t);
  const one = openTripwire(paths);
  assert.equal(one.look(burst("e", now, "evidence"), now + 5), undefined);
  assert.equal(one.look(burst("a", now).slice(1), now + 5), undefined, "three are allowed");
  assert.equal(one.look(burst("a", now), now + 5), now + 4 + 15 * MINUTE);
  assert.equal(one.look(burst("a", now), now + 6), now + 4 + 15 * MINUTE);
  const later = now + 5 * MINUTE;
  assert.equal(one.look(burst("b", later), later + 5), later + 4 + 15 * MINUTE, "it goes on");
  const other = openTripwire(paths);
  assert.equal(other.look([], later + 6), later + 4 + 15 * MINUTE, "another watcher, or this one after a restart");
  assert.equal(one.look([], later + 4 + 15 * MINUTE), undefined, "it ends by itself");
  assert.deepEqual([one.count("watcher:error"), one.count("watcher:note")], [1, 1]);
  assert.deepEqual([other.count("watcher:error"), other.count("watcher:note")], [0, 1]);
});

test("a backlog, a job that was put back and a wrong clock trip nothing", (t) => {
  const paths = makeState(t);
  const { look } = openTripwire(paths);
  const backlog = [1, 2, 3, 4, 5].map((index) =>
    waiting(`h${index}.json`, "default", { droppedAt: now - index * HOUR }),
  );
  assert.equal(look([...backlog, ...burst("old", now - 16 * MINUTE)], now), undefined, "the absurd minute is over");
  assert.equal(look(burst("old", now), now), undefined, "each name counts once");
  assert.equal(look(burst("ahead", now + HOUR), now), undefined, "what is dropped in an hour is not here yet");
});

test("a trip that cannot be written holds for its own watcher, and no longer than its time when the clock is set back", (t) => {
  const paths = makeState(t);
  mkdirSync(paths.tripped);
  const { look, count } = openTripwire(paths);
  assert.equal(look(burst("a", now), now + 5), now + 4 + 15 * MINUTE);
  assert.equal(look(burst("a", now), now - HOUR), now - HOUR + 15 * MINUTE);
  assert.equal(look(burst("a", now), now - HOUR + 1), now - HOUR + 15 * MINUTE);
  assert.equal(look(burst("a", now), now - HOUR + 15 * MINUTE), undefined);
  assert.equal(count("watcher:error"), 1);
});

test("who removes the file ends the trip, and what came before does not trip it again", (t) => {
  const paths = makeState(t);
  const { look } = openTripwire(paths);
  assert.ok(look(burst("a", now), now + 5));
  unlinkSync(paths.tripped);
  assert.equal(look(burst("a", now), now + 6), undefined);
  assert.equal(look([...burst("a", now), ...burst("b", now)], now + 7), undefined, "they came before it was removed");
  assert.ok(look(burst("c", now + 10), now + 20), "new ones trip it anew");
});

test("a trip that is broken or of the future is none, and a limit of 0 ends it", (t) => {
  const paths = makeState(t);
  for (const content of ["", "[]", "{", '{"since": 1}']) {
    writeFileSync(paths.tripped, content);
    assert.equal(openTripwire(paths).look([], now), undefined);
  }
  assert.ok(openTripwire(paths).look(burst("a", now), now + 5));
  assert.equal(readTrip(paths, now - HOUR), undefined, "the clock was set back");
  assert.equal(openTripwire(paths, 0).look(burst("b", now), now + 6), undefined);
  assert.equal(existsSync(paths.tripped), false);
});

test("a watcher that is tripped asks nothing, judges evidence, and says why what expires was not asked", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "counts" });
  for (const id of ["q1", "q2", "q3", "q4"]) drop(paths, `${id}.json`, fresh());
  const soon = new Date(Date.now() + 1000).toISOString();
  drop(paths, "x1.json", fresh({ expires_at: soon }));
  drop(paths, "e1.json", evidence());
  const watcher = await watchInProcess(paths, { env: askFake(path), settings: { tripPerMinute: 3 } });
  const told = await watcher.waitForEvent("watcher:error");
  assert.ok(told.event === "watcher:error");
  assert.match(told.message, /^tripped: more than 3 questions came within a minute; none is asked until .+; see what /);
  await watcher.waitForEvent("job:judged", "e1");
  await watcher.waitForEvent("job:judged", "x1");
  assert.match(
    verdictOf(paths, "x1").reason,
    /^tripped: more than 3 questions came within a minute, and none was asked until this one expired at /,
  );
  assert.equal(countCalls(path, "model"), 0);
  unlinkSync(paths.tripped);
  for (const id of ["q1", "q2", "q3", "q4"]) await watcher.waitForEvent("job:judged", id);
  assert.equal(countCalls(path, "model"), 4);
  assert.equal(watcher.events.filter(({ event }) => event === "watcher:error").length, 1);
});
