import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { listCrashSteps, type CrashStep } from "../../lib/io/crash-point.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { installFakes, type FakeClis } from "../helpers/fake-clis.ts";
import {
  askFake,
  assertAtRest,
  drop,
  evidence,
  getVerdicts,
  judgeAll,
  listUndelivered,
  makeState,
  question,
  transcriptKey,
} from "../helpers/queue.ts";
import { startWatch, type Exit } from "../helpers/watch-process.ts";
import { assertNothingLeft, countJobs, dieAt, tryStep } from "./die.ts";

/** What a watcher is about to do when it dies. */
export interface Scene {
  readonly name: string;
  /** At which it may die. */
  readonly steps: readonly CrashStep[];
  /** What is there before it starts. */
  prepare(stage: Stage): void | Promise<void>;
  /** How it runs; absent: `watch --once`. */
  readonly run?: (stage: Stage, step: CrashStep) => Promise<Exit>;
  readonly model?: string;
  readonly outcome: "hit" | "unchecked";
  /** The job is in dead/ in the end. */
  readonly dies: boolean;
  /** How often the job counts as tried when the watcher has died at this step. */
  readonly getTries: (step: CrashStep) => number;
}

export interface Stage {
  readonly t: TestContext;
  readonly paths: StatePaths;
  /** Of the job; no other test's, since what a runner leaves is found by it. */
  readonly id: string;
  readonly fakes: FakeClis;
  /** Of the watcher that dies. */
  readonly env: Env;
  /** Of those after it, whose runners answer. */
  readonly laterEnv: Env;
  /** As `env`, but the caps forbid to ask anyone. */
  readonly cappedEnv: Env;
}

let count = 0;

/** A state directory and a runner, for one crash. */
export function setStage(t: TestContext, model = "answers"): Stage {
  const paths = makeState(t);
  const fakes = installFakes(t, { model });
  const tmp = join(paths.root, "..", "tmp");
  mkdirSync(tmp);
  const env = { ...askFake(fakes.path), TMPDIR: tmp };
  const laterEnv = model === "answers" ? env : { ...askFake(installFakes(t, { model: "answers" }).path), TMPDIR: tmp };
  const config = join(fakes.path, "capped");
  mkdirSync(join(config, "catstack"), { recursive: true });
  writeFileSync(join(config, "catstack", "config.json"), JSON.stringify({ judge: { jobs_per_hour: 0 } }));
  const cappedEnv = { ...env, XDG_CONFIG_HOME: config };
  return { t, paths, id: `q-${process.pid}-${count++}`, fakes, env, laterEnv, cappedEnv };
}

const all = listCrashSteps();
/** The steps whose names begin so. */
export const stepsOf = (...groups: readonly string[]): CrashStep[] =>
  all.filter((step) => groups.some((group) => step.startsWith(group)));
const isBefore = (step: CrashStep, other: CrashStep): boolean => all.indexOf(step) < all.indexOf(other);

const asks = (step: CrashStep): number =>
  !isBefore(step, "C6 attempt written") && isBefore(step, "C11 attempts removed") ? 1 : 0;
const never = (): number => 0;

export const scenes: readonly Scene[] = [
  {
    name: "asks a runner",
    steps: [...stepsOf("S", "C", "L")].filter((step) => step !== "C4 answered before" && step !== "C5 expired"),
    prepare: ({ paths, id }) => void drop(paths, `${id}.json`, question()),
    outcome: "hit",
    dies: false,
    getTries: asks,
  },
  {
    name: "weighs evidence",
    steps: [...stepsOf("C1 ", "C2 ", "C3 ", "C9 ", "C10 "), "C11 claim removed", "C12 unlocked"],
    prepare: ({ paths, id }) => void drop(paths, `${id}.json`, evidence()),
    outcome: "hit",
    dies: false,
    getTries: never,
  },
  {
    name: "gives up a job that has expired",
    steps: [...stepsOf("C5 ", "C9 ", "C10 "), "C11 claim removed"],
    prepare: ({ paths, id }) => void drop(paths, `${id}.json`, question({ expires_at: "2026-01-01T00:00:00Z" })),
    outcome: "unchecked",
    dies: false,
    getTries: never,
  },
  {
    name: "meets a job that was judged already",
    steps: stepsOf("C4 ", "C11 ", "C12 "),
    async prepare({ paths, id, env }) {
      drop(paths, `${id}.json`, question());
      await judgeAll(paths, { env });
      drop(paths, `${id}.json`, question());
    },
    outcome: "hit",
    dies: false,
    getTries: never,
  },
  {
    name: "buries what is no job",
    steps: stepsOf("X", "C10 ", "C12 "),
    prepare: ({ paths, id }) => void drop(paths, `${id}.json`, evidence({ on_hit: 5 })),
    outcome: "unchecked",
    dies: true,
    getTries: never,
  },
  {
    name: "buries a job that was tried three times",
    steps: stepsOf("X", "C10 "),
    prepare({ paths, id }) {
      drop(paths, `${id}.json`, question());
      writeFileSync(join(paths.attempts, id), "...");
    },
    outcome: "unchecked",
    dies: true,
    getTries: (step) => (step === "X4 attempts removed" || step === "X5 reason moved" ? 0 : 3),
  },
  {
    name: "is stopped and puts its job back",
    steps: stepsOf("Q", "C12 ", "L"),
    prepare: ({ paths, id }) => void drop(paths, `${id}.json`, question()),
    async run({ t, paths, fakes, env }, step) {
      const { child, exited } = await startWatch(t, paths, { env: { ...env, CATSTACK_CRASH_AT: step } });
      await fakes.waitForPids("model");
      child.kill("SIGTERM");
      child.kill("SIGINT");
      return exited;
    },
    model: "hangs",
    outcome: "hit",
    dies: false,
    getTries: never,
  },
  {
    name: "gives back a dead watcher's job",
    steps: stepsOf("R"),
    async prepare({ t, paths, id, env }) {
      drop(paths, `${id}.json`, question());
      await dieAt(t, paths, "C7 run recorded", env);
    },
    run: dieCapped,
    outcome: "hit",
    dies: false,
    getTries: () => 1,
  },
  {
    name: "finishes a death that a dead watcher had begun",
    steps: [...stepsOf("C10 "), ...stepsOf("X").filter((step) => !step.startsWith("X1")), ...stepsOf("R1", "R2", "R4")],
    async prepare({ t, paths, id, env }) {
      drop(paths, `${id}.json`, evidence({ on_hit: 5 }));
      await dieAt(t, paths, "X1 recorded", env);
    },
    outcome: "unchecked",
    dies: true,
    getTries: never,
  },
];

/** A watcher that gives a job back may have begun it anew before it dies; here it must not, to be counted. */
async function dieCapped({ t, paths, cappedEnv }: Stage, step: CrashStep): Promise<Exit> {
  return tryStep(t, paths, step, cappedEnv);
}

/** Runs the scene's watcher, which may die at the step. */
export function play(scene: Scene, stage: Stage, step: CrashStep): Promise<Exit> {
  return scene.run?.(stage, step) ?? tryStep(stage.t, stage.paths, step, stage.env);
}

/** Nobody dies any more: the next watcher brings the job to its one end, and nothing is left. */
export async function assertRecovers({ outcome, dies }: Scene, { paths, id, laterEnv: env }: Stage): Promise<void> {
  const before = getVerdicts(paths);
  if (before.length === 0) assert.equal(countJobs(paths), 1, "the job goes when its verdict is there");
  await judgeAll(paths, { env });
  const verdicts = getVerdicts(paths);
  assert.deepEqual(
    verdicts.map((verdict) => [verdict.id, verdict.outcome]),
    [[id, outcome]],
  );
  if (before.length > 0) assert.deepEqual(verdicts, before, "the first verdict stays");
  assert.deepEqual(listUndelivered(paths), [`${transcriptKey}/${id}`]);
  assert.deepEqual(listDir(paths.dead).sort(), dies ? [`${id}.json`, `${id}.json.reason.json`] : []);
  assertAtRest(paths);
  await assertNothingLeft(paths, env);
}
