import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure, UsageError } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { findSupervisor } from "./service/find-supervisor.ts";
import { forms } from "./service/forms.ts";
import { findLostVariables } from "./service/lost-variables.ts";
import { planInstall } from "./service/plan-install.ts";
import { isInstalled, planUninstall } from "./service/plan-uninstall.ts";
import { readService } from "./service/read-service.ts";
import { formatArgv } from "./service/run.ts";
import type { Argv, Form, Service } from "./service/service.ts";
import { getDistDir } from "./setup/places.ts";
import { runSteps, tellDryRun, type Step } from "./setup/step.ts";

/** What one call works on. */
interface Call {
  /** Undefined: not named. */
  readonly form: Form | undefined;
  readonly service: Service;
  readonly dryRun: boolean;
  readonly io: CliIo;
}

const actions: Readonly<Record<string, (call: Call) => void>> = {
  print: printFiles,
  install: installService,
  uninstall: uninstallService,
};

/** `catstack service print|install|uninstall [FORM] [--dry-run]`: keeps `catstack watch` running under a supervisor. */
export async function service(args: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { "dry-run": { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [name = "nothing", formName, ...others] = positionals;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`expected print, install or uninstall, got ${name}`);
  if (others.length > 0) throw new UsageError(`expected one form, got ${others.length + 1}`);
  const form = formName === undefined ? undefined : getForm(formName);
  const bundle = join(getDistDir(import.meta.url), "catstack.mjs");
  action({ form, service: readService(io.env, bundle), dryRun: values["dry-run"], io });
  return 0;
}

function getForm(name: string): Form {
  const form = forms.find((candidate) => candidate.name === name);
  if (form !== undefined) return form;
  throw new UsageError(`expected one of ${forms.map((each) => each.name).join(", ")}, got ${name}`);
}

/** One file as it is; each of several behind a comment with its path. */
function printFiles({ form, service, io }: Call): void {
  const chosen = form ?? chooseForm(io, (line) => io.err(line));
  const files = chosen.getFiles(service);
  const texts =
    files.length === 1 ? files.map(({ text }) => text) : files.map(({ path, text }) => `# ${path}\n${text}`);
  io.out(texts.join("\n").trimEnd());
}

function installService({ form, service, dryRun, io }: Call): void {
  const chosen = form ?? chooseForm(io, (line) => io.out(line));
  const { steps, commands } = planInstall(chosen, service, io.env);
  runSteps([...steps, ...planNotes(chosen, service, io)], dryRun, io);
  if (dryRun) tellDryRun(io);
  tell("to start it:", commands, io);
  if (!dryRun) io.out(`\n${chosen.remarks.join("\n")}`);
}

/** Without a form, of every form that is installed. */
function uninstallService({ form, service, dryRun, io }: Call): void {
  const chosen = form === undefined ? forms.filter((each) => isInstalled(each, service)) : [form];
  const plans = chosen.map((each) => planUninstall(each, service, io.env));
  const nothing: Step = { word: "ok", text: "no service of ours is installed" };
  runSteps(plans.length === 0 ? [nothing] : plans.flatMap(({ steps }) => steps), dryRun, io);
  if (dryRun) tellDryRun(io);
  tell(
    "to stop what runs:",
    plans.flatMap(({ commands }) => commands),
    io,
  );
  // Before the steps have run there is none.
  const problems = plans.flatMap((plan) => plan.problems);
  if (problems.length > 0) throw new Failure(`the files are removed, but ${problems.join("; ")}`);
}

function chooseForm({ env }: CliIo, say: (line: string) => void): Form {
  const { form, reason } = findSupervisor(env, process.platform);
  say(`${"note".padEnd(7)} ${form.name}: ${reason}`);
  return form;
}

function planNotes(form: Form, service: Service, { env }: CliIo): Step[] {
  const notes: Step[] = forms
    .filter((other) => other !== form && isInstalled(other, service))
    .map(({ name }) => ({ word: "note", text: `${name} is installed as well: catstack service uninstall ${name}` }));
  const lost = findLostVariables(env);
  if (lost.length === 0) return notes;
  const text = `the service will not have these variables of your shell: ${lost.join(", ")}; if your model CLIs need them, set them in ${form.variablesPlace}`;
  return [...notes, { word: "note", text }];
}

function tell(what: string, commands: readonly Argv[], io: CliIo): void {
  if (commands.length > 0) io.out(`\n${what}\n${commands.map((argv) => `  ${formatArgv(argv)}`).join("\n")}`);
}
