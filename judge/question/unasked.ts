import { cutReason } from "../../inbox-schema/describe.ts";
import type { Job } from "../../inbox-schema/job.ts";
import type { Attempt } from "../../inbox-schema/verdict.ts";
import { leaveUnchecked, describeAttempts, type AskResult } from "./ask.ts";
import type { EarlierAnswer } from "./answers.ts";
import { decideOutcome } from "../outcome.ts";
import type { RestCause } from "./rest.ts";
import { toRestingAttempt, type RestingRunners } from "./resting.ts";
import type { Runner } from "../runners/runner.ts";
import type { Selection } from "../select.ts";

export interface UnaskedInput {
  readonly selection: Selection;
  readonly resting: RestingRunners;
  /** What a model said when it was asked the same. */
  readonly findAnswer: (runners: readonly Runner[]) => EarlierAnswer | undefined;
}

/**
 * What is to be said of a question that nobody need be asked, or nobody can be: a model answered it a short while ago, every runner rests,
 * or the settings name none. Undefined: it is to be asked.
 */
export function findUnasked(job: Job, { selection, resting, findAnswer }: UnaskedInput): AskResult | undefined {
  if (!selection.ok) return leaveUnchecked(selection.reason, []);
  const earlier = findAnswer(selection.runners);
  const known = earlier === undefined ? undefined : judgeEarlier(job, earlier);
  if (known !== undefined) return known;
  const attempts: Attempt[] = [];
  const causes: RestCause[] = [];
  for (const runner of selection.runners) {
    const rest = resting.find(runner, job.mode ?? "default");
    if (rest === undefined) return undefined;
    attempts.push(toRestingAttempt(rest));
    causes.push(rest.cause);
  }
  return leaveUnchecked(describeAttempts(attempts, causes), attempts);
}

/** By the job's own keys and texts: what was enough for another job may say too little for this one. */
function judgeEarlier(job: Job, { runner, answer, at }: EarlierAnswer): AskResult | undefined {
  const decision = decideOutcome(job, answer);
  if (!decision.accepted) return undefined;
  const { outcome, reason, report } = decision;
  const said = { runner, ok: true, reason: cutReason(`answered from an earlier answer of ${at}`), duration_ms: 0 };
  return {
    outcome,
    reason,
    ...(report !== undefined && { report }),
    runner,
    answer,
    attempts: [said],
    aborted: false,
  };
}
