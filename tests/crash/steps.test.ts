import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { listCrashSteps, type CrashStep } from "../../lib/io/crash-point.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getVerdicts, judgeAll, listUndelivered } from "../helpers/queue.ts";
import { assertDied, assertNothingLeft, countJobs, countTries, dieAt, isComplete, reached, sample } from "./die.ts";
import { setHookStage, type HookExit, type HookStage } from "./hook-stage.ts";
import { assertRecovers, play, scenes, setStage, stepsOf } from "./scenes.ts";

/** Most of a crash's time is the start of a process. */
const concurrency = 3;

describe("a watcher that dies leaves what the next one brings to one end", { concurrency }, () => {
  for (const scene of scenes) {
    for (const step of sample(scene.steps, 10)) {
      test(`it ${scene.name} and dies at "${step}"`, async (t) => {
        const stage = setStage(t, scene.model);
        await scene.prepare(stage);
        assertDied(await play(scene, stage, step), step);
        assert.equal(countTries(stage.paths, stage.id), scene.getTries(step), "attempts");
        await assertRecovers(scene, stage);
      });
    }
  }
});

describe("a job that takes its watcher down", { concurrency }, () => {
  const spent = stepsOf("C6 attempt counted", "C6 attempt named", "C7 ", "C8 folder removed");
  for (const step of sample(spent, 3)) {
    test(`three times at "${step}" is dead, and unchecked`, async (t) => {
      const { paths, id, env } = setStage(t);
      writeFileSync(join(paths.inbox, `${id}.json`), '{"hook":"h","transcript":"/t","on_hit":"x","prompt":"?"}');
      for (const tries of [1, 2, 3]) {
        await dieAt(t, paths, step, env);
        assert.equal(countTries(paths, id), tries);
      }
      await judgeAll(paths, { env });
      assert.deepEqual(listDir(paths.dead).sort(), [`${id}.json`, `${id}.json.reason.json`]);
      const [verdict, ...others] = getVerdicts(paths);
      assert.deepEqual(others, []);
      assert.equal(verdict?.outcome, "unchecked");
      assert.match(verdict?.reason ?? "", /^tried 3 times/);
      await assertNothingLeft(paths, env);
    });
  }

  test("before its attempt counts is tried as often as it takes, and judged by the first that lives", async (t) => {
    const { paths, id, env } = setStage(t);
    writeFileSync(join(paths.inbox, `${id}.json`), '{"hook":"h","transcript":"/t","on_hit":"x","prompt":"?"}');
    const free: readonly CrashStep[] = ["C2 claimed", "C2 locked", "C3 read", "C6 start counted", "C6 attempt begun"];
    for (const step of free) {
      await dieAt(t, paths, step, env);
      assert.equal(countTries(paths, id), 0);
    }
    await judgeAll(paths, { env });
    assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
    await assertNothingLeft(paths, env);
  });

  test("is judged from the answer that was paid for, once there is one", async (t) => {
    const { paths, id, env, cappedEnv } = setStage(t);
    writeFileSync(join(paths.inbox, `${id}.json`), '{"hook":"h","transcript":"/t","on_hit":"x","prompt":"?"}');
    await dieAt(t, paths, "C8 answered", env);
    await judgeAll(paths, { env: { ...cappedEnv, PATH: "/nowhere" } });
    assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
    await assertNothingLeft(paths, env);
  });
});

describe("a hook that dies at the end of a turn leaves what the next turn makes whole", { concurrency }, () => {
  for (const step of sample(stepsOf("P", "E"), 4)) {
    test(`it dies at "${step}"`, async (t) => {
      const stage = setHookStage(t);
      const first = await stage.stop(step);
      assertDied(first, step);
      const isQueued = !stepsOf("P1", "P2", "P3").includes(step);
      assert.equal(countJobs(stage.paths), isQueued ? 1 : 0, "the name in the inbox is what makes it a job");
      stage.age(31);
      const second = await stage.stop();
      const isSaid = (exit: HookExit) => exit.stdout.includes("check_refs.py");
      // Printed and not settled: it may be said twice. At every other step it is said once.
      const expected = step === "E2 printed" ? [true, true] : step === "E3 settled" ? [true, false] : [false, true];
      assert.deepEqual([isSaid(first), isSaid(second)], expected, "what was not said is said");
      stage.age(31);
      assert.equal((await stage.stop()).stdout, "", "and then no more");
      assert.equal(countJobs(stage.paths), 1, "and asked once");
      await assertDelivers(stage);
    });
  }

  test("a process that may be about to say it is waited for", async (t) => {
    const stage = setHookStage(t);
    assertDied(await stage.stop("E1 marked"), "E1 marked");
    assert.equal((await stage.stop()).stdout, "");
  });

  test("a job that was judged in the meantime is not judged again", async (t) => {
    const stage = setHookStage(t);
    assertDied(await stage.stop("E1 marked"), "E1 marked");
    await judgeAll(stage.paths, { env: stage.env });
    const [verdict] = getVerdicts(stage.paths);
    assert.equal(verdict?.outcome, "hit");
    stage.age(31);
    assert.match((await stage.stop()).stdout, /check_refs\.py/);
    await judgeAll(stage.paths, { env: stage.env });
    assert.deepEqual(getVerdicts(stage.paths), [verdict]);
    assert.equal(listUndelivered(stage.paths).length, 1);
  });
});

/** The one job becomes one verdict, which the next prompt hands over once. */
async function assertDelivers(stage: HookStage): Promise<void> {
  const { paths, env } = stage;
  await judgeAll(paths, { env });
  assert.equal(getVerdicts(paths).length, 1);
  assert.match((await stage.prompt()).stdout, /check_refs\.py/);
  assert.equal((await stage.prompt()).stdout, "");
  await assertNothingLeft(paths, env);
}

/** What is printed when: by the process that dies, and by the next prompts together. */
const printedByDying = (step: CrashStep): boolean => stepsOf("D2", "D3").includes(step);

describe("a hook that dies while it delivers leaves no verdict unsaid", { concurrency }, () => {
  const delivering = stepsOf("D1", "D2", "D3");
  for (const step of sample(delivering, 4)) {
    for (const by of ["the next prompt", "a watcher"] as const) {
      test(`it dies at "${step}", and ${by} puts right what it left`, async (t) => {
        const stage = setHookStage(t);
        stage.publish("v1");
        stage.publish("v2");
        const first = await stage.prompt(step);
        assertDied(first, step);
        // Without an owner's name a folder is left alone for longer than any hook lives.
        if (step === "D1 folder made" || step === "D3 owner removed") stage.age(601);
        if (by === "a watcher") await judgeAll(stage.paths, { env: stage.env });
        const second = await stage.prompt();
        for (const id of ["v1", "v2"]) {
          const says = [first, second].map(({ stdout }) => stdout.includes(`finding ${id}`));
          // Marked is each by itself: "D3 marked" and "D3 removed" are about the first of the two.
          const isUnmarked = step === "D2 printed" || (id === "v2" && ["D3 marked", "D3 removed"].includes(step));
          assert.deepEqual(says, [printedByDying(step), !printedByDying(step) || isUnmarked], id);
        }
        await assertDelivered(stage);
      });
    }
  }

  for (const step of stepsOf("D4")) {
    test(`it dies at "${step}", since nobody listened`, async (t) => {
      const stage = setHookStage(t);
      stage.publish("v1");
      stage.publish("v2");
      assertDied(await stage.prompt(step, "deaf"), step);
      const { stdout } = await stage.prompt();
      for (const id of ["v1", "v2"]) assert.ok(stdout.includes(`finding ${id}`), id);
      await assertDelivered(stage);
    });
  }

  for (const step of stepsOf("D5")) {
    test(`it dies at "${step}", over what is no verdict`, async (t) => {
      const stage = setHookStage(t);
      stage.publish("v1");
      writeFileSync(join(stage.paths.undelivered, stage.key, "b1.json"), "no verdict");
      assertDied(await stage.prompt(step), step);
      assert.ok((await stage.prompt()).stdout.includes("finding v1"));
      assert.deepEqual(listDir(stage.paths.dead).sort(), ["b1.json", "b1.json.reason.json"]);
      await assertDelivered(stage);
    });
  }

  for (const step of stepsOf("B")) {
    for (const by of ["a hook", "a watcher"] as const) {
      test(`${by} dies at "${step}", putting back what a dead one was delivering`, async (t) => {
        const stage = setHookStage(t);
        stage.publish("v1");
        const isPrinted = step === "B1 removed";
        const first = await stage.prompt(isPrinted ? "D3 marked" : "D1 claimed");
        if (by === "a hook") assertDied(await stage.prompt(step), step);
        else await dieAt(t, stage.paths, step, stage.env);
        if (step === "B2 owner removed") stage.age(601);
        const last = await stage.prompt();
        const says = [first, last].map(({ stdout }) => stdout.includes("finding v1"));
        assert.deepEqual(says, [isPrinted, !isPrinted]);
        await assertDelivered(stage);
      });
    }
  }
});

async function assertDelivered(stage: HookStage): Promise<void> {
  const { paths, env } = stage;
  assert.ok(!(await stage.prompt()).stdout.includes("finding"), "and then no more");
  assert.deepEqual(listUndelivered(paths), []);
  await assertNothingLeft(paths, env);
}

after(() => {
  const steps = listCrashSteps();
  if (!isComplete) return;
  const missed = steps.filter((step) => !reached.has(step));
  assert.deepEqual(missed, [], "steps at which no process died");
  console.log(`a process died at each of the ${steps.length} steps of the protocol`);
});
