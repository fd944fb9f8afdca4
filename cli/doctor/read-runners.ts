import { basename } from "node:path";
import type { Mode } from "../../inbox-schema/job.ts";
import { getRunnerEnv } from "../../judge/runners/env.ts";
import { findLogin } from "../../judge/runners/login.ts";
import { readCodexProvider } from "../../judge/runners/read-codex-provider.ts";
import type { Runner } from "../../judge/runners/runner.ts";
import { runCommand, type RunResult } from "../../judge/runners/spawn.ts";
import { RUNNERS_VARIABLE, selectRunners, type Selection } from "../../judge/select.ts";
import type { JudgeSettings } from "../../judge/settings.ts";
import type { Env } from "../../lib/io/paths.ts";
import { findProgram } from "../setup/find-program.ts";
import { isRunnable } from "./read-build.ts";
import type { RunnerFacts, RunnersFacts } from "./checks/runners.ts";
import { findMissingSwitches, listSwitches } from "./switches.ts";

const MODES = ["default", "investigate"] as const;
/** `--help` and `--version` ask no model; the largest of the CLIs takes a second and a half on an idle machine. */
const TIMEOUT_MS = 5_000;
/** What hangs need not be asked to end. */
const PATIENCE = { termMs: 0, giveUpMs: 500, exitMs: 500, killMs: 500 };
/** Of these the help is known to list every switch (measured with Claude Code 2.1.197 and Codex 0.171.0). */
const HELPFUL: Readonly<Record<string, readonly string[]>> = { claude: ["--help"], codex: ["exec", "--help"] };

/** Who would be asked here and now, and what can be seen of them without asking a model. `settings` is null where they are broken. */
export async function readRunners(
  env: Env,
  settings: JudgeSettings | null,
  timeoutMs = TIMEOUT_MS,
): Promise<RunnersFacts> {
  const provider = readCodexProvider(env);
  const override = env[RUNNERS_VARIABLE];
  const select = (mode: Mode) => selectRunners({ mode, override, runnerSets: settings?.runners ?? {}, provider });
  const selections = MODES.map((mode) => ({ mode, selection: select(mode) }));
  const programs = new Map<string, { runner: Runner; modes: Mode[] }>();
  for (const { mode, selection } of selections) {
    for (const runner of listRunners(selection)) {
      const key = `${runner.name} ${runner.invoke("", mode).file}`;
      const known = programs.get(key);
      if (known === undefined) programs.set(key, { runner, modes: [mode] });
      else known.modes.push(mode);
    }
  }
  const sets = settings === null ? [] : MODES.filter((mode) => settings.runners[mode] !== undefined);
  return {
    override: override ?? null,
    sets,
    refusals: selections.flatMap(({ selection }) => (selection.ok ? [] : [selection.reason])),
    note: provider.note ?? null,
    runners: await Promise.all(
      [...programs.values()].map(({ runner, modes }) => readRunner(runner, modes, env, timeoutMs)),
    ),
  };
}

function listRunners(selection: Selection): readonly Runner[] {
  return selection.ok ? selection.runners : [];
}

async function readRunner(
  runner: Runner,
  modes: readonly Mode[],
  parent: Env,
  timeoutMs: number,
): Promise<RunnerFacts> {
  const env = getRunnerEnv(parent, { jobId: "doctor", state: "doctor", extra: runner.getVariables(parent) });
  const { file } = runner.invoke("", "default");
  const path = file.startsWith("/") ? (isRunnable(file) ? file : undefined) : findProgram(file, env);
  const seen = { name: runner.name, program: file, modes, path: path ?? null, login: readLogin(runner, file, env) };
  const program = basename(file);
  const help = HELPFUL[program];
  if (path === undefined || help === undefined) return { ...seen, version: null, answers: null, switches: null };
  const run = (args: readonly string[]) => runBriefly({ file: path, args, env }, timeoutMs);
  const [version, text] = await Promise.all([run(["--version"]), run(help)]);
  const needed = [...new Set(modes.flatMap((mode) => listSwitches(runner.invoke("", mode).args)))];
  return {
    ...seen,
    version: version === undefined ? null : (/\d+\.\d+\.\d+/.exec(version)?.[0] ?? null),
    answers: version !== undefined || text !== undefined,
    switches: text === undefined ? null : { missing: findMissingSwitches(needed, text) },
  };
}

/** What it printed on stdout; undefined when it did not end well in time. */
async function runBriefly(
  command: {
    readonly file: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  },
  timeoutMs: number,
): Promise<string | undefined> {
  const options = { timeoutMs, signal: new AbortController().signal, onSpawn: () => {}, patience: PATIENCE };
  const result: RunResult = await runCommand({ ...command, cwd: "/" }, options);
  return result.started && result.exitCode === 0 && result.stopped === undefined ? result.stdout : undefined;
}

/** A key that the runner would be given, else its file. What stands in them is not looked at. */
function readLogin(runner: Runner, file: string, env: Readonly<Record<string, string>>): RunnerFacts["login"] {
  const own = runner.getVariables(env);
  const key = Object.keys(env).find(
    (name) => /(?:KEY|TOKEN)$/.test(name) && env[name] !== "" && own.some((pattern) => isMatch(name, pattern)),
  );
  if (key !== undefined) return { is: "key", where: key };
  const login = findLogin(file, env);
  if (login === undefined) return null;
  return { is: login.stamp === "none" ? "nothing" : "file", where: login.file };
}

function isMatch(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
