import { v7 } from "uuid";
import type { Once } from "../../hook.ts";
import { shortHash } from "../transcript-key.ts";

/** What makes two firings one: the same hook and rule, on the same thing, in the same transcript. */
export interface JobOrigin {
  readonly hook: string;
  readonly ruleId: string;
  readonly transcriptKey: string;
  readonly once: Once | undefined;
}

/** An id takes 64 characters: the hook's name, a dash and 16 hex digits. */
const MAX_HOOK = 40;

/**
 * The id of a job. With a once key it follows from the origin and the time window, so that a second firing meets the first one's file; without
 * one it is a UUIDv7.
 */
export function createJobId({ hook, ruleId, transcriptKey, once }: JobOrigin, now: Date): string {
  if (once === undefined) return v7();
  const window = once.ttlSeconds === undefined ? 0 : Math.floor(now.getTime() / (once.ttlSeconds * 1000));
  return `${hook.slice(0, MAX_HOOK)}-${shortHash(JSON.stringify([hook, ruleId, transcriptKey, once.key, window]))}`;
}
