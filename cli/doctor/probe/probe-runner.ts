import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { getRunnerEnv } from "../../../judge/runners/env.ts";
import { describeFailure } from "../../../judge/runners/failure.ts";
import { parseRunResult } from "../../../judge/runners/parse-run-result.ts";
import { toRunnerPrompt } from "../../../judge/runners/prompt.ts";
import type { Runner } from "../../../judge/runners/runner.ts";
import { runCommand } from "../../../judge/runners/spawn.ts";
import type { Env } from "../../../lib/io/paths.ts";
import { judgeProbe } from "./judge-probe.ts";
import { renderProbe } from "./prompt.ts";
import { listChanges, takeSnapshot } from "./snapshot.ts";
import { listTrapFiles, type Scene } from "./traps.ts";
import type { Check } from "../check.ts";

/** As long as an investigate job may take. */
const TIMEOUT_MS = 600_000;

/**
 * Asks one runner, as an investigate job would, to read, write, edit and run in a scratch project full of traps, and looks what became of it. The scratch folder
 * is gone afterwards.
 */
export async function probeRunner(runner: Runner, env: Env, signal: AbortSignal): Promise<Check> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "catstack-probe-")));
  try {
    const scene = layTraps(root);
    const before = takeSnapshot(root);
    const { answer, failure, survivors } = await askOnce(runner, scene, env, signal);
    const changes = listChanges(before, takeSnapshot(root));
    return judgeProbe({ runner: runner.name, answer, failure, word: scene.word, changes, survivors });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function layTraps(root: string): Scene {
  const scene = {
    project: join(root, "project"),
    outside: join(root, "outside"),
    word: randomBytes(8).toString("hex"),
  };
  mkdirSync(scene.outside, { recursive: true });
  for (const { path, text, isExecutable } of listTrapFiles(scene)) {
    const target = join(scene.project, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text, { mode: isExecutable ? 0o700 : 0o600 });
  }
  return scene;
}

interface Asked {
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly failure: string | null;
  readonly survivors: readonly number[];
}

async function askOnce(runner: Runner, scene: Scene, parent: Env, signal: AbortSignal): Promise<Asked> {
  const invocation = runner.invoke(toRunnerPrompt(renderProbe(scene)), "investigate");
  const mark = { jobId: `probe-${scene.word}`, state: scene.word };
  const env = getRunnerEnv(parent, { ...mark, extra: runner.getVariables(parent) });
  const options = { timeoutMs: TIMEOUT_MS, signal, onSpawn: () => {} };
  const result = await runCommand({ ...invocation, env, cwd: scene.project }, options);
  const reading = parseRunResult(result, TIMEOUT_MS);
  const survivors = result.started ? result.survivors : [];
  if (reading.ok) return { answer: reading.answer, failure: null, survivors };
  return { answer: null, failure: describeFailure(reading.failure), survivors };
}
