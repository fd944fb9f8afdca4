import { cutReason } from "../../inbox-schema/describe.ts";
import type { Job, Mode } from "../../inbox-schema/job.ts";
import type { RunnerEntry } from "../../inbox-schema/settings.ts";
import { MAX_REASON, type Attempt, type Outcome } from "../../inbox-schema/verdict.ts";
import { errorCode } from "../../lib/io/error-code.ts";
import type { Env } from "../../lib/io/paths.ts";
import { cutText } from "../../lib/cut-text.ts";
import { redactRecord } from "../../lib/redact/redact-secrets.ts";
import { decideOutcome, type Decision } from "../outcome.ts";
import { getRunnerEnv } from "../runners/env.ts";
import { describeFailure, type FailureKind } from "../runners/failure.ts";
import { toRunnerPrompt } from "../runners/prompt.ts";
import { readCodexProvider } from "../runners/read-codex-provider.ts";
import { parseRunResult, type Reading } from "../runners/parse-run-result.ts";
import type { Answer, Runner } from "../runners/runner.ts";
import { runCommand, type Patience } from "../runners/spawn.ts";
import { makeTempFolder, removeTempFolder } from "../runners/temp-folder.ts";
import { findFolderProblem } from "./folder-problem.ts";
import { getLimits, type Limits } from "./limits.ts";
import { RUNNERS_VARIABLE, selectRunners, type Selection } from "../select.ts";
import { isRestCause } from "./rest.ts";
import { toRestingAttempt, type RestingRunners } from "./resting.ts";
import type { Rest } from "../state/rests-file.ts";

/** What asking takes from the world, and whom it tells. */
export interface AskEffects {
  /** The watcher's own environment: runners get the allowed part of it. */
  readonly env: Env;
  /** Names the state directory, in the environment of every runner. */
  readonly state: string;
  /** The settings' runner sets. */
  readonly runnerSets: Readonly<Partial<Record<Mode, readonly RunnerEntry[]>>>;
  /** The watcher is stopping: the running CLI is ended and no other is asked. */
  readonly signal: AbortSignal;
  /** Called at once when a CLI runs; it leads a process group of that number. What it throws ends the CLI and rejects. */
  readonly onSpawn: (started: { readonly runner: string; readonly pid: number }) => void;
  /** Called when a CLI is over and processes of it could not be ended. */
  readonly onSurvivors: (survived: { readonly runner: string; readonly pids: readonly number[] }) => void;
  /** One line for judge.log; one about the settings, which are those of every job, need be told once. */
  readonly log: (line: string, about?: "settings") => void;
  readonly resting: RestingRunners;
  /** A model gave a usable answer, which is redacted: it is kept. `runners` are all who might have been asked. */
  readonly onAnswer: (answered: {
    readonly runners: readonly Runner[];
    readonly runner: string;
    readonly answer: Answer;
  }) => void;
  readonly patience?: Patience;
  /** Who asks: part of the name of temporary folders, so that they are found after a crash. */
  readonly owner?: string;
}

/** What became of a question: the part of a verdict that is found out here. */
export interface AskResult {
  readonly outcome: Outcome;
  readonly reason: string;
  /** Who answered: a runner's name, `evidence`, or null when nobody did. */
  readonly runner: string | null;
  readonly answer: Answer | null;
  readonly report?: string;
  /** Every runner tried, in order. */
  readonly attempts: readonly Attempt[];
  /** The signal cut it short: nothing is decided and nothing should be published. */
  readonly aborted: boolean;
}

/**
 * Asks the runners of a job's mode one after another; the first usable answer decides, and without one the job is `unchecked`.
 * A job that brings its own answer asks nobody. Every failure of a runner is a value; rejects only with what `onSpawn` threw.
 */
export async function askRunners(job: Job & { readonly id: string }, effects: AskEffects): Promise<AskResult> {
  if (job.answer !== undefined) return judgeEvidence(job, job.answer);
  const { log, signal } = effects;
  const selection = chooseRunners(job, effects);
  if (!selection.ok) return leaveUnchecked(selection.reason, []);
  const limits = getLimits(job, findFolderProblem);
  if (limits.ignored.length > 0) log(`job ${job.id}: ignored ${limits.ignored.join(", ")}: for investigate jobs only`);
  const attempts: Attempt[] = [];
  const causes: Cause[] = [];
  for (const runner of selection.runners) {
    if (signal.aborted) break;
    const { attempt, cause, answered } = await tryRunner(runner, { job, prompt: job.prompt, limits, effects });
    attempts.push(attempt);
    causes.push(cause);
    if (answered === undefined) continue;
    effects.onAnswer({ runners: selection.runners, runner: runner.name, answer: redactRecord(answered.answer) });
    return { ...answered, runner: runner.name, attempts, aborted: false };
  }
  return { ...leaveUnchecked(describeAttempts(attempts, causes), attempts), aborted: signal.aborted };
}

/** Everyone who may be asked about a job, in order. */
export function chooseRunners(
  { mode = "default" }: Pick<Job, "mode">,
  { env, runnerSets, log }: Pick<AskEffects, "env" | "runnerSets" | "log">,
): Selection {
  const provider = readCodexProvider(env);
  if (provider.note !== undefined) log(provider.note, "settings");
  return selectRunners({ mode, override: env[RUNNERS_VARIABLE], runnerSets, provider });
}

interface Question {
  readonly job: Job & { readonly id: string };
  readonly prompt: string;
  readonly limits: Limits;
  readonly effects: AskEffects;
}

type Answered = Pick<AskResult, "outcome" | "reason" | "report"> & { readonly answer: Answer };

/** Why it did not answer; absent: it did, or not as it was asked. */
type Cause = FailureKind | undefined;

interface Tried {
  readonly attempt: Attempt;
  readonly cause?: Cause;
  readonly answered?: Answered;
}

async function tryRunner(runner: Runner, question: Question): Promise<Tried> {
  const { job, limits, effects } = question;
  const mode = job.mode ?? "default";
  const rest = effects.resting.find(runner, mode);
  if (rest !== undefined) return { attempt: toRestingAttempt(rest), cause: rest.cause };
  if (limits.refusal !== undefined) effects.log(`runner ${runner.name}: ${limits.refusal}`);
  const startedAt = performance.now();
  const reading = await readRunner(runner, question);
  const duration_ms = Math.round(performance.now() - startedAt);
  if (!reading.ok) {
    noteRest(effects.resting.failed(runner, mode, reading.failure), effects);
    return { attempt: toFailedAttempt(describeFailure(reading.failure)), cause: reading.failure.kind };
  }
  effects.resting.answered(runner, mode);
  const { answer } = reading;
  const decision = decideOutcome(job, answer);
  if (!decision.accepted) return { attempt: toFailedAttempt(describeFailure(decision.failure)) };
  const attempt = { runner: runner.name, ok: true, reason: "answered", duration_ms };
  return { attempt, answered: toAnswered(decision, answer) };

  function toFailedAttempt(reason: string): Attempt {
    return { runner: runner.name, ok: false, reason, duration_ms };
  }
}

function noteRest(rest: Rest | undefined, { log }: AskEffects): void {
  if (rest !== undefined) log(`runner ${rest.runner} rests until ${rest.until}: ${rest.reason}`);
}

/** Runs it in the job's folder, or in a temporary one that lives as long as the run. */
async function readRunner(runner: Runner, question: Question): Promise<Reading> {
  const { limits, effects } = question;
  if (limits.cwd !== undefined) return runIn(limits.cwd, runner, question);
  let folder: string;
  try {
    folder = await makeTempFolder(effects.env, effects.owner);
  } catch (error) {
    const detail = `no temporary folder (${errorCode(error) ?? String(error)})`;
    return { ok: false, failure: { kind: "not-started", detail } };
  }
  try {
    return await runIn(folder, runner, question);
  } finally {
    const problem = await removeTempFolder(folder);
    if (problem !== undefined) effects.log(`runner ${runner.name}: ${problem}`);
  }
}

async function runIn(cwd: string, runner: Runner, { job, prompt, limits, effects }: Question): Promise<Reading> {
  const { env: parent, signal, patience } = effects;
  const invocation = runner.invoke(toRunnerPrompt(prompt), job.mode ?? "default");
  const env = getRunnerEnv(parent, { jobId: job.id, state: effects.state, extra: runner.getVariables(parent) });
  const result = await runCommand(
    { ...invocation, env, cwd },
    {
      timeoutMs: limits.timeoutMs,
      signal,
      onSpawn: (pid) => effects.onSpawn({ runner: runner.name, pid }),
      ...(patience && { patience }),
    },
  );
  if (result.started && result.survivors.length > 0) {
    effects.onSurvivors({ runner: runner.name, pids: result.survivors });
  }
  return parseRunResult(result, limits.timeoutMs);
}

function judgeEvidence(job: Job, answer: Answer): AskResult {
  const decision = decideOutcome(job, answer);
  if (!decision.accepted) return leaveUnchecked(cutReason(`evidence: ${describeFailure(decision.failure)}`), []);
  return { ...toAnswered(decision, answer), runner: "evidence", attempts: [], aborted: false };
}

function toAnswered({ outcome, reason, report }: Decision & { accepted: true }, answer: Answer): Answered {
  return { outcome, reason, answer, ...(report !== undefined && { report }) };
}

/** Nobody answered. */
export function leaveUnchecked(reason: string, attempts: readonly Attempt[]): AskResult {
  return { outcome: "unchecked", reason, runner: null, answer: null, attempts, aborted: false };
}

/** Every runner's reason; each is cut alike, so that a long one hides none of the others. Then what to do, where all will fail again. */
export function describeAttempts(attempts: readonly Attempt[], causes: readonly Cause[]): string {
  const start = "no runner answered: ";
  const advice = getAdvice(
    attempts.map(({ runner }) => runner),
    causes,
  );
  const room = Math.floor((MAX_REASON - start.length - advice.length) / Math.max(attempts.length, 1)) - "; ".length;
  return start + attempts.map(({ runner, reason }) => cutText(`${runner}: ${reason}`, room)).join("; ") + advice;
}

const MAX_ADVICE = 100;

/** Nothing where the next question may be answered. */
function getAdvice(runners: readonly string[], causes: readonly Cause[]): string {
  if (causes.length === 0 || !causes.every((cause) => cause !== undefined && isRestCause(cause))) return "";
  const see = "see: catstack doctor";
  const isAbsent = causes.every((cause) => cause === "not-installed" || cause === "not-logged-in");
  const names = [runners.slice(0, -1).join(", "), runners.at(-1)].filter((part) => part !== "").join(" or ");
  const full = `; install and log in to ${names}; ${see}`;
  return isAbsent && full.length <= MAX_ADVICE ? full : `; ${see}`;
}
