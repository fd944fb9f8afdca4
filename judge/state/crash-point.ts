import type { Env } from "../../lib/io/paths.ts";

/** The places where a watcher can be told to die, in the order it passes them. */
export const crashSteps = [
  "claimed",
  "locked",
  "read",
  "attempt-counted",
  "spawned",
  "run-recorded",
  "answered",
  "verdict-written",
  "verdict-committed",
  "verdict-queued",
  "traces-removed",
  "claim-removed",
  "death-recorded",
  "death-judged",
  "death-moved",
  "requeue-linked",
  "reclaim-taken",
  "reclaim-killed",
  "reclaim-emptied",
  "reclaim-removed",
] as const;

export type CrashStep = (typeof crashSteps)[number];
export type CrashPoint = (step: CrashStep) => void;

/** For tests of recovery: the process kills itself, as a power cut would, when it reaches the step `CATSTACK_CRASH_AT` names. */
export function createCrashPoint(env: Env): CrashPoint {
  const wanted = env["CATSTACK_CRASH_AT"];
  return (step) => {
    if (step === wanted) process.kill(process.pid, "SIGKILL");
  };
}
