import { ID_PATTERN } from "../../inbox-schema/fields.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";

/** Whether a file of the inbox is a job by its name. Files of editors and of copying programs, and whatever else is no job, are left alone. */
export function isJobName(name: string): boolean {
  return name.endsWith(".json") && !name.startsWith(".") && !name.startsWith("~");
}

/** The name in the inbox without `.json`. */
export function getStem(name: string): string {
  return name.slice(0, -".json".length);
}

/** The id under which a file of that name is claimed: the job's own; for a name that is none, 16 hex digits. */
export function getClaimId(name: string): string {
  const stem = getStem(name);
  return ID_PATTERN.test(stem) ? stem : shortHash(name);
}
