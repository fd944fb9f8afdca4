import type { Job } from "../../inbox-schema/job.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When nobody need ask any more, in ms since 1970: `expires_at`, else 24 hours after `created_at`, else after the file
 * came into the inbox (`droppedAt`).
 */
export function getExpiry({ expires_at, created_at }: Times, droppedAt: number): number {
  if (expires_at !== undefined) return Date.parse(expires_at);
  return (created_at === undefined ? droppedAt : Date.parse(created_at)) + DAY_MS;
}

/** Until when the same job, dropped once more, would be asked if there were no verdict; -Infinity for one without a time of its own. */
export function getVerdictExpiry(verdict: Pick<Verdict, keyof Times>): number {
  return getExpiry(verdict, -Infinity);
}

type Times = Pick<Job, "expires_at" | "created_at">;
