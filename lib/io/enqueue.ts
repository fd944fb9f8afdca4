import { join } from "node:path";
import type { JobInput } from "../../inbox-schema/job.ts";
import type { StatePaths } from "./paths.ts";
import { makePrivateDir, publishOnce } from "./publish-file.ts";

/**
 * Puts a job into the inbox under its own id. Returns false when a job of that id is waiting there already, which is
 * success for a double firing. The job is on disk when this returns. Throws when it cannot be written.
 */
export function enqueueJob(job: JobInput & { readonly id: string }, paths: StatePaths): boolean {
  makePrivateDir(paths.tmp);
  makePrivateDir(paths.inbox);
  return publishOnce(join(paths.inbox, `${job.id}.json`), `${JSON.stringify(job)}\n`, paths.tmp);
}
