import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseJob } from "../../inbox-schema/parse-job.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Env } from "../../lib/io/paths.ts";
import { judgeAll, listUndelivered } from "../helpers/queue.ts";
import { startWatch, type Exit } from "../helpers/watch-process.ts";
import { assertNothingLeft, countJobs, isComplete } from "./die.ts";
import { setHookStage } from "./hook-stage.ts";
import { assertRecovers, scenes, setStage, type Scene, type Stage } from "./scenes.ts";

const preload = fileURLToPath(new URL("../../fixtures/die-after-change.mjs", import.meta.url));
const NEVER = 0;

/** Runs a program that dies after so many changes of the disk. Gives them, in words without what differs from run to run. */
async function runUntil(root: string, last: number, run: (env: Env) => Promise<Exit>): Promise<readonly string[]> {
  const log = join(root, "..", "changes");
  rmSync(log, { force: true });
  const more = { NODE_OPTIONS: `--import=${preload}`, CATSTACK_CHANGES: log, CATSTACK_LAST_CHANGE: String(last) };
  const { code, signal } = await run(more);
  const changes = readFileSync(log, "utf8").trimEnd().split("\n");
  const hasDied = last !== NEVER && changes.length >= last;
  assert.deepEqual([code, signal], hasDied ? [null, "SIGKILL"] : [0, null], changes.at(-1));
  return changes.map((change) =>
    change
      .replaceAll(`${root}/`, "")
      .replaceAll(/\.\d+\.\w+\.tmp/g, ".tmp")
      .replaceAll(/\w{8}-\d+-[0-9a-f]{8}/g, "ME"),
  );
}

function watchUntil({ t, paths, cappedEnv, env }: Stage, scene: Scene, last: number): Promise<readonly string[]> {
  const own = scene.name === "gives back a dead watcher's job" ? cappedEnv : env;
  return runUntil(paths.root, last, async (more) => {
    const { exited } = await startWatch(t, paths, { args: ["--once"], env: { ...own, ...more } });
    return exited;
  });
}

function getScene(name: string): Scene {
  const found = scenes.find((scene) => scene.name === name);
  assert.ok(found, name);
  return found;
}

/** Of the numbers of changes, those that one of three tests tries: all of them in the complete run. */
const WORKERS = [1, 2, 3];
const next = (last: number): number => last + (isComplete ? WORKERS.length : 90);
const start = (worker: number): number => (isComplete ? worker : worker * 12);

describe("a watcher that dies after any change of the disk loses nothing", { concurrency: 3 }, () => {
  for (const name of ["asks a runner", "buries what is no job", "gives back a dead watcher's job"]) {
    const scene = getScene(name);
    for (const worker of WORKERS) {
      test(`it ${name}, ${worker} of ${WORKERS.length}`, async (t) => {
        for (let last = start(worker); ; last = next(last)) {
          const stage = setStage(t);
          await scene.prepare(stage);
          const changes = await watchUntil(stage, scene, last);
          if (changes.length < last) break;
          await t.test(`after change ${last}: ${changes.at(-1)}`, () => assertRecovers(scene, stage));
        }
      });
    }
  }
});

describe("a hook that dies after any change of the disk leaves nothing unsaid", { concurrency: 3 }, () => {
  for (const worker of WORKERS) {
    test(`at the end of a turn, ${worker} of ${WORKERS.length}`, async (t) => {
      for (let last = start(worker); ; last = next(last)) {
        const stage = setHookStage(t);
        let said = "";
        const changes = await runUntil(stage.paths.root, last, async (more) => {
          const exit = await stage.runWith("stop", more);
          said = exit.stdout;
          return exit;
        });
        if (changes.length < last) break;
        await t.test(`after change ${last}: ${changes.at(-1)}`, async () => {
          stage.age(31);
          said += (await stage.stop()).stdout;
          assert.match(said, /check_refs\.py/);
          stage.age(31);
          assert.equal((await stage.stop()).stdout, "");
          assert.equal(countJobs(stage.paths), 1);
        });
      }
    });

    test(`at the end of a turn that it asks about, ${worker} of ${WORKERS.length}`, async (t) => {
      for (let last = start(worker); ; last = next(last)) {
        const stage = setHookStage(t);
        const changes = await runUntil(stage.paths.root, last, (more) => stage.runWith("ask", more));
        if (changes.length < last) break;
        await t.test(`after change ${last}: ${changes.at(-1)}`, async () => {
          stage.age(31);
          await stage.ask();
          stage.age(31);
          await stage.ask();
          const [name = "", ...others] = listDir(stage.paths.inbox);
          assert.deepEqual(others, []);
          const parsed = parseJob(readFileSync(join(stage.paths.inbox, name), "utf8"), name.replace(/\.json$/, ""));
          assert.ok(parsed.ok);
          const [key = ""] = parsed.job.hit_if_all_true;
          assert.match(key, /^match_[0-9a-f]{8}$/);
          assert.ok(parsed.job.prompt?.includes(`{"${key}": true or false`));
        });
      }
    });

    test(`at a prompt, ${worker} of ${WORKERS.length}`, async (t) => {
      for (let last = start(worker); ; last = next(last)) {
        const stage = setHookStage(t);
        stage.publish("v1");
        const outputs: string[] = [];
        const changes = await runUntil(stage.paths.root, last, async (more) => {
          const exit = await stage.runWith("prompt", more);
          outputs.push(exit.stdout);
          return exit;
        });
        if (changes.length < last) break;
        await t.test(`after change ${last}: ${changes.at(-1)}`, async () => {
          stage.age(601);
          outputs.push((await stage.prompt()).stdout, (await stage.prompt()).stdout);
          // Once: between printing and marking nothing of the disk changes, so that it never died there.
          assert.equal(outputs.filter((text) => text.includes("finding v1")).length, 1);
          assert.deepEqual(listUndelivered(stage.paths), []);
          await judgeAll(stage.paths, { env: stage.env });
          await assertNothingLeft(stage.paths, stage.env);
        });
      }
    });
  }
});

/** What is asked of the system, in this order; that the disk keeps its word cannot be tested here. */
describe("what must outlive a power cut is synced before anything relies on it", () => {
  const isOf = (pattern: RegExp) => (change: string) =>
    /^(?:write|fsync|link|unlink|rename) /.test(change) && pattern.test(change);

  test("a job, before its hook says anything", async (t) => {
    const stage = setHookStage(t);
    const changes = await runUntil(stage.paths.root, NEVER, (more) => stage.runWith("stop", more));
    const job = changes
      .map((change) => change.replaceAll(/verdict-flip-watch-[0-9a-f]{16}/g, "ID"))
      .filter(isOf(/(?:tmp|inbox)\/ID|inbox$/));
    assert.deepEqual(job, [
      "write tmp/ID.json.tmp",
      "fsync tmp/ID.json.tmp",
      "link tmp/ID.json.tmp inbox/ID.json",
      "fsync inbox",
      "unlink tmp/ID.json.tmp",
    ]);
    const mark = changes.findIndex((change) => /^writeFile .*\.noted$/.test(change));
    assert.ok(mark > changes.indexOf("fsync inbox"), "the mark comes after the job");
  });

  const name = async (stage: Stage, scene: Scene): Promise<readonly string[]> => {
    await scene.prepare(stage);
    const changes = await watchUntil(stage, scene, NEVER);
    return changes.map((change) =>
      change.replaceAll(stage.id, "ID").replaceAll(/undelivered\/\w+/g, "undelivered/KEY"),
    );
  };

  test("an attempt, before its runner is recorded; a verdict, before its job goes", async (t) => {
    const changes = await name(setStage(t), getScene("asks a runner"));
    assert.deepEqual(changes.filter(isOf(/ID|(?:attempts|outbox|undelivered)(?:\/KEY)?$/)), [
      "rename inbox/ID.json claimed/ME/ID.json",
      "write attempts/ID",
      "fsync attempts/ID",
      "fsync attempts",
      "write claimed/ME/.ID.run.json.tmp",
      "rename claimed/ME/.ID.run.json.tmp claimed/ME/ID.run.json",
      "write tmp/ID.json.tmp",
      "fsync tmp/ID.json.tmp",
      "link tmp/ID.json.tmp outbox/ID.json",
      "fsync outbox",
      "fsync undelivered",
      "link outbox/ID.json undelivered/KEY/ID.json",
      "fsync undelivered/KEY",
      "unlink tmp/ID.json.tmp",
      "unlink attempts/ID",
      "unlink claimed/ME/ID.run.json",
      "unlink claimed/ME/ID.json",
    ]);
  });

  test("a death, before it is carried out; the file in dead/, before its old name goes", async (t) => {
    const changes = await name(setStage(t), getScene("buries what is no job"));
    assert.deepEqual(changes.filter(isOf(/ID|(?:outbox|undelivered|dead|claimed\/ME)(?:\/KEY)?$/)), [
      "rename inbox/ID.json claimed/ME/ID.json",
      "write claimed/ME/.ID.death.json.tmp",
      "fsync claimed/ME/.ID.death.json.tmp",
      "rename claimed/ME/.ID.death.json.tmp claimed/ME/ID.death.json",
      "fsync claimed/ME",
      "write tmp/ID.json.tmp",
      "fsync tmp/ID.json.tmp",
      "link tmp/ID.json.tmp outbox/ID.json",
      "fsync outbox",
      "fsync undelivered",
      "link outbox/ID.json undelivered/KEY/ID.json",
      "fsync undelivered/KEY",
      "unlink tmp/ID.json.tmp",
      "link claimed/ME/ID.json dead/ID.json",
      "fsync dead",
      "unlink claimed/ME/ID.json",
      "rename claimed/ME/ID.death.json dead/ID.json.reason.json",
      "fsync dead",
    ]);
  });

  test("a job that goes back into the inbox, before its claim goes", async (t) => {
    const changes = await name(setStage(t), getScene("gives back a dead watcher's job"));
    assert.deepEqual(changes.filter(isOf(/ID\.json|inbox$/)), [
      "link reclaim/ME@ME/ID.json inbox/ID.json",
      "fsync inbox",
      "unlink reclaim/ME@ME/ID.json",
    ]);
  });
});
