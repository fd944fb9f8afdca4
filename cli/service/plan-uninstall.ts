import { unlinkSync } from "node:fs";
import type { Env } from "../../lib/io/paths.ts";
import type { Step } from "../setup/step.ts";
import { formatArgv, runToEnd } from "./run.ts";
import { readFileState, type FileState } from "./service-file.ts";
import type { Argv, Form, Service } from "./service.ts";

export interface UninstallPlan {
  readonly steps: readonly Step[];
  /** What the person is to run: for a supervisor that we do not ask ourselves, or where all files stay. */
  readonly commands: readonly Argv[];
  /** What did not work, once the steps have run; the files are removed all the same. */
  readonly problems: readonly string[];
}

/** Whether a file of this form is there that we wrote, changed since or not. */
export function isInstalled(form: Form, service: Service): boolean {
  return form.getFiles(service).some((file) => !["absent", "foreign"].includes(readFileState(file)));
}

/** Stops what runs, then removes what `install` wrote and nobody changed. */
export function planUninstall(form: Form, service: Service, env: Env): UninstallPlan {
  const files = form.getFiles(service).map(({ path, text }) => ({ path, state: readFileState({ path, text }) }));
  const removals = files.map(({ path, state }) => planRemoval(path, state));
  const commands = form.getStop(service);
  if (!files.some(({ state }) => isRemovable(state))) {
    const isKept = files.some(({ state }) => state === "edited");
    return { steps: removals, commands: isKept ? commands : [], problems: [] };
  }
  if (!form.runsItsCommands) return { steps: removals, commands, problems: [] };
  const problems: string[] = [];
  const stops = commands.map((command): Step => {
    const text = formatArgv(command);
    const run = () => {
      const problem = runToEnd(command, env);
      if (problem !== undefined) problems.push(`expected \`${text}\` to work, got ${problem}`);
    };
    return { word: "run", text, run };
  });
  return { steps: [...stops, ...removals], commands: [], problems };
}

function planRemoval(path: string, state: FileState): Step {
  if (state === "absent") return { word: "ok", text: `${path} does not exist` };
  if (state === "foreign") return { word: "skip", text: `${path} is not ours` };
  if (state === "edited")
    return { word: "keep", text: `${path}: it was changed since it was written; remove it yourself` };
  return { word: "remove", text: path, run: () => unlinkSync(path) };
}

function isRemovable(state: FileState): boolean {
  return state === "ours" || state === "same";
}
