import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import { Failure, UsageError } from "../../cli/failure.ts";
import { parseSince } from "../../cli/parse-since.ts";
import { stats } from "../../cli/stats.ts";
import { describePrecision, getHitPrecision } from "../../cli/stats/precision.ts";
import { status } from "../../cli/status.ts";
import type { KnownHook } from "../../cli/status/hook-status.ts";
import type { RunVerb } from "../../cli/verbs.ts";
import { verdicts } from "../../cli/verdicts.ts";
import type { Outcome, Verdict } from "../../inbox-schema/verdict.ts";
import { sweep } from "../../judge/recovery/sweep.ts";
import { DELIVERED_MODE } from "../../lib/io/delivery/delivering.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { getMode, makeState } from "../helpers/queue.ts";
import { runCatstack } from "../helpers/run-command.ts";
import { writeVerdictAt } from "../helpers/write-verdict.ts";

const now = new Date("2026-11-30T12:00:00Z");
const DAY_MS = 86_400_000;

/** Hooks of the tests' own: whatever hooks there are, these numbers stay. */
const hooks: readonly KnownHook[] = [
  { id: "flips", defaultMode: "advise" },
  { id: "long-claims", defaultMode: "observe" },
];
const statusOfHooks: RunVerb = (args, io) => status(args, io, hooks);
const statsOfHooks: RunVerb = (args, io) => stats(args, io, hooks);

async function run(verb: RunVerb, paths: StatePaths, args: readonly string[], env: Env = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await verb(args, {
    env: { CATSTACK_LLM_JUDGE_STATE_DIR: paths.root, HOME: paths.root, ...env },
    stdin: Readable.from([]),
    now: () => now,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    color: false,
    cwd: paths.root,
  });
  return { code, out, err };
}

function parseObject(text: string | undefined): Record<string, unknown> {
  const value: unknown = JSON.parse(text ?? "");
  assert.ok(typeof value === "object" && value !== null);
  return { ...value };
}

function findHook(list: unknown, key: "id" | "hook", name: string): Record<string, unknown> {
  assert.ok(Array.isArray(list));
  const found = list.map((each: unknown) => parseObject(JSON.stringify(each))).find((each) => each[key] === name);
  return found ?? assert.fail(`no ${name}`);
}

function daysAgo(days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

function writeVerdict(paths: StatePaths, id: string, outcome: Outcome, more: Partial<Verdict> = {}, days = 1): void {
  writeVerdictAt(paths, id, daysAgo(days), { outcome, hook: "flips", ...more });
}

async function label(paths: StatePaths, id: string, word: string): Promise<string | undefined> {
  const { code, out } = await run(verdicts, paths, ["label", id, word]);
  assert.equal(code, 0);
  return out[0];
}

describe("catstack verdicts label", () => {
  test("a label is kept in a private file with what is counted later and nothing that was said", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit", { rule_id: "flips.flipped", report: "a secret" });
    assert.equal(await label(paths, "v1", "wrong"), "labelled v1 (hit, flips) wrong: a false alarm");
    const path = join(paths.labels, "v1.json");
    assert.deepEqual(parseObject(readFileSync(path, "utf8")), {
      schema: 1,
      id: "v1",
      hook: "flips",
      rule_id: "flips.flipped",
      outcome: "hit",
      label: "wrong",
      verdict_at: "2026-11-29T12:00:00.000Z",
      labelled_at: "2026-11-30T12:00:00.000Z",
    });
    assert.deepEqual([getMode(path), getMode(paths.labels)], ["600", "700"]);
    assert.deepEqual(readdirSync(paths.labels), ["v1.json"]);
  });

  test("a label is said again and replaced, and a program gets it as it is kept", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit");
    assert.equal(await label(paths, "v1", "right"), "labelled v1 (hit, flips) right");
    assert.equal(await label(paths, "v1", "right"), "labelled v1 (hit, flips) right");
    const again = await run(verdicts, paths, ["label", "v1", "wrong"]);
    assert.deepEqual(again.out, ["labelled v1 (hit, flips) wrong: a false alarm, no longer right"]);
    const json = await run(verdicts, paths, ["label", "v1", "right", "--json"]);
    assert.equal(`${json.out[0]}\n`, readFileSync(join(paths.labels, "v1.json"), "utf8"));
    assert.equal(parseObject(json.out[0])["label"], "right");
  });

  test("a wrong clean is a miss; what is unchecked has nothing to label", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "c1", "clean");
    writeVerdict(paths, "u1", "unchecked", { runner: null });
    assert.equal(await label(paths, "c1", "wrong"), "labelled c1 (clean, flips) wrong: a miss");
    await assert.rejects(run(verdicts, paths, ["label", "u1", "wrong"]), (error) => {
      assert.ok(error instanceof Failure);
      assert.match(error.message, /^expected a verdict of hit or clean, got u1, which is unchecked: nobody judged/);
      return true;
    });
    assert.deepEqual(readdirSync(paths.labels), ["c1.json"]);
  });

  test("the beginning of an id will do where no other id begins so, and a whole id is meant as it is", async (t) => {
    const paths = makeState(t);
    for (const id of ["ab", "abc1", "abd2", "x1"]) writeVerdict(paths, id, "hit");
    assert.match((await label(paths, "abc", "right")) ?? "", /^labelled abc1 /);
    assert.match((await label(paths, "ab", "right")) ?? "", /^labelled ab /);
    assert.equal((await run(verdicts, paths, ["x"])).out[0], "id          x1");
    const wrong: readonly (readonly [id: string, expected: string])[] = [
      ["a", "expected the id of one verdict, got a, with which 3 begin (ab, abc1, abd2); add letters"],
      ["zz", 'expected the id of a verdict, got "zz"; `catstack verdicts` lists them'],
      ["", 'expected the id of a verdict, got ""; `catstack verdicts` lists them'],
      ["../outbox/x1", 'expected the id of a verdict, got "../outbox/x1"; `catstack verdicts` lists them'],
    ];
    for (const [id, message] of wrong)
      await assert.rejects(run(verdicts, paths, ["label", id, "right"]), new Failure(message));
    writeVerdict(paths, "abe3", "hit");
    await assert.rejects(run(verdicts, paths, ["a"]), /with which 4 begin \(ab, abc1, abd2, \.\.\.\)/);
  });

  test("other words and numbers of arguments are wrong calls, and a broken verdict cannot be labelled", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit");
    writeFileSync(join(paths.outbox, "v2.json"), "{");
    for (const args of [[], ["v1"], ["v1", "right", "now"], ["v1", "maybe"], ["v1", "right", "--limit", "1"]]) {
      const isUsage = (error: unknown) =>
        error instanceof UsageError || (error instanceof Error && "code" in error && args.includes("--limit"));
      await assert.rejects(run(verdicts, paths, ["label", ...args]), isUsage, args.join(" "));
    }
    await assert.rejects(run(verdicts, paths, ["label", "v2", "right"]), /v2\.json, got something else/);
    assert.deepEqual(readdirSync(paths.root).includes("labels"), false);
  });

  test("verdicts are shown with their labels", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit", {}, 1);
    writeVerdict(paths, "v2", "clean", {}, 2);
    await label(paths, "v1", "wrong");
    assert.deepEqual((await run(verdicts, paths, [])).out, [
      "2026-11-29 12:00:00Z  hit (wrong)  flips  codex  v1  say it",
      "2026-11-28 12:00:00Z  clean        flips  codex  v2  all true: hit",
    ]);
    assert.equal((await run(verdicts, paths, ["v1"])).out[2], "label       wrong, as you said at 2026-11-30 12:00:00Z");
    const list: unknown = JSON.parse((await run(verdicts, paths, ["--json"])).out[0] ?? "");
    assert.equal(findHook(list, "id", "v1")["label"], "wrong");
    assert.equal("label" in findHook(list, "id", "v2"), false);
    assert.equal(parseObject((await run(verdicts, paths, ["v1", "--json"])).out[0])["label"], "wrong");
  });

  test("what stands where a label is to be written is named", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit");
    const path = join(paths.labels, "v1.json");
    const fails = (message: string) => (error: unknown) => error instanceof Failure && error.message === message;
    const expected = `expected to be able to write a label to ${path}, `;
    mkdirSync(path, { recursive: true });
    await assert.rejects(label(paths, "v1", "right"), fails(`${expected}got a folder; move it away`));
    rmSync(paths.labels, { recursive: true });
    writeFileSync(paths.labels, "");
    await assert.rejects(label(paths, "v1", "right"), fails(`${expected}got a file at ${paths.labels}; move it away`));
  });

  test("a name of any length neither widens the columns nor breaks its label", async (t) => {
    const paths = makeState(t);
    const hook = "h".repeat(100_000);
    writeVerdict(paths, "v1", "hit", { hook, runner: "r".repeat(100_000), on_hit: "s".repeat(100_000) }, 1);
    writeVerdict(paths, "v2", "hit", {}, 2);
    await label(paths, "v1", "right");
    const [long = "", short = ""] = (await run(verdicts, paths, [])).out;
    assert.deepEqual([long.length < 400, short.length < 250], [true, true]);
    assert.match(long, /^2026-11-29 12:00:00Z {2}hit \(right\) {2}h{59}… {2}r{59}… {2}v1 {2}s{159}…$/);
    const { out, err } = await run(statsOfHooks, paths, []);
    assert.deepEqual(err, []);
    const row = out.find((line) => line.startsWith("hhh")) ?? "";
    assert.match(row, /^h{59}… .* 1 right, 0 wrong/);
  });

  test("a label of an earlier verdict with the same id, or a broken one, is not shown", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit", {}, 2);
    await label(paths, "v1", "wrong");
    writeVerdict(paths, "v1", "hit", {}, 1);
    assert.match((await run(verdicts, paths, [])).out[0] ?? "", /^2026-11-29 12:00:00Z {2}hit {2}flips /);
    assert.equal(await label(paths, "v1", "right"), "labelled v1 (hit, flips) right");
    writeVerdict(paths, "v2", "hit", {}, 1);
    copyFileSync(join(paths.labels, "v1.json"), join(paths.labels, "v2.json"));
    writeFileSync(join(paths.labels, "v1.json"), "{}");
    for (const row of (await run(verdicts, paths, [])).out) assert.match(row, / hit {2}flips /);
  });

  test("what cannot be written is an error, and the earlier label stays", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit");
    symlinkSync(join(paths.root, "absent"), paths.labels);
    await assert.rejects(run(verdicts, paths, ["label", "v1", "right"]), /EEXIST|ENOENT/);
    rmSync(paths.labels);
    await label(paths, "v1", "right");
    assert.deepEqual(readdirSync(paths.labels), ["v1.json"]);
  });

  test("labels outlive their verdicts", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit");
    await label(paths, "v1", "right");
    mkdirSync(paths.instances, { recursive: true });
    await sweep({ paths, now: daysAgo(-400), signal: new AbortController().signal, onBurial: () => assert.fail() });
    assert.deepEqual(readdirSync(paths.outbox), []);
    const { out } = await run(statsOfHooks, paths, ["--json"]);
    const { verdicts: counts, labels } = findHook(parseObject(out[0])["hooks"], "hook", "flips");
    assert.deepEqual(counts, { hit: 0, clean: 0, unchecked: 0, delivered: 0, since: null });
    assert.deepEqual(labels, { hit: { right: 1, wrong: 0 }, clean: { right: 0, wrong: 0 } });
  });

  test("the built command ends in 0, 1 for what cannot be labelled and 2 for a wrong call", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "v1", "hit");
    const env = { HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root };
    const call = (...args: string[]) => runCatstack(args, { env, cwd: paths.root });
    assert.deepEqual(await call("verdicts", "label", "v1", "right"), {
      code: 0,
      stdout: "labelled v1 (hit, flips) right\n",
      stderr: "",
    });
    const unknown = await call("verdicts", "label", "v2", "right");
    assert.deepEqual([unknown.code, unknown.stdout], [1, ""]);
    assert.equal(
      unknown.stderr,
      'catstack verdicts: expected the id of a verdict, got "v2"; `catstack verdicts` lists them\n',
    );
    const wrong = await call("verdicts", "label", "v1", "good");
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^catstack verdicts: expected right or wrong, got "good"\n\nUsage: catstack verdicts /);
    const counted = await call("stats");
    assert.deepEqual([counted.code, counted.stderr], [0, ""]);
    assert.match(counted.stdout, /^flips .*1 right, 0 wrong/m);
  });
});

/** Lines of the log of observations, each of so many days ago, with two jobs. */
function renderObserved(hook: string, days: readonly number[], questions?: number): string {
  return days
    .map((each) => {
      const line = { at: daysAgo(each).toISOString(), hook, event: "Stop", messages: ["m"], jobs: ["a", "b"] };
      return `${JSON.stringify(questions === undefined ? line : { ...line, questions })}\n`;
    })
    .join("");
}

/** 12 hits of `flips`, 9 of 10 labelled ones right, a clean one that missed something, two unchecked; 3 observations of `long-claims`. */
async function fill(paths: StatePaths): Promise<void> {
  for (let i = 0; i < 12; i++) writeVerdict(paths, `h${i}`, "hit", {}, 10 - i / 2);
  writeVerdict(paths, "c0", "clean", {}, 3);
  for (const id of ["u0", "u1"]) writeVerdict(paths, id, "unchecked", { runner: null }, 2);
  for (const id of ["h0", "h1", "u0", "c0"]) chmodSync(join(paths.outbox, `${id}.json`), DELIVERED_MODE);
  for (let i = 0; i < 10; i++) await label(paths, `h${i}`, i === 4 ? "wrong" : "right");
  await label(paths, "c0", "wrong");
  writeVerdict(paths, "by1", "hit", { hook: "by-hand" }, 1);
  await label(paths, "by1", "right");
  writeFileSync(`${paths.observedLog}.1`, renderObserved("long-claims", [8]));
  writeFileSync(paths.observedLog, renderObserved("long-claims", [4, 2], 1));
}

describe("catstack stats", () => {
  test("each hook has a line of aligned counts, and the times they are of are told", async (t) => {
    const paths = makeState(t);
    await fill(paths);
    const { code, out, err } = await run(statsOfHooks, paths, []);
    assert.deepEqual([code, err], [0, []]);
    // 9 of 10: Wilson's interval is (0.9 + 0.1921 -+ 1.96 * sqrt(0.009 + 0.0096)) / 1.3841 = 0.596 to 0.982.
    assert.deepEqual(out, [
      "hook         would say  would ask  hit  clean  unchecked  delivered  hits labelled     cleans labelled   hit precision",
      "by-hand              0          0    1      0          0          0  1 right, 0 wrong  -                 too few labels to tell (1 of 10)",
      "flips                0          0   12      1          2          3  9 right, 1 wrong  0 right, 1 wrong  90 % (95 %: 60 % to 98 %)",
      "long-claims          3          4    0      0          0          0  -                 -                 no hit labelled",
      "",
      "would say, would ask: in observe mode, since 2026-11-22 12:00:00Z",
      "verdicts: since 2026-11-20 12:00:00Z; they are kept for 14 days, labels for good",
      "labels: `catstack verdicts label ID right|wrong`; a wrong clean is a miss",
    ]);
  });

  test("a program gets the same, with what the interval is and whether labels are enough", async (t) => {
    const paths = makeState(t);
    await fill(paths);
    const { since, until, hooks: found } = parseObject((await run(statsOfHooks, paths, ["--json"])).out[0]);
    assert.deepEqual([since, until], [null, "2026-11-30T12:00:00.000Z"]);
    const { hit_precision, ...rest } = findHook(found, "hook", "flips");
    assert.deepEqual(rest, {
      hook: "flips",
      observed: { would_have_said: 0, would_have_asked: 0, since: null },
      verdicts: { hit: 12, clean: 1, unchecked: 2, delivered: 3, since: "2026-11-20T12:00:00.000Z" },
      labels: { hit: { right: 9, wrong: 1 }, clean: { right: 0, wrong: 1 } },
    });
    const { rate, low, high, labels, enough } = parseObject(JSON.stringify(hit_precision));
    assert.deepEqual([rate, labels, enough], [0.9, 10, true]);
    assert.deepEqual([Number(low).toFixed(3), Number(high).toFixed(3)], ["0.596", "0.982"]);
    const none = parseObject(JSON.stringify(findHook(found, "hook", "long-claims")["hit_precision"]));
    assert.deepEqual(none, { rate: null, low: 0, high: 1, labels: 0, enough: false });
  });

  test("--since leaves out what is older: verdicts, the labels of those, and observations", async (t) => {
    const paths = makeState(t);
    await fill(paths);
    const { since, hooks: found } = parseObject((await run(statsOfHooks, paths, ["--json", "--since", "6d"])).out[0]);
    assert.equal(since, "2026-11-24T12:00:00.000Z");
    // Hits are 10, 9.5, ... days old: h8 to h11 are 6, 5.5, 5 and 4.5; h8 and h9 are labelled.
    const { verdicts: counts, labels } = findHook(found, "hook", "flips");
    assert.deepEqual(counts, { hit: 4, clean: 1, unchecked: 2, delivered: 1, since: "2026-11-24T12:00:00.000Z" });
    assert.deepEqual(labels, { hit: { right: 2, wrong: 0 }, clean: { right: 0, wrong: 1 } });
    assert.deepEqual(findHook(found, "hook", "long-claims")["observed"], {
      would_have_said: 2,
      would_have_asked: 2,
      since: "2026-11-26T12:00:00.000Z",
    });
  });

  test("what a backtest has asked is marked as such, by the rule that asked, and as delivered to nobody", async (t) => {
    const paths = makeState(t);
    writeVerdict(paths, "backtest-1", "hit", { hook: "backtest", rule_id: "flips.match" });
    chmodSync(join(paths.outbox, "backtest-1.json"), DELIVERED_MODE);
    const counted = (await run(statsOfHooks, paths, [])).out;
    assert.match(counted[1] ?? "", /^backtest +0 +0 +1 +0 +0 +0 /);
    assert.match(
      counted.at(-1) ?? "",
      /^backtest: what `catstack backtest --judge` has asked .*; nobody is told of it$/,
    );
    assert.match((await run(verdicts, paths, [])).out[0] ?? "", / {2}backtest \(flips\.match\) {2}/);
    const { out } = await run(verdicts, paths, ["backtest-1"]);
    assert.equal(out.at(-1), "delivery    to nobody, since a backtest asked");
  });

  test("nothing yet is a table of zeros; broken files are named and not counted", async (t) => {
    const paths = makeState(t);
    const { out } = await run(statsOfHooks, paths, []);
    assert.deepEqual(
      out.slice(1, 3).map((line) => line.split(/ {2,}/)),
      ["flips", "long-claims"].map((id) => [id, "0", "0", "0", "0", "0", "0", "-", "-", "no hit labelled"]),
    );
    assert.deepEqual(out.slice(4, 6), [
      "would say, would ask: in observe mode, none",
      "verdicts: none; they are kept for 14 days, labels for good",
    ]);
    mkdirSync(paths.labels);
    writeFileSync(join(paths.labels, "v1.json"), '{"schema": 2}');
    writeFileSync(join(paths.labels, ".v1.json.1.a.tmp"), "");
    writeFileSync(join(paths.outbox, "v2.json"), "{");
    const { code, err } = await run(statsOfHooks, paths, []);
    assert.equal(code, 0);
    assert.deepEqual(
      err,
      [join(paths.outbox, "v2.json"), join(paths.labels, "v1.json")].map(
        (path) => `catstack stats: not counted: ${path}, which is broken; correct or remove it`,
      ),
    );
  });

  test("how far back to look is minutes, hours or days", () => {
    for (const [text, ms] of [
      ["90m", 90 * 60_000],
      ["12h", DAY_MS / 2],
      ["14d", 14 * DAY_MS],
    ] as const)
      assert.equal(now.getTime() - parseSince(text, now).getTime(), ms);
    for (const text of ["", "14", "0d", "-1d", "1.5d", "2w", "14d ago", "999999d"])
      assert.throws(() => parseSince(text, now), UsageError, text);
  });

  test("a share is told from ten labels on", () => {
    assert.equal(describePrecision(getHitPrecision({ right: 0, wrong: 0 })), "no hit labelled");
    assert.equal(describePrecision(getHitPrecision({ right: 9, wrong: 0 })), "too few labels to tell (9 of 10)");
    // 10 of 10: the lower end is 1 / (1 + 3.8415 / 10) = 0.722.
    assert.equal(describePrecision(getHitPrecision({ right: 10, wrong: 0 })), "100 % (95 %: 72 % to 100 %)");
  });
});

describe("catstack status on hooks", () => {
  const getRows = async (paths: StatePaths, env: Env = {}, expected = 0) => {
    const { code, out } = await run(statusOfHooks, paths, [], env);
    assert.equal(code, expected);
    return out.filter((row) => /^(hook|turn on|label|settings) /.test(row));
  };

  test("one that observes has what it would have done, in which time and at what cost, and how to turn it on", async (t) => {
    const paths = makeState(t);
    const turnOn =
      `turn on     {"hooks":{"long-claims":{"mode":"advise"}}} in ${paths.root}/.config/catstack/config.json, ` +
      "or CATSTACK_HOOK_MODE_LONG_CLAIMS=advise";
    const flips = "hook        flips        advise   no verdict";
    assert.deepEqual(await getRows(paths), [flips, "hook        long-claims  observe", turnOn]);
    // Before lines told how many jobs are questions, both of a line are: 2 + 9 * 1 in 4 days.
    writeFileSync(`${paths.observedLog}.1`, renderObserved("long-claims", [4]));
    writeFileSync(paths.observedLog, renderObserved("long-claims", Array(9).fill(2), 1));
    const row =
      "hook        long-claims  observe  would have said 10, asked 11 in the last 4 d, about 3 questions a day";
    assert.deepEqual(await getRows(paths), [flips, row, turnOn]);
    const { hooks: found, observed } = parseObject((await run(statusOfHooks, paths, ["--json"])).out[0]);
    const counts = { would_have_said: 10, would_have_asked: 11, since: "2026-11-26T12:00:00.000Z" };
    assert.deepEqual(observed, [{ hook: "long-claims", ...counts }]);
    const { id, mode, default_mode, set_by, turn_on, observed: own } = findHook(found, "id", "long-claims");
    assert.deepEqual([id, mode, default_mode, set_by], ["long-claims", "observe", "observe", null]);
    assert.deepEqual(own, { ...counts, asks_a_day: 2.75 });
    assert.deepEqual(turn_on, {
      file: join(paths.root, ".config", "catstack", "config.json"),
      settings: { hooks: { "long-claims": { mode: "advise" } } },
      variable: "CATSTACK_HOOK_MODE_LONG_CLAIMS=advise",
    });
  });

  test("no rate is told of less than a day, nor of a time that is not known", async (t) => {
    const paths = makeState(t);
    const getCounts = async () => (await getRows(paths))[1]?.replace(/^.*observe {2}/, "");
    writeFileSync(paths.observedLog, renderObserved("long-claims", [0.5], 2));
    assert.equal(await getCounts(), "would have said 1, asked 2 in the last 12 h");
    writeFileSync(paths.observedLog, renderObserved("long-claims", [5], 1));
    assert.equal(await getCounts(), "would have said 1, asked 1 in the last 5 d, less than 1 question a day");
    writeFileSync(paths.observedLog, renderObserved("long-claims", [5], 0));
    assert.equal(await getCounts(), "would have said 1, asked 0 in the last 5 d");
    writeFileSync(paths.observedLog, JSON.stringify({ hook: "long-claims", messages: [], jobs: ["a"] }));
    assert.equal(await getCounts(), "would have said 0, asked 1");
    // Just now, and after the clock was set back.
    for (const days of [0, -1]) {
      writeFileSync(paths.observedLog, renderObserved("long-claims", [days], 0));
      assert.equal(await getCounts(), "would have said 1, asked 0 in the last minute");
    }
  });

  test("one that advises has its verdicts, what of them is unchecked, and how often a hit was right", async (t) => {
    const paths = makeState(t);
    await fill(paths);
    const rows = await getRows(paths);
    assert.equal(
      rows[0],
      "hook        flips        advise   15 verdicts in the last 10 d, 2 unchecked (13 %), hit precision: 90 % (95 %: 60 % to 98 %)",
    );
    assert.equal(rows.length, 3, "enough is labelled");
    const { hooks: found } = parseObject((await run(statusOfHooks, paths, ["--json"])).out[0]);
    const { verdicts: counts, unchecked_share, turn_on } = findHook(found, "id", "flips");
    assert.deepEqual(counts, { hit: 12, clean: 1, unchecked: 2, delivered: 3, since: "2026-11-20T12:00:00.000Z" });
    assert.deepEqual([unchecked_share, turn_on], [2 / 15, null]);
    rmSync(join(paths.labels, "h0.json"));
    const fewer = await getRows(paths);
    assert.match(fewer[0] ?? "", /hit precision: too few labels to tell \(9 of 10\)$/);
    assert.equal(
      fewer.at(-1),
      "label       hits with `catstack verdicts label ID right|wrong`: `catstack stats` counts them",
    );
  });

  test("modes come from the settings and the environment, and what is wrong with those is told", async (t) => {
    const paths = makeState(t);
    mkdirSync(join(paths.root, ".config", "catstack"), { recursive: true });
    const settings = join(paths.root, ".config", "catstack", "config.json");
    writeFileSync(settings, JSON.stringify({ hooks: { flips: { mode: "off" }, "long-claims": { mode: "advise" } } }));
    assert.deepEqual(await getRows(paths), [
      "hook        flips        off",
      "hook        long-claims  advise   no verdict",
    ]);
    assert.deepEqual(await getRows(paths, { CATSTACK_HOOK_MODE_FLIPS: "observe" }), [
      "hook        flips        observe  by CATSTACK_HOOK_MODE_FLIPS",
      "hook        long-claims  advise   no verdict",
    ]);
    assert.deepEqual(await getRows(paths, { CATSTACK: "off" }), [
      "hook        flips        off      by CATSTACK",
      "hook        long-claims  off      by CATSTACK",
    ]);
    const misspelt = await getRows(paths, { CATSTACK_HOOK_MODE_FLIPS: "loud" });
    assert.match(misspelt[2] ?? "", /^settings {4}expected CATSTACK_HOOK_MODE_FLIPS to be off, observe or advise, got/);
    writeFileSync(settings, "{");
    const [first, , ...rest] = await getRows(paths, {}, 1);
    assert.equal(first, "hook        flips        advise   no verdict");
    assert.ok(!rest.some((row) => row.startsWith("settings")), "it is said among the problems");
  });

  test("two that observe share one line on how to turn them on", async (t) => {
    const paths = makeState(t);
    const rows = await getRows(paths, { XDG_CONFIG_HOME: "/nowhere" });
    assert.equal(rows.length, 3);
    const { out } = await run(
      (args, io) =>
        status(
          args,
          io,
          ["a", "b"].map((id) => ({ id, defaultMode: "observe" })),
        ),
      paths,
      [],
      { XDG_CONFIG_HOME: "/nowhere" },
    );
    assert.deepEqual(
      out.filter((row) => row.startsWith("turn on")),
      [
        'turn on     {"hooks":{"a":{"mode":"advise"}}} in /nowhere/catstack/config.json, or CATSTACK_HOOK_MODE_A=advise; the others alike',
      ],
    );
  });
});
