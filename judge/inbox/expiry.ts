import type { Job } from "../../inbox-schema/job.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When nobody need ask any more, in ms since 1970: `expires_at`, else 24 hours after `created_at`, else after the file
 * came into the inbox (`droppedAt`).
 */
export function getExpiry(job: Job, droppedAt: number): number {
  if (job.expires_at !== undefined) return Date.parse(job.expires_at);
  return (job.created_at === undefined ? droppedAt : Date.parse(job.created_at)) + DAY_MS;
}
