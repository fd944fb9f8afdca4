import type { Job } from "../../inbox-schema/job.ts";
import { cutText } from "../../lib/cut-text.ts";

const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 600;
/** Longer than any path that Linux takes. */
const MAX_SHOWN_PATH = 4096;

/** What one runner may use for one job. */
export interface Limits {
  readonly timeoutMs: number;
  /** The folder to run in; undefined: a fresh temporary one. */
  readonly cwd?: string;
  /** Why the job's own folder is not used, for judge.log: `refused cwd "/x": does not exist`. */
  readonly refusal?: string;
  /** Fields of the job that only an investigate job may set. */
  readonly ignored: readonly string[];
}

/**
 * The time and the folder a job gets. Only an investigate job has a say: 600 s at most, and its `cwd` when that is an absolute
 * path to an existing folder, which `findFolderProblem` is asked for (`does not exist`, `is not a folder`).
 */
export function getLimits(
  { mode, timeout_seconds, cwd }: Pick<Job, "mode" | "timeout_seconds" | "cwd">,
  findFolderProblem: (path: string) => string | undefined,
): Limits {
  if (mode !== "investigate") {
    const fields = { timeout_seconds, cwd };
    const ignored = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    return { timeoutMs: DEFAULT_SECONDS * 1000, ignored };
  }
  const timeoutMs = getSeconds(timeout_seconds) * 1000;
  if (cwd === undefined) return { timeoutMs, ignored: [] };
  const problem = findCwdProblem(cwd, findFolderProblem);
  if (problem === undefined) return { timeoutMs, cwd, ignored: [] };
  return { timeoutMs, refusal: `refused cwd ${JSON.stringify(cutText(cwd, MAX_SHOWN_PATH))}: ${problem}`, ignored: [] };
}

function getSeconds(seconds: number | undefined): number {
  return seconds !== undefined && seconds > 0 ? Math.min(seconds, MAX_SECONDS) : DEFAULT_SECONDS;
}

function findCwdProblem(cwd: string, findFolderProblem: (path: string) => string | undefined): string | undefined {
  if (cwd === "") return "is empty";
  return cwd.startsWith("/") ? findFolderProblem(cwd) : "is not an absolute path";
}
