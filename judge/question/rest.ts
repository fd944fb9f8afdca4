import type { FailureKind } from "../runners/failure.ts";

/** A failure that the next call would meet again. */
export type RestCause = Extract<FailureKind, "not-installed" | "not-logged-in" | "quota" | "missing-switch">;

const MINUTE_MS = 60_000;

/**
 * How long a runner is left alone, in ms. A try that fails costs a second or three and no money; what a rest that is too long costs are
 * answers. Another program of that name, or another version of it, is asked at once.
 */
const restMs: Readonly<Record<RestCause, number>> = {
  // Ends at once when the program is there; this is for one that cannot be found by looking, such as a script without its interpreter.
  "not-installed": 10 * MINUTE_MS,
  // A person may log in at any moment.
  "not-logged-in": 10 * MINUTE_MS,
  // Where no time is told: the shortest limits are of five hours, and credits may be bought.
  quota: 30 * MINUTE_MS,
  // Only another version of the program helps.
  "missing-switch": 6 * 60 * MINUTE_MS,
};

/** Until when a runner that failed so rests, in ms since 1970. `resetAt` is when its quota is said to be reset. Pure. */
export function getRestEnd(cause: RestCause, now: number, resetAt: number | undefined): number {
  return cause === "quota" && resetAt !== undefined ? resetAt : now + restMs[cause];
}

/** Another account has a quota of its own. Any other rest is not disturbed when a CLI renews its login. */
export function mayEndByLogin(cause: RestCause): boolean {
  return cause === "not-logged-in" || cause === "quota";
}

export function isRestCause(kind: string): kind is RestCause {
  return Object.hasOwn(restMs, kind);
}
