import assert from "node:assert/strict";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { CrashStep } from "../../lib/io/crash-point.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { assertAtRest, evidence, getVerdicts, listUndelivered, question, transcriptKey } from "../helpers/queue.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { startWatch, type Exit } from "../helpers/watch-process.ts";
import { assertDied, assertNothingLeft, countJobs, countTries, isComplete, sample, tryStep } from "./die.ts";
import { assertRecovers, play, scenes, setStage, stepsOf, type Scene, type Stage } from "./scenes.ts";

const reclaimSteps = stepsOf("R");

interface Pair {
  readonly scene: Scene;
  readonly first: CrashStep;
  readonly second: CrashStep;
}

/** Every step at which a job goes back or dies, and then every step of the watcher that clears up after that. */
const pairs: readonly Pair[] = [
  ...pair("gives back a dead watcher's job", "R"),
  ...pair("buries what is no job", "X"),
  ...pair("finishes a death that a dead watcher had begun", "X", "R"),
  ...pair("is stopped and puts its job back", "Q"),
];

function pair(name: string, ...groups: readonly string[]): Pair[] {
  const scene = scenes.find((each) => each.name === name);
  assert.ok(scene, name);
  const firsts = stepsOf(...groups).filter((step) => scene.steps.includes(step));
  return firsts.flatMap((first) => reclaimSteps.map((second) => ({ scene, first, second })));
}

const diedTwice: Pair[] = [];

describe("a watcher that dies over what a dead one left is cleared up after itself", { concurrency: 3 }, () => {
  for (const { scene, first, second } of sample(pairs, 61)) {
    test(`it ${scene.name} and dies at "${first}", the next at "${second}"`, async (t) => {
      const stage = setStage(t, scene.model);
      await scene.prepare(stage);
      assertDied(await play(scene, stage, first), first);
      const exit = await tryStep(t, stage.paths, second, stage.cappedEnv);
      // The first may have left nothing to do at the second step; then all is done.
      if (exit.signal === "SIGKILL") diedTwice.push({ scene, first, second });
      else assert.deepEqual(exit, { code: 0, signal: null });
      assert.equal(countTries(stage.paths, stage.id), scene.getTries(first), "attempts");
      await assertRecovers(scene, stage);
    });
  }

  after(() => {
    if (!isComplete) return;
    const missed = reclaimSteps.filter((step) => !diedTwice.some(({ second }) => second === step));
    assert.deepEqual(missed, [], "steps at which no second watcher died");
    console.log(`a second watcher died in ${diedTwice.length} of ${pairs.length} pairs of steps`);
  });
});

/** Two watchers, of which one dies: the other one is there all the time. */
interface Duel {
  readonly steps: readonly CrashStep[];
  readonly job: Readonly<Record<string, unknown>>;
  readonly outcome: "hit" | "unchecked";
  readonly model?: "hangs";
}

const duels: readonly Duel[] = [
  {
    steps: [...stepsOf("S", "C", "L")].filter((step) => !stepsOf("C4", "C5").includes(step)),
    job: question(),
    outcome: "hit",
  },
  { steps: stepsOf("X"), job: evidence({ on_hit: 5 }), outcome: "unchecked" },
  { steps: stepsOf("Q"), job: question(), outcome: "hit", model: "hangs" },
  { steps: reclaimSteps, job: question(), outcome: "hit", model: "hangs" },
];
const rounds = duels.flatMap((duel) => duel.steps.map((step) => ({ duel, step })));

// Each waits for the other watcher's next look at who is dead, which comes every 10 s.
describe("of two watchers one dies, and the other one takes over", { concurrency: 8 }, () => {
  for (const { duel, step } of sample(rounds, 20)) {
    test(`at "${step}"`, async (t) => {
      const stage = setStage(t, duel.model);
      const { paths, laterEnv } = stage;
      const survivor = await startWatch(t, paths, { env: laterEnv });
      await survivor.ready;
      const ids = await killOne(duel, step, stage);
      const isDone = () => listDir(paths.outbox).length === ids.length && countJobs(paths) === 0;
      await waitFor(`${ids.length} verdicts, and no job`, () => (isDone() ? true : undefined));
      survivor.child.kill("SIGTERM");
      assert.deepEqual(await survivor.exited, { code: 0, signal: null });
      const verdicts = getVerdicts(paths).map(({ id, outcome }) => [id, outcome]);
      assert.deepEqual(
        verdicts,
        ids.map((id) => [id, duel.outcome]),
      );
      assert.deepEqual(
        listUndelivered(paths),
        ids.map((id) => `${transcriptKey}/${id}`),
      );
      await assertNothingLeft(paths, laterEnv);
      assertAtRest(paths);
    });
  }
});

/** Drops jobs until a second watcher has died at the step; gives their ids, sorted. */
async function killOne(duel: Duel, step: CrashStep, stage: Stage): Promise<string[]> {
  const { t, paths, env, laterEnv } = stage;
  const ids: string[] = [];
  if (duel.steps === reclaimSteps) {
    // The other one may look just then and be faster.
    for (let exit: Exit | "alive" = "alive"; ids.length < 120;) {
      const victim = await startWatch(t, paths, { env });
      await dropUntil(() => stage.fakes.find("model.pids") !== undefined, duel, stage, ids);
      victim.child.kill("SIGKILL");
      await victim.exited;
      const doomed = await startWatch(t, paths, { env: { ...laterEnv, CATSTACK_CRASH_AT: step } });
      exit = await Promise.race([doomed.exited, delay(5000, "alive" as const)]);
      if (exit !== "alive") {
        assertDied(exit, step);
        return ids;
      }
      doomed.child.kill("SIGKILL");
      rmSync(join(stage.fakes.path, "model.pids"));
    }
  }
  const doomed = await startWatch(t, paths, { env: { ...env, CATSTACK_CRASH_AT: step } });
  let isOver = false;
  void doomed.exited.then(() => (isOver = true));
  if (step.startsWith("L")) {
    await doomed.ready;
    doomed.child.kill("SIGTERM");
  }
  await dropUntil(() => isOver || stage.fakes.find("model.pids") !== undefined, duel, stage, ids);
  if (duel.model === "hangs") {
    doomed.child.kill("SIGTERM");
    doomed.child.kill("SIGINT");
  }
  assertDied(await doomed.exited, step);
  return ids;
}

async function dropUntil(isEnough: () => boolean, { job }: Duel, { id, paths }: Stage, ids: string[]): Promise<void> {
  for (const end = ids.length + 40; !isEnough() && ids.length < end; await delay(100)) {
    const name = `${id}-${ids.length + 100}`;
    const temporary = join(paths.tmp, name);
    // No two prompts are the same: an earlier answer would be given again.
    writeFileSync(temporary, JSON.stringify("prompt" in job ? { ...job, prompt: name } : job));
    renameSync(temporary, join(paths.inbox, `${name}.json`));
    ids.push(name);
  }
}
