import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Job } from "../inbox-schema/job.ts";
import { crashAt } from "../lib/io/crash-point.ts";
import { readProcessIdentity } from "../lib/io/process-identity.ts";
import { makePrivateDir, unlinkQuietly } from "../lib/io/publish-file.ts";
import { getTranscriptKey } from "../lib/io/transcript-key.ts";
import { askRunners } from "./question/ask.ts";
import { addAttempt, countAttempts, refundAttempt, removeAttempts } from "./state/attempts.ts";
import type { Claim } from "./claim.ts";
import { bury, finishDeath, forgetDeath } from "./dead/bury.ts";
import { getStem } from "./inbox/job-name.ts";
import { readJobFile } from "./inbox/job-file.ts";
import { moveOnce } from "../lib/io/move-file.ts";
import { findVerdict, publishVerdict, requeueForDelivery } from "./outbox.ts";
import type { JobEffects } from "./process-job.ts";
import { publishPatiently } from "./publish-patiently.ts";
import { getRunPath, writeRun } from "./state/run-file.ts";
import { getLimits } from "./question/limits.ts";
import type { Shutdown } from "./supervision/shutdown.ts";
import { nameState } from "./runners/mark.ts";
import { describeSurvivors, nameSurvivors } from "./runners/survivors.ts";
import {
  createQuestionEffects,
  type QuestionEffectOptions,
  type QuestionEffects,
} from "./question/question-effects.ts";

export interface JobEffectOptions extends QuestionEffectOptions {
  readonly shutdown: Shutdown;
}

/** What the steps of a job do to the state directory and with the runners. */
export function createJobEffects(options: JobEffectOptions): JobEffects {
  const { paths, now, emit, shutdown } = options;
  const questions = createQuestionEffects(options);
  return {
    crashAt,
    now,
    emit,
    read(claim) {
      const file = readJobFile(claim.path, getStem(claim.name), now().getTime());
      crashAt("C3 read");
      return file;
    },
    findVerdict: (id) => findVerdict(paths, id, now()),
    countAttempts: (id) => countAttempts(paths, id),
    addAttempt: (id) => addAttempt(paths, id),
    refundAttempt: (id) => refundAttempt(paths, id),
    findUnasked: questions.findUnasked,
    reserveStart: questions.reserveStart,
    ask: (job, claim) => ask(job, claim, questions.forJob(job), options),
    isOurs: (claim) => !shutdown.isCompromised() && existsSync(claim.path),
    getTranscriptKey,
    publish(verdict) {
      crashAt("C9 still ours");
      const { id } = verdict;
      return publishPatiently(() => publishVerdict(verdict, paths), { id, signal: shutdown.signal, emit });
    },
    requeueDelivery(id) {
      requeueForDelivery(id, paths);
      crashAt("C4 answered before");
    },
    requeue(claim) {
      unlinkQuietly(getRunPath(claim.dir, claim.id));
      forgetDeath(claim.dir, claim.id);
      makePrivateDir(paths.inbox);
      return moveOnce(claim.path, join(paths.inbox, claim.name));
    },
    bury(claim, cause) {
      unlinkQuietly(getRunPath(claim.dir, claim.id));
      return bury(claim, cause, now(), paths);
    },
    finishDeath: ({ dir, id }) => finishDeath(dir, id, paths),
    drop(claim) {
      removeAttempts(paths, claim.id);
      unlinkQuietly(getRunPath(claim.dir, claim.id));
      unlinkQuietly(claim.path);
    },
  };
}

async function ask(job: Job, claim: Claim, limits: ReturnType<QuestionEffects["forJob"]>, options: JobEffectOptions) {
  const { paths, env, getSettings, now, emit, shutdown } = options;
  const { id, hook, mode = "default" } = job;
  const limitSeconds = getLimits(job, () => undefined).timeoutMs / 1000;
  let untrack = () => {};
  const asked = await askRunners(job, {
    env,
    runnerSets: getSettings().runners,
    signal: shutdown.signal,
    state: nameState(paths),
    owner: basename(claim.dir),
    ...limits,
    onSurvivors: ({ runner, pids }) =>
      emit({ event: "watcher:error", what: nameSurvivors({ id, runner }), message: describeSurvivors(pids) }),
    onSpawn({ runner, pid }) {
      crashAt("C7 spawned");
      untrack();
      untrack = shutdown.track(pid);
      const identity = readProcessIdentity(pid);
      // It has ended already: then there is nothing to find again.
      if (identity === undefined) return;
      writeRun(claim.dir, { ...identity, id, hook, mode, runner, startedAt: now().toISOString(), limitSeconds });
    },
  });
  untrack();
  crashAt("C8 answered");
  return asked;
}
