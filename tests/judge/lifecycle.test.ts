import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import type { AskResult } from "../../judge/question/ask.ts";
import { listDead } from "../../judge/dead/list-dead.ts";
import type { JobEvent } from "../../judge/events.ts";
import { advance, type JobState } from "../../judge/lifecycle.ts";
import { requeueDead } from "../../judge/dead/requeue-dead.ts";
import { MAX_ATTEMPTS } from "../../judge/state/attempts.ts";
import { prepareState } from "../../judge/state/prepare-state.ts";
import { claimVerdicts } from "../../lib/io/delivery/delivery.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type StatePaths } from "../../lib/io/paths.ts";
import { publishOnce } from "../../lib/io/publish-file.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import {
  effectNames,
  startModelWatcher,
  type DeathPoint,
  type ModelWatcher,
  type Parked,
} from "../helpers/model-watcher.ts";
import { assertAtRest, evidence, getVerdicts, question, transcriptKey } from "../helpers/queue.ts";

const id = "j1";
const events: readonly JobEvent[] = [
  { event: "job:claimed", id },
  { event: "job:start", id, hook: "test", mode: "default", attempt: 2 },
  { event: "attempt:failed", id, runner: "model", duration_ms: 5 },
  { event: "job:requeued", id, reason: "half-written" },
  { event: "job:judged", id, hook: "test", outcome: "hit", runner: "model" },
  { event: "job:duplicate", id },
  { event: "job:dead", id, code: "attempts", file: "j1.json" },
  { event: "job:lost", id },
];
const states: readonly JobState[] = [
  { at: "queued" },
  { at: "claimed" },
  { at: "running", attempt: 1 },
  { at: "judged", outcome: "clean" },
  { at: "dead", code: "invalid" },
  { at: "lost" },
];

/** What each event of `events` makes of each state of `states`; a dash: it cannot happen then. */
const table: Readonly<Record<JobState["at"], string>> = {
  queued: "claimed - - - - - - -",
  claimed: "- running - queued judged judged dead lost",
  running: "- - running queued judged judged dead lost",
  judged: "- - - - - - - -",
  dead: "- - - - - - - -",
  lost: "- - - - - - - -",
};

test("every event in every state leads where the table says, and elsewhere is refused", () => {
  for (const state of states) {
    const found = events.map((event) => advanceOrRefuse(state, event)?.at ?? "-").join(" ");
    assert.equal(found, table[state.at], state.at);
  }
});

test("what a state remembers is what the event told", () => {
  const follow = (...names: readonly JobEvent["event"][]) =>
    names.reduce<JobState>((state, name) => advance(state, find(name)), { at: "queued" });
  const find = (name: JobEvent["event"]) => events.find(({ event }) => event === name) ?? assert.fail(name);
  assert.deepEqual(follow("job:claimed", "job:start"), { at: "running", attempt: 2 });
  assert.deepEqual(follow("job:claimed", "job:start", "attempt:failed"), { at: "running", attempt: 2 });
  assert.deepEqual(follow("job:claimed", "job:judged"), { at: "judged", outcome: "hit" });
  assert.deepEqual(follow("job:claimed", "job:duplicate"), { at: "judged", outcome: null });
  assert.deepEqual(follow("job:claimed", "job:dead"), { at: "dead", code: "attempts" });
});

test("whatever comes in whatever order, a refused event changes nothing, an end is final, and nothing is published twice", () => {
  const anyEvents = fc.array(fc.constantFrom(...events), { maxLength: 60 });
  fc.assert(
    fc.property(anyEvents, (sequence) => {
      let state: JobState = Object.freeze({ at: "queued" as const });
      let ends = 0;
      for (const event of sequence) {
        const before: string = JSON.stringify(state);
        const next = advanceOrRefuse(state, event);
        assert.equal(JSON.stringify(state), before, "the state that was is not written to");
        if (next === undefined) continue;
        assert.ok(
          states.some(({ at }) => at === next.at),
          `${next.at} is a state`,
        );
        if (isEnd(next)) ends += 1;
        else assert.equal(ends, 0, "nothing comes after an end");
        state = Object.freeze(next);
      }
      assert.ok(ends <= 1, "at most one end, so at most one verdict");
    }),
    { numRuns: 2000 },
  );
});

function advanceOrRefuse(state: JobState, event: JobEvent): JobState | undefined {
  try {
    return advance(state, event);
  } catch (error) {
    assert.match(
      String(error),
      new RegExp(`^Error: expected ${event.event} of job j1 when .+, got it when ${state.at}$`),
    );
    return undefined;
  }
}

function isEnd({ at }: JobState): boolean {
  return at === "judged" || at === "dead" || at === "lost";
}

/** Ids that no runner of this machine has: what carries one as its mark is ended when a watcher gives its job back. */
const ids = ["a", "b"].map((name) => `model-${process.pid}-${name}`);
/** What is dropped under an id; all but the first two are decided without asking anyone. */
const contents = [
  question(),
  question({ prompt: "Another question" }),
  evidence(),
  question({ expires_at: "2026-01-01T00:00:00Z" }),
  question({ on_hit: 5 }),
];
const texts = contents.map((content) => JSON.stringify(content));
const outcomes = ["hit", "clean", "unchecked", "full disk"] as const;
const MAX_WATCHERS = 3;
const MAX_ACTIONS = 80;
const MIN_SEQUENCES = 5;

/** `relapse` and `restart`: a watcher that asks dies, or is stopped, and another takes over. `disown`: the others hold one for dead that goes on. */
type PickingAction = "scan" | "reclaim" | "stop" | "crash" | "relapse" | "restart" | "disown" | "publish" | "requeue";

/** `pick` is taken modulo the number of what there is to choose from: watchers that live, jobs that wait for a word, files in dead/. */
type Action =
  | { readonly do: "drop"; readonly id: string; readonly text: string }
  | { readonly do: "start" }
  | { readonly do: PickingAction; readonly pick: number }
  | { readonly do: "answer"; readonly pick: number; readonly outcome: (typeof outcomes)[number] }
  | { readonly do: "arm"; readonly pick: number; readonly point: DeathPoint }
  | { readonly do: "deliver"; readonly isPrinted: boolean };

const pick = fc.nat({ max: 5 });
const picking = (name: PickingAction) => fc.record({ do: fc.constant(name), pick });
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constant(JSON.stringify(question())) },
  { weight: 2, arbitrary: fc.constantFrom(...texts) },
);
const point = fc.record({
  effect: fc.constantFrom(...effectNames),
  when: fc.constantFrom("before" as const, "after" as const),
});
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("drop" as const), id: fc.constantFrom(...ids), text }) },
  { weight: 7, arbitrary: picking("scan") },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("answer" as const), pick, outcome: fc.constantFrom(...outcomes) }),
  },
  { weight: 4, arbitrary: picking("publish") },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("start" as const) }) },
  { weight: 3, arbitrary: picking("reclaim") },
  { weight: 2, arbitrary: picking("crash") },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("arm" as const), pick, point }) },
  { weight: 2, arbitrary: picking("stop") },
  { weight: 2, arbitrary: picking("relapse") },
  { weight: 1, arbitrary: picking("disown") },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("deliver" as const), isPrinted: fc.boolean() }) },
  { weight: 1, arbitrary: picking("requeue") },
);

/** About five seconds; `CATSTACK_MODEL_SECONDS` gives it more. */
const SECONDS = Number(process.env["CATSTACK_MODEL_SECONDS"] ?? 5);

test("three watchers that claim, ask, publish, die and clean up in any order lose no job and say nothing twice", async () => {
  await assertHolds(fc.array(action, { minLength: 1, maxLength: MAX_ACTIONS, size: "max" }), 0.7);
});

test("a job that is never answered is given up once three watchers have died over it, and no stop counts", async () => {
  const interruption = fc.oneof(picking("relapse"), picking("restart"));
  await assertHolds(
    fc
      .array(interruption, { minLength: 4, maxLength: 10 })
      .map((interruptions): readonly Action[] => [
        { do: "drop", id: ids[0] ?? "", text: texts[0] ?? "" },
        { do: "scan", pick: 0 },
        ...interruptions,
      ]),
    0.3,
  );
});

/** Tries sequences for its `share` of the seconds, and a few however long they take. */
async function assertHolds(sequences: fc.Arbitrary<readonly Action[]>, share: number): Promise<void> {
  const deadline = performance.now() + 1000 * SECONDS * share;
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (actions) => {
      if (tried >= MIN_SEQUENCES && performance.now() > deadline) return;
      tried += 1;
      const world = await createWorld();
      try {
        for (const each of actions) {
          await act(each, world);
          await Promise.all(world.watchers.map((watcher) => watcher.settle()));
          world.unasked.clear();
          assertNothingWrong(world);
        }
        await finish(world);
      } finally {
        for (const watcher of world.watchers) watcher.kill();
        rmSync(world.paths.root, { recursive: true, force: true });
      }
    }),
    { numRuns: 200 * SECONDS, includeErrorInReport: true },
  );
}

/** The state directory, the watchers of all times, and what is known to have happened. */
interface World {
  readonly paths: StatePaths;
  readonly watchers: ModelWatcher[];
  /** How often each text came into the inbox, by a drop or out of dead/. */
  readonly accepted: Map<string, number>;
  /** Texts that are there no more, as a requeue has changed them. */
  readonly replaced: Set<string>;
  /** How often a question of an id was asked to an end that does not give the attempt back. */
  readonly asked: Map<string, number>;
  /** Ids whose question has just found a full disk: the attempt is given back, unless another watcher has taken the job by now. */
  readonly unasked: Set<string>;
  readonly comings: Map<string, number>;
  readonly verdicts: Map<string, string>;
  readonly problems: unknown[];
}

const now = () => new Date();

async function createWorld(): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "catstack-model-")));
  const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
  prepareState(paths);
  const world: World = {
    paths,
    watchers: [],
    accepted: new Map(),
    replaced: new Set(),
    asked: new Map(),
    unasked: new Set(),
    comings: new Map(),
    verdicts: new Map(),
    problems: [],
  };
  await start(world);
  await start(world);
  return world;
}

async function start({ paths, watchers, problems, asked, unasked }: World): Promise<void> {
  const started = new Set<string>();
  const watcher = await startModelWatcher({
    paths,
    now,
    onProblem: (problem) => void problems.push(problem),
    onAttempt: (name) => add(asked, name, 1),
    onRefund(name) {
      if (unasked.delete(name)) add(asked, name, -1);
    },
    onEvent(event) {
      if (event.event === "job:start") started.add(event.id);
      // Also by one that was taken for dead, where nobody has taken its jobs yet.
      const isStop = event.event === "job:requeued" && event.reason === "the watcher is stopping";
      if (isStop && started.delete(event.id)) add(asked, event.id, -1);
      if (event.event === "job:start" && existsSync(join(paths.outbox, `${event.id}.json`)))
        problems.push(`${event.id} has a verdict and is asked`);
      if (event.event === "job:dead" && event.code === "attempts" && (asked.get(event.id) ?? 0) < MAX_ATTEMPTS)
        problems.push(`${event.id} was asked ${asked.get(event.id)} times and is given up`);
      const isExpected = event.event === "watcher:error" && event.message.includes("ENOSPC");
      if (event.event === "watcher:error" && !isExpected) problems.push(event);
    },
  });
  watchers.push(watcher);
}

async function act(each: Action, world: World): Promise<void> {
  const { paths, watchers } = world;
  const living = watchers.filter((watcher) => watcher.isAlive());
  if (each.do === "drop") return drop(each.id, each.text, world);
  if (each.do === "deliver") return deliver(each.isPrinted, paths);
  if (each.do === "start") return living.length < MAX_WATCHERS ? start(world) : undefined;
  if (each.do === "requeue") return requeue(each.pick, world);
  if (each.do === "answer") return answer(choose(living.flatMap(listAsked), each.pick), each.outcome, world);
  if (each.do === "publish") return choose(living.flatMap(listJudged), each.pick)?.go(toAnswer("hit"));
  if (each.do === "relapse" || each.do === "restart")
    return replace(choose(living.filter(isAsking), each.pick), each.do, world);
  const watcher = choose(living, each.pick);
  if (watcher !== undefined) await disturb(watcher, each);
}

async function disturb(watcher: ModelWatcher, each: Extract<Action, { readonly pick: number }>): Promise<void> {
  if (each.do === "scan") watcher.scan();
  else if (each.do === "reclaim") await watcher.reclaim();
  else if (each.do === "stop") await watcher.stop();
  else if (each.do === "arm") watcher.arm(each.point);
  else if (each.do === "disown") watcher.disown();
  else watcher.kill();
}

const listAsked = ({ parked }: ModelWatcher) => parked.filter(({ at }) => at === "ask");
const isAsking = (watcher: ModelWatcher) => listAsked(watcher).length > 0;
const listJudged = ({ parked }: ModelWatcher) => parked.filter(({ at }) => at === "publish");

function choose<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)];
}

function drop(name: string, content: string, { paths, accepted, comings }: World): void {
  if (!publishOnce(join(paths.inbox, `${name}.json`), content, paths.tmp)) return;
  add(accepted, content, 1);
  add(comings, name, 1);
}

function deliver(isPrinted: boolean, paths: StatePaths): void {
  const claims = claimVerdicts(transcriptKey, { paths, now: now(), ownHooks: [] });
  if (isPrinted) claims.commit();
  else claims.putBack();
}

function requeue(index: number, { paths, accepted, comings, replaced }: World): void {
  const entry = choose(listDead(paths), index);
  if (entry === undefined) return;
  const content = readFileSync(entry.path, "utf8");
  const requeued = requeueDead(entry, paths, now());
  if (requeued.is !== "requeued") return;
  const renewed = readFileSync(join(paths.inbox, `${requeued.id}.json`), "utf8");
  add(comings, requeued.id, 1);
  add(accepted, renewed, 1);
  // One that had expired has another date now.
  if (renewed !== content) replaced.add(content);
}

async function replace(watcher: ModelWatcher | undefined, how: "relapse" | "restart", world: World): Promise<void> {
  if (watcher === undefined) return;
  if (how === "relapse") watcher.kill();
  else await watcher.stop();
  await start(world);
  const next = world.watchers.at(-1);
  await next?.reclaim();
  next?.scan();
}

function answer(parked: Parked | undefined, outcome: (typeof outcomes)[number], { unasked }: World): void {
  if (parked === undefined) return;
  if (outcome !== "full disk") return parked.go(toAnswer(outcome));
  unasked.add(parked.id);
  parked.go(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }));
}

function toAnswer(outcome: AskResult["outcome"]): AskResult {
  const runner = outcome === "unchecked" ? null : "model";
  return {
    outcome,
    reason: "said so",
    runner,
    answer: runner && { hit: outcome === "hit" },
    attempts: [],
    aborted: false,
  };
}

function add(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/** What holds at every moment, whoever is dead. */
function assertNothingWrong(world: World): void {
  const { paths, watchers, accepted, replaced, asked, comings, verdicts, problems } = world;
  assert.deepEqual(problems, []);
  const files = listTexts(paths);
  const found = getVerdicts(paths);
  for (const [content, count] of accepted) {
    const hash = shortHash(content);
    const judged = found.filter((verdict) => verdict.job_hash === hash).length;
    assert.ok(replaced.has(content) || files.includes(content) || judged > 0, `lost: ${content}`);
    assert.ok(judged <= count, `${judged} verdicts on what came ${count} times: ${content}`);
  }
  for (const [name, before] of verdicts)
    assert.equal(readVerdictText(paths, name), before, `the verdict of ${name} stays`);
  for (const verdict of found) {
    verdicts.set(verdict.id, readVerdictText(paths, verdict.id));
    const places = countDeliveries(paths, verdict.id);
    assert.equal(places, verdict.outcome === "clean" ? 0 : 1, `deliveries of ${verdict.id}, ${verdict.outcome}`);
  }
  const trusted = watchers.filter((watcher) => !watcher.isDisowned());
  const parked = trusted.flatMap((watcher) => watcher.parked.map((each) => each.id));
  assert.deepEqual([...new Set(parked)], parked, "no job is worked on twice at a time");
  for (const [name, count] of asked) {
    assert.ok(count <= MAX_ATTEMPTS * (comings.get(name) ?? 0), `${name} was asked ${count} times`);
  }
  for (const { reason } of listDead(paths)) assert.notEqual(reason?.code, "internal", reason?.reason);
}

/** The text of every job file, wherever it is. */
function listTexts({ inbox, claimed, reclaim, dead }: StatePaths): string[] {
  const folders = [claimed, reclaim].flatMap((parent) => listDir(parent).map((name) => join(parent, name)));
  return [inbox, dead, ...folders].flatMap((folder) =>
    listDir(folder).flatMap((name) => (/^[\w-]+\.json$/.test(name) ? [readFileSync(join(folder, name), "utf8")] : [])),
  );
}

function readVerdictText({ outbox }: StatePaths, name: string): string {
  return readFileSync(join(outbox, `${name}.json`), "utf8");
}

/** Waiting to be told, being told, told. */
function countDeliveries({ undelivered, delivering, outbox }: StatePaths, name: string): number {
  const waiting = [undelivered, delivering].flatMap((parent) =>
    listDir(parent).filter((folder) => listDir(join(parent, folder)).includes(`${name}.json`)),
  );
  const isTold = (statSync(join(outbox, `${name}.json`)).mode & 0o777) === 0o400;
  return waiting.length + Number(isTold);
}

/** Everybody dies, one more watcher comes, and nothing disturbs it: every job gets to its end, and nothing else is left. */
async function finish(world: World): Promise<void> {
  for (const watcher of world.watchers) watcher.kill();
  await start(world);
  const watcher = world.watchers.at(-1);
  assert.ok(watcher);
  await watcher.reclaim();
  for (let round = 0; listDir(world.paths.inbox).length > 0; round++) {
    assert.ok(round < 100, "it comes to an end");
    watcher.scan();
    await watcher.settle();
    while (watcher.parked.length > 0) {
      for (const { go } of watcher.parked.slice()) go(toAnswer("hit"));
      await watcher.settle();
    }
    assertNothingWrong(world);
  }
  await watcher.stop();
  assertNothingWrong(world);
  const found = getVerdicts(world.paths);
  for (const content of world.accepted.keys()) {
    const isJudged = found.some((verdict) => verdict.job_hash === shortHash(content));
    const isDead = listDead(world.paths).some(({ path }) => readFileSync(path, "utf8") === content);
    assert.ok(world.replaced.has(content) || isJudged || isDead, `neither judged nor dead: ${content}`);
  }
  assertAtRest(world.paths);
}
