import type { Job } from "../../inbox-schema/job.ts";
import { crashAt } from "../../lib/io/crash-point.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import type { JudgeEvent } from "../events.ts";
import { findAnswer, findAnswerKey, writeAnswer } from "./answers.ts";
import { chooseRunners, type AskEffects } from "./ask.ts";
import type { JobEffects } from "../process-job.ts";
import { openResting } from "./resting.ts";
import type { Runner } from "../runners/runner.ts";
import type { JudgeSettings } from "../settings.ts";
import type { Starts } from "../schedule/starts.ts";
import { findUnasked } from "./unasked.ts";

export interface QuestionEffectOptions {
  readonly paths: StatePaths;
  readonly env: Env;
  readonly starts: Starts;
  readonly getSettings: () => JudgeSettings;
  readonly now: () => Date;
  readonly emit: (event: JudgeEvent) => void;
}

/** What keeps a question from costing anything, or from costing more than it may. */
export interface QuestionEffects extends Pick<JobEffects, "findUnasked" | "reserveStart"> {
  /** What asking about one job reads and writes of it. */
  forJob(job: Job): Pick<AskEffects, "resting" | "onAnswer" | "log">;
}

/** Earlier answers, runners that rest and the starts that the caps count, all in the state directory. */
export function createQuestionEffects(options: QuestionEffectOptions): QuestionEffects {
  const { paths, env, starts, getSettings, now, emit } = options;
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const report = (error: unknown) => emit({ event: "watcher:error", what: paths.resting, message: String(error) });
  const resting = openResting({ paths, env, now, zone, report });
  const told = new Set<string>();
  /** What the settings are to blame for is said once by a watcher, not with every job. */
  const logFor = (id: string) => (message: string, about?: "settings") => {
    if (about !== "settings") return emit({ event: "watcher:note", id, message });
    if (!told.has(message)) emit({ event: "watcher:note", message });
    told.add(message);
  };
  const getKey = ({ prompt, mode = "default" }: Job, runners: readonly Runner[]) =>
    prompt === undefined ? undefined : findAnswerKey(prompt, mode, runners);

  /** An answer that cannot be kept is given all the same. */
  const onAnswer =
    (job: Job): AskEffects["onAnswer"] =>
    ({ runners, runner, answer }) => {
      const key = getKey(job, runners);
      if (key === undefined) return;
      try {
        writeAnswer(paths, key, { runner, answer, at: now().toISOString() });
      } catch (error) {
        logFor(job.id)(`expected to keep the answer under ${paths.answers}, got ${String(error)}; make room there`);
      }
    };

  return {
    findUnasked(job) {
      const selection = chooseRunners(job, { env, runnerSets: getSettings().runners, log: logFor(job.id) });
      const find = (runners: readonly Runner[]) => {
        const key = getKey(job, runners);
        return key === undefined ? undefined : findAnswer(paths, key, now());
      };
      return findUnasked(job, { selection, resting, findAnswer: find });
    },
    reserveStart({ hook }) {
      const { jobsPerHour: perHour, jobsPerDay: perDay, hookShare } = getSettings();
      const reached = starts.reserve(hook, { perHour, perDay, hookShare }, now().getTime());
      crashAt("C6 start counted");
      return reached;
    },
    forJob: (job) => ({ resting, onAnswer: onAnswer(job), log: logFor(job.id) }),
  };
}
