import { join } from "node:path";
import { toEnvelope } from "../../inbox-schema/envelope.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { probeLiveness, readProcessIdentity, type ProcessIdentity } from "../../lib/io/process-identity.ts";
import { shortHash } from "../../lib/io/transcript-key.ts";
import type { DeathCause } from "../dead/bury.ts";
import type { Complaints } from "../health/complaints.ts";
import { readJobFile } from "../inbox/job-file.ts";
import { trackDescendants } from "../runners/descendants.ts";
import { endLeftovers } from "../runners/leftovers.ts";
import { nameState, type Mark } from "../runners/mark.ts";
import { countAttempts } from "../state/attempts.ts";
import { readRun, type Run } from "../state/run-file.ts";
import { describeSurvivors, nameSurvivors } from "../runners/survivors.ts";

/**
 * What may be done with the job of a dead watcher once its runner was to end: given back; kept where it is, as the runner goes on and
 * no second one is to run beside it; or given up, as that has been so for too long.
 */
export type RunnerEnd = "ended" | "survived" | "survived-for-long";

export interface EndRunnersOptions {
  readonly paths: StatePaths;
  readonly complaints: Complaints;
  /** In ms, of a clock that nobody can set. */
  readonly monotonic: () => number;
}

const KILL_WAIT_MS = 1000;
/** No runner of a living watcher is given more time than this. */
const MAX_SURVIVAL_MS = 600_000;

/** Ends what dead watchers left running. */
export interface RunnerEnder {
  /**
   * Ends what runs for the job `id`, whose claim lies in `dir`. It may be called again as long as something survives: that is told once. A
   * runner in another container cannot be seen; it is taken for ended, as its watcher is.
   */
  end(dir: string, id: string): Promise<RunnerEnd>;
  /** Says so when runners whose jobs were given up have ended at last. Ends none: the job may have been dropped again, and run. */
  lookAgain(): void;
}

export function createRunnerEnder({ paths, complaints, monotonic }: EndRunnersOptions): RunnerEnder {
  const since = new Map<string, number>();
  /** By what they are called among the errors. */
  const givenUp = new Map<string, readonly ProcessIdentity[]>();

  async function end(dir: string, id: string): Promise<RunnerEnd> {
    const run = readRun(dir, id);
    // Nothing runs for a job before its attempt is counted.
    const pids =
      run === undefined && countAttempts(paths, id) === 0
        ? []
        : await endRunners({ jobId: id, state: nameState(paths) }, run);
    const what = nameSurvivors({ id, runner: run?.runner });
    if (pids.length === 0) {
      since.delete(id);
      complaints.worked(what);
      return "ended";
    }
    complaints.failed(what, describeSurvivors(pids));
    const first = since.get(id) ?? monotonic();
    since.set(id, first);
    if (monotonic() - first < MAX_SURVIVAL_MS) return "survived";
    since.delete(id);
    givenUp.set(
      what,
      pids.flatMap((pid) => readProcessIdentity(pid) ?? []),
    );
    return "survived-for-long";
  }

  function lookAgain(): void {
    for (const [what, processes] of givenUp) {
      if (processes.some((identity) => probeLiveness(identity) === "alive")) continue;
      givenUp.delete(what);
      complaints.worked(what);
    }
  }

  return { end, lookAgain };
}

/** Why a job dies whose old runner does not. */
export function getSurvivalCause(dir: string, id: string, now: Date): DeathCause {
  const file = readJobFile(join(dir, `${id}.json`), id, now.getTime());
  const envelope = file.is === "job" ? toEnvelope(file.job, id) : file.is === "bad" ? file.envelope : {};
  return {
    code: "runner_survives",
    reason: `expected its old runner to end, got one that could not be ended in ${MAX_SURVIVAL_MS / 60_000} minutes; judge.log names the processes: end them and drop the job again`,
    envelope,
    ...("text" in file && file.text !== undefined && { jobHash: shortHash(file.text) }),
  };
}

/** The number of a group may have been given to another since: only where its leader still runs is it known to be the one. */
async function endRunners(mark: Mark, run: Run | undefined): Promise<readonly number[]> {
  if (run === undefined) return endLeftovers({ mark }, KILL_WAIT_MS);
  const { pid, startTime: since } = run;
  if (probeLiveness(run) !== "alive") return endLeftovers({ mark, since }, KILL_WAIT_MS);
  const descendants = trackDescendants(pid);
  descendants.look();
  return endLeftovers({ group: pid, descendants, mark, since }, KILL_WAIT_MS);
}
