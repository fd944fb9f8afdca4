import type { Env } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";
import type { Step } from "../setup/step.ts";
import { formatArgv, runToEnd } from "./run.ts";
import { readFileState, writeServiceFile } from "./service-file.ts";
import type { Argv, Form, Service, ServiceFile } from "./service.ts";

export interface InstallPlan {
  readonly steps: readonly Step[];
  /** What the person is to run. */
  readonly commands: readonly Argv[];
}

/** Looks at every file before anything is written. Throws a Failure where one is not ours, or was changed since we wrote it. */
export function planInstall(form: Form, service: Service, env: Env): InstallPlan {
  const files = form.getFiles(service).map((file) => ({ file, state: readFileState(file) }));
  for (const { file, state } of files) {
    if (state === "foreign") throw refuse(file, "got a file that catstack did not write");
    if (state === "edited") throw refuse(file, "got one of ours that was changed since it was written");
  }
  const steps = files.map(({ file, state }): Step =>
    state === "same"
      ? { word: "ok", text: file.path }
      : { word: "write", text: file.path, run: () => writeServiceFile(file) },
  );
  const isUpdate = files.some(({ state }) => state === "ours");
  const commands = isUpdate ? form.getUpdate(service) : form.getStart(service);
  if (!form.runsItsCommands) return { steps, commands };
  return { steps: [...steps, ...commands.map((_, index) => planRun(commands.slice(index), env))], commands: [] };
}

function refuse({ path }: ServiceFile, got: string): Failure {
  return new Failure(`${path}: expected nothing or what catstack wrote, ${got}; move it away and run this again`);
}

/** The first of the commands that are still to be run. */
function planRun(left: readonly Argv[], env: Env): Step {
  const [command] = left;
  if (command === undefined) throw new Error("expected a command to run, got none");
  return {
    word: "run",
    text: formatArgv(command),
    run() {
      const problem = runToEnd(command, env);
      if (problem === undefined) return;
      const rest = left.map(formatArgv).join(" && ");
      throw new Failure(
        `expected \`${formatArgv(command)}\` to work, got ${problem}; the files are written, go on from here with: ${rest}`,
      );
    },
  };
}
