import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { forms } from "./service/forms.ts";
import { isInstalled, planUninstall } from "./service/plan-uninstall.ts";
import { readService } from "./service/read-service.ts";
import { formatArgv } from "./service/run.ts";
import { attempt } from "./setup/attempt.ts";
import { hasFolder, selectClients } from "./setup/client-folder.ts";
import type { Client } from "./setup/clients.ts";
import { describeLeftovers, findWatchers } from "./setup/leftovers.ts";
import { listBackups, planClientUninstall, planLink } from "./setup/plan-client-removal.ts";
import { getDistDir, getPlaces } from "./setup/places.ts";
import type { Places } from "./setup/places.ts";
import { planPurge } from "./setup/purge.ts";
import { runPlan } from "./setup/run-plan.ts";
import { runSteps, tellDryRun } from "./setup/step.ts";
import { planCleaning } from "./setup/temporary.ts";

/**
 * `catstack uninstall`: takes out what `install` put in, the service too, and nothing else. Jobs, verdicts and settings of ours stay on disk, the first two not
 * with `--purge`. With `--only` just those clients' parts go. 1 when something could not be done: the rest is.
 */
export async function uninstall(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      purge: { type: "boolean", default: false },
    },
  });
  const { only, purge, "dry-run": dryRun } = values;
  if (purge && only !== undefined)
    throw new UsageError("expected --purge or --only, got both: jobs and verdicts are those of every client");
  const places = getPlaces(io.env, getDistDir(import.meta.url));
  const chosen = selectClients(only).filter((client) => hasFolder(client, io.env));
  const call = { places, dryRun, io };
  const results: boolean[] = [];
  for (const client of chosen)
    results.push(await attempt(`uninstall: ${client.title}`, () => removeClient(client, call), io));
  if (only === undefined) {
    results.push(await attempt("uninstall", () => removeCommand(call), io));
    // Before the state: a watcher that runs would make its folder anew.
    results.push(await attempt("uninstall: the service", () => removeService(call), io));
  }
  if (purge) results.push(await attempt("uninstall --purge", () => purgeState(call), io));
  if (dryRun) tellDryRun(io);
  else tellLeftovers(chosen, call);
  return results.every(Boolean) ? 0 : 1;
}

interface Call {
  readonly places: Places;
  readonly dryRun: boolean;
  readonly io: CliIo;
}

function removeClient(client: Client, { places, dryRun, io }: Call): void {
  runPlan(() => planClientUninstall(client, io.env, places.dist), dryRun, io);
}

function removeCommand({ places: { command, commandLink }, dryRun, io }: Call): void {
  const cleaning = planCleaning([dirname(commandLink)]);
  runSteps([...cleaning, planLink({ link: commandLink, target: command })], dryRun, io);
}

function removeService({ places, dryRun, io }: Call): void {
  const service = readService(io.env, places.command);
  const plans = forms.filter((form) => isInstalled(form, service)).map((form) => planUninstall(form, service, io.env));
  runSteps(
    plans.flatMap(({ steps }) => steps),
    dryRun,
    io,
  );
  const commands = plans.flatMap((plan) => plan.commands);
  if (commands.length > 0)
    io.out(`\nto stop what runs:\n${commands.map((argv) => `  ${formatArgv(argv)}`).join("\n")}`);
  const problems = plans.flatMap((plan) => plan.problems);
  if (problems.length > 0) throw new Failure(problems.join("; "));
}

function purgeState({ dryRun, io }: Call): void {
  const [pid] = findWatchers(io.env);
  if (pid !== undefined && !dryRun)
    throw new Failure(`expected no watcher, got one that runs; stop it with: kill ${pid}, and run this again`);
  runSteps(planPurge(io.env), dryRun, io);
}

function tellLeftovers(chosen: readonly Client[], { places, io }: Call): void {
  const backups = chosen.flatMap((client) => {
    try {
      return listBackups(client, io.env);
    } catch (error) {
      // Told above.
      if (error instanceof Failure) return [];
      throw error;
    }
  });
  const lines = describeLeftovers(places, backups, io.env);
  if (lines.length > 0) io.out(`\n${lines.join("\n")}`);
}
