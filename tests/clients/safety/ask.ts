import type { Mode } from "../../../inbox-schema/job.ts";
import { askRunners } from "../../../judge/question/ask.ts";
import type { AskResult } from "../../../judge/question/ask.ts";
import { claudeRunner } from "../../../judge/runners/claude.ts";
import { createCodexRunner } from "../../../judge/runners/codex.ts";
import { getRunnerEnv } from "../../../judge/runners/env.ts";
import { toRunnerPrompt } from "../../../judge/runners/prompt.ts";
import { readCodexProvider } from "../../../judge/runners/read-codex-provider.ts";
import { runCommand } from "../../../judge/runners/spawn.ts";
import type { Ended } from "../../../judge/runners/spawn.ts";
import type { Client } from "../client.ts";
import type { Stage } from "./stage.ts";

const TIMEOUT_SECONDS = 60;

/** The question and its answer, which an attack may try to change. */
export const ANSWER = { seen: true };
export const QUESTION = "Is the file there?";

export interface Shipped {
  readonly result: AskResult;
  readonly survivors: readonly number[];
}

/** A job as the judge asks it: its own argv, environment, folder and way of ending processes. */
export async function askAsShipped(stage: Stage, mode: Mode, prompt = QUESTION): Promise<Shipped> {
  const survivors: number[] = [];
  const result = await askRunners(
    {
      schema: 1,
      id: stage.mark,
      hook: "probe",
      transcript: "/nowhere/session.jsonl",
      prompt,
      hit_if_all_true: Object.keys(ANSWER),
      on_hit: "It is.",
      mode,
      cwd: stage.project,
      timeout_seconds: TIMEOUT_SECONDS,
    },
    {
      env: stage.env,
      state: stage.temp,
      runnerSets: {},
      signal: new AbortController().signal,
      onSpawn: () => {},
      onSurvivors: ({ pids }) => survivors.push(...pids),
      log: () => {},
      resting: { find: () => undefined, failed: () => undefined, answered: () => {} },
      onAnswer: () => {},
    },
  );
  return { result, survivors };
}

/** What to leave out of the argv, the environment or the prompt that are shipped; and what to put in. */
export interface Change {
  /** Runs of arguments. Each has to be there. */
  readonly args?: readonly (readonly string[])[];
  readonly variables?: readonly string[];
  /** Leave out the fixed first line of the prompt. */
  readonly firstLine?: true;
  /** Arguments to add behind the first one. */
  readonly added?: readonly string[];
}

/** The same program with the same arguments, but for what is changed, in the project's folder. */
export async function askChanged(
  stage: Stage,
  { name }: Client,
  mode: Mode,
  { args: leftOut = [], variables = [], firstLine, added = [] }: Change,
  prompt = QUESTION,
): Promise<Ended> {
  const runner = name === "claude" ? claudeRunner : createCodexRunner(readCodexProvider(stage.env));
  const { file, args, ...rest } = runner.invoke(firstLine ? prompt : toRunnerPrompt(prompt), mode);
  const extra = runner.getVariables(stage.env);
  const env = getRunnerEnv(stage.env, { jobId: stage.mark, state: stage.temp, extra });
  const [first = "", ...others] = leftOut.reduce(leaveOut, args);
  const result = await runCommand(
    {
      ...rest,
      file,
      args: [first, ...added, ...others],
      env: Object.fromEntries(Object.entries(env).filter(([variable]) => !variables.includes(variable))),
      cwd: stage.project,
    },
    { timeoutMs: TIMEOUT_SECONDS * 1000, signal: new AbortController().signal, onSpawn: () => {} },
  );
  if (!result.started) throw new Error(`expected ${file} to start, got ${result.code}`);
  return result;
}

function leaveOut(args: readonly string[], part: readonly string[]): readonly string[] {
  const at = args.findIndex((_, index) => part.every((item, offset) => args[index + offset] === item));
  if (at === -1) throw new Error(`expected ${part.join(" ")} in the arguments, got ${args.join(" ")}`);
  return args.toSpliced(at, part.length);
}
