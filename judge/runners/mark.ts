import type { StatePaths } from "../../lib/io/paths.ts";
import { realpathOrSelf, shortHash } from "../../lib/io/transcript-key.ts";

/**
 * By what the processes of a job's runners are known on the whole machine: `CATSTACK_JOB` and `CATSTACK_STATE` in their environment. Ids are unique
 * in one state directory alone.
 */
export interface Mark {
  readonly jobId: string;
  /** See `nameState`. */
  readonly state: string;
}

/** Names a state directory, by whatever links it is reached: 16 hex digits. */
export function nameState({ root }: StatePaths): string {
  return shortHash(realpathOrSelf(root));
}

/** The variables that every process of a runner carries. Pure. */
export function toVariables({ jobId, state }: Mark): {
  readonly CATSTACK_JOB: string;
  readonly CATSTACK_STATE: string;
} {
  return { CATSTACK_JOB: jobId, CATSTACK_STATE: state };
}

/** The mark in an environment; undefined where one of the two is missing. Pure. */
export function findMark(env: Readonly<Record<string, string>>): Mark | undefined {
  const { CATSTACK_JOB: jobId, CATSTACK_STATE: state } = env;
  return jobId === undefined || state === undefined ? undefined : { jobId, state };
}
