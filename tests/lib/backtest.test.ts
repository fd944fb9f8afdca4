import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateTokens, estimateWait, formatEstimate } from "../../cli/backtest/estimate.ts";
import type { Firing, SessionResult } from "../../cli/backtest/firing.ts";
import { mergeCases, parseLabels, type Case, type CaseState } from "../../cli/backtest/label-lines.ts";
import { createOnceMemory } from "../../cli/backtest/once-memory.ts";
import { parseWindow } from "../../cli/backtest/parse-window.ts";
import { formatStep, openProgress } from "../../cli/backtest/progress.ts";
import { scoreHook } from "../../cli/backtest/score-hook.ts";
import { selectCandidates } from "../../cli/backtest/select-cases.ts";
import { summarise } from "../../cli/backtest/summarise.ts";
import { createTurnFinder, type Turn } from "../../cli/backtest/turn-finder.ts";
import type { WalkedSession } from "../../cli/backtest/walk.ts";
import { UsageError } from "../../cli/failure.ts";
import type { HookOutcome } from "../../lib/hook.ts";
import { describeComparison } from "../../lib/score/score.ts";
import type { Adapter } from "../../lib/transcript/adapter.ts";
import { claude } from "../../lib/transcript/claude.ts";
import { codex } from "../../lib/transcript/codex.ts";
import { cursor } from "../../lib/transcript/cursor.ts";
import { createFold } from "../../lib/transcript/fold.ts";
import { claudeRows } from "../helpers/claude-rows.ts";
import { transcript } from "../helpers/claude-transcript.ts";
import { rollout } from "../helpers/codex-rollout.ts";
import { testDeps } from "../helpers/test-checks.ts";

function findTurns(adapter: Adapter, jsonl: string): readonly Turn[] {
  const turns: Turn[] = [];
  const finder = createTurnFinder(adapter.name, createFold(testDeps), (turn) => turns.push(turn));
  for (const line of jsonl.trimEnd().split("\n")) finder.row(adapter.parseLine(line), line);
  finder.end();
  return turns;
}

const getReplies = (turns: readonly Turn[]) => turns.map(({ number, reply }) => [number, reply]);

test("a turn ends before what stands where the next prompt would, and where the file ends", () => {
  const session = transcript()
    .user("Begin.")
    .says("Looking.")
    .ran("check a", "ok")
    .says("Done.")
    .user("Go on.")
    .says("Gone on.")
    .raw(claudeRows().prompt("<bash-input>ls</bash-input>"))
    .user("Nothing to say to this.")
    .user("And now?")
    .says("At the end.");
  assert.deepEqual(getReplies(findTurns(claude, session.toJsonl())), [
    [1, "Done."],
    [2, "Gone on."],
    [3, "At the end."],
  ]);
});

test("an interruption and a compaction end no turn, nor does what was typed while it ran or what a sub-agent says", () => {
  const rows = claudeRows();
  const queued = { type: "queued_command", commandMode: "prompt", prompt: "And b." };
  const session = transcript()
    .user("Check a.")
    .says("Halfway.")
    .user("[Request interrupted by user]")
    .user("Once more.")
    .says("Before the compaction.")
    .compaction()
    .says("Checking.")
    .raw(rows.attachment(queued))
    .raw({ ...rows.block("msg_side", { type: "text", text: "From aside." }), isSidechain: true })
    .raw({ ...rows.prompt("From the client."), isMeta: true })
    .says("All of it is done.");
  assert.deepEqual(getReplies(findTurns(claude, session.toJsonl())), [[1, "All of it is done."]]);
});

test("what comes after the last word, such as the end of a background command, was not seen by a hook", () => {
  const session = transcript()
    .user("Check a.")
    .background("check a")
    .says("It runs.")
    .taskEnds("check a", 1, ["queue"])
    .taskEnds("check a", 1, ["prompt"])
    .says("It failed.");
  const [first, second] = findTurns(claude, session.toJsonl());
  assert.equal(first?.reply, "It runs.");
  assert.deepEqual(first?.digest.targets, []);
  assert.equal(second?.digest.targets.length, 1);
});

test("a turn of Codex ends where the client says so, else before the next prompt", () => {
  const complete = { type: "event_msg", payload: { type: "task_complete" } };
  const aborted = { type: "event_msg", payload: { type: "turn_aborted" } };
  const told = rollout()
    .user("Begin.")
    .says("Begun.")
    .raw(complete)
    .user("Go on.")
    .says("Half of it.")
    .user("Typed while it ran.")
    .says("All of it.")
    .raw(complete)
    .user("More.")
    .says("Some more.")
    .raw(aborted)
    .user("Much more.")
    .says("It runs still.");
  assert.deepEqual(getReplies(findTurns(codex, told.toJsonl())), [
    [1, "Begun."],
    [2, "All of it."],
  ]);
  const untold = rollout().user("Begin.").says("Begun.").user("Go on.").says("Gone on.");
  assert.deepEqual(getReplies(findTurns(codex, untold.toJsonl())), [
    [1, "Begun."],
    [2, "Gone on."],
  ]);
});

test("a turn of Cursor ends where the client says so, and one that was stopped or failed is none", () => {
  const row = (value: object) => `${JSON.stringify(value)}\n`;
  const user = (text: string) => row({ role: "user", message: { content: `<user_query>${text}</user_query>` } });
  const says = (text: string) => row({ role: "assistant", message: { content: [{ type: "text", text }] } });
  const ended = (status: string) => row({ type: "turn_ended", status });
  const told = [user("Begin."), says("Begun."), ended("success"), user("On."), says("Half."), ended("aborted")];
  const more = [user("On."), says("I look."), user("Typed while it ran."), says("All."), ended("success")];
  assert.deepEqual(getReplies(findTurns(cursor, [...told, ...more].join(""))), [
    [1, "Begun."],
    [2, "All."],
  ]);
  const untold = [user("Begin."), says("Begun."), user("Go on."), says("Gone on.")];
  assert.deepEqual(getReplies(findTurns(cursor, untold.join(""))), [
    [1, "Begun."],
    [2, "Gone on."],
  ]);
});

test("a once key holds within its transcript for as long as it says, by the time of the turns", () => {
  const memory = createOnceMemory();
  const outcome: HookOutcome = {
    advice: [
      { messageId: "m", data: {}, evidence: [], once: { key: "for good" } },
      { messageId: "m", data: {}, evidence: [], once: { key: "an hour", ttlSeconds: 3600 } },
      { messageId: "m", data: {}, evidence: [] },
    ],
    jobs: [],
    remember: ["owned"],
  };
  const owned: HookOutcome = {
    advice: [{ messageId: "m", data: {}, evidence: [], once: { key: "owned" } }],
    jobs: [],
  };
  const getKeys = (now: number) => memory.take(outcome, now).map(({ once }) => once?.key);
  assert.deepEqual(getKeys(0), ["for good", "an hour", undefined]);
  assert.deepEqual(getKeys(3_599_999), [undefined]);
  assert.deepEqual(getKeys(3_600_000), ["an hour", undefined]);
  assert.deepEqual(getKeys(7_199_999), [undefined]);
  assert.deepEqual(memory.take(owned, 8_000_000), []);
  assert.equal(createOnceMemory().take(owned, 0).length, 1);
});

function makeFiring(turn: number, more: Partial<Firing> = {}): Firing {
  const at = `2026-01-0${turn}T12:00:00.000Z`;
  return { hook: "h", turn, at, rules: ["r"], says: [], asks: [], things: [`thing ${turn}`], ...more };
}

function makeSession(path: string, turns: readonly (string | null)[], firings: readonly Firing[]): WalkedSession {
  const result: SessionResult = {
    kind: "session",
    harness: "claude",
    rows: 9,
    broken: 0,
    turns,
    firings,
    failures: [],
  };
  return { path, result };
}

const ask = { mode: "default", about: "The tests pass." } as const;

test("the report counts turns of the window alone, and what is alike once", () => {
  const days = [1, 2, 3, 4].map((day) => `2026-01-0${day}T12:00:00.000Z`);
  const sessions = [
    makeSession("/p/a/one.jsonl", days, [
      makeFiring(1, { says: ["early"] }),
      makeFiring(2, { says: ["x", "y"], things: ["x", "y"] }),
      makeFiring(3, { asks: [ask], things: ["x"] }),
    ]),
    makeSession("/p/a/two.jsonl", [days[1] ?? null, null], [makeFiring(2, { at: null, says: ["z"], things: ["z"] })]),
  ];
  const report = summarise(sessions, ["h", "idle"], new Date("2026-01-02T00:00:00Z"));
  const { hooks, ...rest } = report;
  assert.deepEqual(rest, { sessions: 2, turns: 5, days: 3, from: days[1], to: days[3] });
  const [hook, idle] = hooks;
  assert.deepEqual([hook?.fires, hook?.asks, hook?.activeTurns, hook?.activeSessions, hook?.distinct], [3, 1, 3, 2, 3]);
  assert.deepEqual(hook?.examples, [
    { at: days[2], transcript: "/p/a/one.jsonl", turn: 3, does: "asks", text: "The tests pass." },
    { at: days[1], transcript: "/p/a/one.jsonl", turn: 2, does: "says", text: "x" },
    { at: null, transcript: "/p/a/two.jsonl", turn: 2, does: "says", text: "z" },
  ]);
  assert.deepEqual([idle?.fires, idle?.asks, idle?.examples], [0, 0, []]);
});

test("candidates are all that fires and a sample of the silence, the same at every call and when sessions are added", () => {
  const turns = Array.from({ length: 200 }, () => null);
  const session = makeSession("/p/a/one.jsonl", turns, [makeFiring(7, { at: null }), makeFiring(9, { at: null })]);
  const first = selectCandidates([session], "h", null);
  assert.deepEqual(selectCandidates([session], "h", null), first);
  assert.deepEqual(new Set(first.flatMap(({ turn, firing }) => (firing === undefined ? [] : [turn]))), new Set([7, 9]));
  assert.equal(first.length, 22);
  assert.equal(first.find(({ turn }) => turn === 7)?.id, "h/a/one#7");
  const added = selectCandidates([session, makeSession("/p/a/two.jsonl", turns.slice(0, 50), [])], "h", null);
  const kept = added.filter(({ path }) => path === session.path).map(({ id }) => id);
  assert.ok(kept.every((id) => first.some((each) => each.id === id)));
  assert.ok(kept.length > 2 && kept.length < 22, `${kept.length} of both sessions' 22`);
});

const aCase: Case = {
  hit: null,
  hook: "h",
  rule: "",
  outcome: "silent",
  reply: "Done.",
  at: null,
  transcript: "a/one.jsonl",
  turn: 7,
  id: "h/a/one#7",
};

test("cases are added behind what a person has written, which stays word for word", () => {
  const labelled = `{ "hit": true, "id": "h/a/one#7", "note": "surely" }`;
  const merged = mergeCases(labelled, [aCase, { ...aCase, id: "h/a/one#8" }], "labels.jsonl");
  assert.equal(merged.added, 1);
  const [first, second, end] = merged.text.split("\n");
  assert.equal(first, labelled);
  assert.match(second ?? "", /^\{"hit":null,"hook":"h",.*"id":"h\/a\/one#8"\}$/);
  assert.equal(end, "");
  assert.deepEqual(mergeCases(merged.text, [aCase], "labels.jsonl"), { text: merged.text, added: 0 });
});

test("a label that is none is named with its line and what was expected", () => {
  assert.deepEqual(parseLabels('\uFEFF{"id":"a","hit":true,"outcome":"silent"}\r\n\n{"id":"b","hit":null}\n', "f"), [
    { id: "a", hit: true, outcome: "silent" },
    { id: "b", hit: null },
  ]);
  const broken: readonly (readonly [string, RegExp])[] = [
    ['{"id":"a","hit":true}\nnonsense', /expected a JSON object in f:2, got something else/],
    ['{"hit":true}', /expected `id` to be a text in f:1, got undefined/],
    ['{"id":"a","hit":"yes"}', /expected `hit` to be true, false or null in f:1, got "yes"/],
    ['{"id":"a","hit":true}\n{"id":"a","hit":false}', /expected each id once, got a again in f:2/],
  ];
  for (const [text, expected] of broken) assert.throws(() => parseLabels(text, "f"), expected);
});

function label(hit: boolean, state: CaseState, outcome: string = state) {
  return { label: { id: "x", hit, outcome }, state };
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test("a hook that asks is scored by its verdicts where there are any, and so is the judge alone", () => {
  // The judge: 25 of 33 hits found, 2 of 10 others let go. Twenty silent turns were rightly silent.
  const labelled = [
    ...times(25, label(true, "hit")),
    ...times(8, label(true, "clean")),
    ...times(8, label(false, "hit")),
    ...times(2, label(false, "clean")),
    ...times(20, label(false, "silent")),
    label(true, "unchecked"),
    label(true, "asks"),
  ];
  const judged = scoreHook(labelled, true, { active: 45, silent: 20 });
  assert.equal(judged.unjudged, 2);
  assert.deepEqual([judged.score.n, judged.score.accuracy.hits], [63, 47]);
  assert.deepEqual([judged.judge?.n, judged.judge?.accuracy.hits, judged.judge?.baselines.always], [43, 27, 33]);
  assert.ok(judged.judge !== undefined);
  assert.match(
    describeComparison({ name: "it", verb: "hit" }, judged.judge),
    /^it does not beat "always hit": right on 27/,
  );
  // Without verdicts a question is what it does.
  const asked = scoreHook([label(true, "asks"), label(false, "asks"), label(false, "silent")], false, {
    active: 2,
    silent: 1,
  });
  assert.deepEqual([asked.unjudged, asked.score.precision.hits, asked.score.precision.n], [0, 1, 2]);
  assert.equal(asked.judge, undefined);
});

test("recall over all turns weighs the silent ones by how many they stand for", () => {
  // 10 turns fire, 5 of the 5 labelled ones rightly: 10 found. 1 of 10 labelled silent ones of 200 was missed: 20 missed.
  const labelled = [...times(5, label(true, "fires")), label(true, "silent"), ...times(9, label(false, "silent"))];
  const { score, overall } = scoreHook(labelled, false, { active: 10, silent: 200 });
  assert.deepEqual([score.recall.hits, score.recall.n], [5, 6]);
  assert.equal(overall?.rate, 10 / 30);
  // Wilson of 1 of 10: 0.0179 to 0.4042, so 3.6 to 80.8 missed.
  assert.ok(Math.abs((overall?.interval.low ?? 0) - 10 / 90.8) < 0.001);
  assert.ok(Math.abs((overall?.interval.high ?? 0) - 10 / 13.58) < 0.001);
  assert.equal(scoreHook([label(true, "fires")], false, { active: 1, silent: 9 }).overall, undefined);
});

test("the estimate tells how long the caps hold the last question up", () => {
  const caps = { perHour: 60, perDay: 400, hookShare: 0.75 };
  const now = Date.UTC(2026, 0, 1);
  const start = { at: now - 1000, name: "s", hook: "mine" };
  // 45 an hour and 300 a day are for one hook.
  assert.deepEqual(estimateWait(45, caps, [], now, "mine"), { leftNow: 45, waitMs: 0 });
  assert.deepEqual(estimateWait(46, caps, [], now, "mine"), { leftNow: 45, waitMs: 3_600_000 });
  assert.deepEqual(estimateWait(100, caps, times(5, start), now, "mine"), { leftNow: 40, waitMs: 2 * 3_600_000 });
  assert.deepEqual(estimateWait(301, caps, [], now, "mine"), { leftNow: 45, waitMs: 24 * 3_600_000 });
  assert.deepEqual(estimateWait(1, { ...caps, perHour: 0 }, [], now, "mine"), { leftNow: 0, waitMs: null });
  // What others have used up counts as well.
  assert.equal(estimateWait(9, caps, times(58, { ...start, hook: "other" }), now, "mine").leftNow, 2);
  assert.equal(estimateTokens(401), 101);
  const modes = [{ mode: "default", questions: 46, tokens: 4600, runners: ["codex", "claude"] }] as const;
  assert.deepEqual(formatEstimate({ modes, known: 3, caps, leftNow: 45, waitMs: 3_600_000 }), [
    "46 questions for a model; 3 more have a verdict from before",
    "  default: 46, about 4600 tokens of prompts; asks codex, then claude",
    "caps: 60 an hour and 400 a day, of which a backtest may use 75 %: 45 can be asked now, the last one waits about 60 min",
  ]);
});

test("a window is a span, a day or a moment, and nothing else", () => {
  const now = new Date("2026-02-01T00:00:00Z");
  assert.equal(parseWindow("36h", now).toISOString(), "2026-01-30T12:00:00.000Z");
  assert.equal(parseWindow("14d", now).toISOString(), "2026-01-18T00:00:00.000Z");
  assert.equal(parseWindow("2026-01-05T10:00:00Z", now).toISOString(), "2026-01-05T10:00:00.000Z");
  assert.equal(parseWindow("2026-01-05", now).getTime(), new Date(2026, 0, 5).getTime());
  for (const text of ["", "0d", "14", "2w", "yesterday", "2026-13-01", "2026-01-05 nonsense", "1"])
    assert.throws(() => parseWindow(text, now), UsageError, text);
});

test("progress is for a terminal, a few times a second, with a guess once there is something to go by", () => {
  const step = { done: 3, total: 4, bytes: 300, totalBytes: 400, turns: 12 };
  assert.equal(formatStep(step, 1000), "3 of 4 files, 12 turns");
  assert.equal(formatStep(step, 30_000), "3 of 4 files, 12 turns, 10 s to go");
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  openProgress({ write }).show(step);
  assert.deepEqual(written, []);
  let ms = 0;
  const progress = openProgress({ isTTY: true, write }, () => ms);
  progress.show(step);
  ms = 100;
  progress.show(step);
  assert.deepEqual(written, ["\r\u001B[K3 of 4 files, 12 turns"]);
  progress.clear();
  assert.equal(written.at(-1), "\r\u001B[K");
});
