/** Set to false by build.mjs: what is shipped has no such point. */
declare const CATSTACK_CRASH_POINTS: boolean | undefined;

/** The places where a process can be told to die, in the order in which the watcher passes them. */
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

/** For tests of recovery: the process kills itself, as a power cut would, when it reaches the step that `CATSTACK_CRASH_AT` names. */
export function crashAt(step: CrashStep): void {
  if (typeof CATSTACK_CRASH_POINTS === "boolean" && !CATSTACK_CRASH_POINTS) return;
  if (process.env["CATSTACK_CRASH_AT"] === step) process.kill(process.pid, "SIGKILL");
}
