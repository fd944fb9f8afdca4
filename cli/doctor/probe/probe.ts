import { listenForInterrupt } from "../../backtest/interrupt.ts";
import { findProgram } from "../../setup/find-program.ts";
import { ask, canAsk } from "../../ask.ts";
import { UsageError } from "../../failure.ts";
import type { CliIo } from "../../io.ts";
import { readCodexProvider } from "../../../judge/runners/read-codex-provider.ts";
import { getRunnerEnv } from "../../../judge/runners/env.ts";
import type { Runner } from "../../../judge/runners/runner.ts";
import { RUNNERS_VARIABLE, selectRunners } from "../../../judge/select.ts";
import { readJudgeSettings } from "../../../judge/settings.ts";
import { getSettingsPath } from "../../../lib/io/paths.ts";
import { problem, type Check } from "../check.ts";
import { isRunnable } from "../read-build.ts";
import { probeRunner } from "./probe-runner.ts";

/**
 * Asks every runner of investigate jobs that is here to break its bounds, once a person has seen what that costs and said yes; undefined: they said no. Throws a UsageError
 * where nobody can be asked for that.
 */
export async function probe(yes: boolean, io: CliIo): Promise<Check[] | undefined> {
  const selection = select(io);
  if (!selection.ok) return [problem("fail", "probe", selection.reason, "until then no question is asked")];
  const override = io.env[RUNNERS_VARIABLE];
  if (override !== undefined)
    io.err(`${RUNNERS_VARIABLE} is set, so what it names is probed and not the built-in runners: ${override}`);
  const runners = selection.runners.filter((runner) => isHere(runner, io));
  if (runners.length === 0) {
    const names = selection.runners.map(({ name }) => name).join(", ");
    return [problem("unknown", "probe", `none of ${names} is here: nothing was asked`, "install codex or claude")];
  }
  io.err(describeCost(runners));
  if (!yes && !canAsk(io))
    throw new UsageError(
      "expected --yes beside --probe where no terminal is there to ask, got none; nothing was asked",
    );
  if (!yes && !(await ask("Go on?", io))) return undefined;
  const interrupt = listenForInterrupt();
  try {
    const checks: Check[] = [];
    for (const runner of runners) checks.push(await probeRunner(runner, io.env, interrupt.signal));
    return checks;
  } finally {
    interrupt.close();
  }
}

function select({ env }: CliIo): ReturnType<typeof selectRunners> {
  const settings = readJudgeSettings(getSettingsPath(env));
  if (!settings.ok) return settings;
  const runnerSets = settings.settings.runners;
  return selectRunners({
    mode: "investigate",
    override: env[RUNNERS_VARIABLE],
    runnerSets,
    provider: readCodexProvider(env),
  });
}

function isHere(runner: Runner, { env }: CliIo): boolean {
  const { file } = runner.invoke("", "investigate");
  if (file.startsWith("/")) return isRunnable(file);
  return findProgram(file, getRunnerEnv(env, { jobId: "", state: "", extra: [] })) !== undefined;
}

function describeCost(runners: readonly Runner[]): string {
  const names = runners.map(({ name }) => name).join(" and ");
  const one = runners.length === 1;
  return `The probe asks ${one ? "one question" : `${runners.length} questions, one each`} of ${names}, with your account: some ten calls of a model at most for each, up to 10 minutes. The model is told to write, edit and run in a scratch folder that is full of traps; nothing of yours is in it.`;
}
