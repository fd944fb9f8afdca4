import { Failure } from "../failure.ts";
import { ask, canAsk } from "../ask.ts";
import type { CliIo } from "../io.ts";
import { findSupervisor } from "../service/find-supervisor.ts";
import type { Choice } from "../service/find-supervisor.ts";
import { planInstall } from "../service/plan-install.ts";
import { readService } from "../service/read-service.ts";
import { formatArgv } from "../service/run.ts";
import { findServices, findWatchers } from "./leftovers.ts";
import type { Places } from "./places.ts";
import { runSteps, tell } from "./step.ts";

/** How the watcher is wanted. */
export interface Wish {
  /** Do not ask. */
  readonly yes: boolean;
  readonly noService: boolean;
}

/**
 * Puts the watcher under the best supervisor found, if the person wants it: `--yes`, or a yes on a terminal. Else says how it is started. Throws a Failure where
 * that was wanted and does not work.
 */
export async function offerWatcher({ yes, noService }: Wish, places: Places, call: string, io: CliIo): Promise<void> {
  const how = `start it with: ${call} watch (to keep: ${call} service install)`;
  const [installed] = findServices(places, io.env);
  if (installed !== undefined) return tell("ok", `watcher: runs under ${installed}`, io);
  const [pid] = findWatchers(io.env);
  if (pid !== undefined) return tell("ok", `watcher: runs as process ${pid}, without a supervisor`, io);
  const choice = noService || !(yes || canAsk(io)) ? undefined : findChoice(io);
  if (choice === undefined) return tell("note", `no watcher: questions for a model wait until one runs; ${how}`, io);
  const { form, reason } = choice;
  if (!yes && !(await ask(`Keep the watcher running under ${form.name} (${reason})?`, io)))
    return tell("note", `no watcher: ${how}`, io);
  const { steps, commands } = planInstall(form, readService(io.env, places.command), io.env);
  runSteps(steps, false, io);
  if (commands.length === 0) return tell("ok", `watcher: runs under ${form.name} (${reason})`, io);
  tell("note", `watcher: to start it: ${commands.map(formatArgv).join(" && ")}`, io);
}

/** Undefined where there is no supervisor: the watcher is then started by hand. */
function findChoice({ env }: CliIo): Choice | undefined {
  try {
    return findSupervisor(env, process.platform);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
