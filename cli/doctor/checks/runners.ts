import type { Mode } from "../../../inbox-schema/job.ts";
import { ok, problem, type Check } from "../check.ts";

/** A model CLI that may be asked. */
export interface RunnerFacts {
  readonly name: string;
  /** What is run: a name to be looked up, or an absolute path. */
  readonly program: string;
  /** Which jobs it is asked about. */
  readonly modes: readonly Mode[];
  /** Where it is; null: nowhere. */
  readonly path: string | null;
  readonly version: string | null;
  /** Whether it told its version or its help in time; null: it was not asked. */
  readonly answers: boolean | null;
  /** Null: its help does not tell, or was not asked. */
  readonly switches: { readonly missing: readonly string[] } | null;
  /** What it would log in with; null: of this program that cannot be seen. */
  readonly login: { readonly is: "key" | "file" | "nothing"; readonly where: string } | null;
}

export interface RunnersFacts {
  /** The text of `CATSTACK_LLM_JUDGE_RUNNERS`; null: not set. */
  readonly override: string | null;
  /** Modes whose runners the settings name. */
  readonly sets: readonly Mode[];
  /** Why nobody can be chosen. */
  readonly refusals: readonly string[];
  /** What is wrong with codex's own settings; null: nothing. */
  readonly note: string | null;
  readonly runners: readonly RunnerFacts[];
}

const MODES = ["default", "investigate"] as const;
const SEE_RUNNERS = "see to the runners above";
const INSTALL = "install codex or claude";
const programs = ["claude", "codex", "cursor-agent"];

/** Who can be asked. Pure. */
export function checkRunners({ override, sets, refusals, note, runners }: RunnersFacts): Check[] {
  return [
    ...checkOverride(override, sets),
    ...[...new Set(refusals)].map((reason) => problem("fail", "runners", reason, "until then no question is asked")),
    ...(note === null ? [] : [problem("warn", "codex provider", note, "correct the file")]),
    ...runners.map((runner) => checkRunner(runner, runners)),
    ...(refusals.length > 0 ? [] : MODES.map((mode) => checkMode(mode, runners))),
  ];
}

function checkOverride(override: string | null, sets: readonly Mode[]): Check[] {
  const unproven = "what is asked instead of the built-in runners is yours to vouch for";
  if (override !== null) {
    const says = `CATSTACK_LLM_JUDGE_RUNNERS is set here: ${unproven}`;
    return [problem("warn", "runners", says, "unset it, unless you mean it")];
  }
  return sets.length === 0 ? [] : [ok("runners", `your settings name those of ${sets.join(" and ")}: ${unproven}`)];
}

function checkRunner(runner: RunnerFacts, all: readonly RunnerFacts[]): Check {
  return checkPresence(runner, all) ?? checkSwitches(runner) ?? checkLogin(runner);
}

/** Undefined where it is there and answers. */
function checkPresence(
  { name, program, path, answers, modes }: RunnerFacts,
  all: readonly RunnerFacts[],
): Check | undefined {
  const title = `runner ${name}`;
  const isSpare = modes.every((mode) => all.some((other) => isUsable(other) && other.modes.includes(mode)));
  if (path === null) {
    const says = `no ${program} on PATH`;
    return isSpare ? ok(title, `${says}, others are asked`) : problem("warn", title, says, `install ${program}`);
  }
  if (answers !== false) return undefined;
  const says = `${path} tells neither its version nor its help: it hangs, or ends in an error`;
  return problem(isSpare ? "warn" : "fail", title, says, `see: ${program} --version`);
}

/** Undefined where none is missing. */
function checkSwitches(runner: RunnerFacts): Check | undefined {
  const { name, program, switches } = runner;
  if (switches === null || switches.missing.length === 0) return undefined;
  const says = `${describe(runner)} knows no ${switches.missing.join(", ")}: it cannot be asked safely`;
  return problem("fail", `runner ${name}`, says, `update ${program}`);
}

function checkLogin(runner: RunnerFacts): Check {
  const { name, program, switches, login } = runner;
  const [title, what] = [`runner ${name}`, describe(runner)];
  if (login?.is === "nothing") {
    const says = `${what}, no login seen: neither a key in a variable nor ${login.where}`;
    return problem("unknown", title, says, `if it is not logged in, start ${program} once and log in`);
  }
  if (switches === null && programs.includes(name) && name !== "cursor-agent")
    return problem("unknown", title, `${what} does not tell its switches`, `see: ${program} --help`);
  if (login === null && programs.includes(name))
    return problem("unknown", title, `${what}: whether it is logged in cannot be seen`, `start ${program} once`);
  if (login === null) return ok(title, what);
  return ok(title, `${what}, ${login.is === "key" ? `key in ${login.where}` : `login in ${login.where}`}`);
}

function describe({ version, path }: RunnerFacts): string {
  return version === null ? `${path}` : `${version}, ${path}`;
}

function checkMode(mode: Mode, runners: readonly RunnerFacts[]): Check {
  const title = `judge ${mode}`;
  const usable = runners.filter((runner) => isUsable(runner) && runner.modes.includes(mode));
  const asks = `asks ${usable.map(({ name }) => name).join(", then ")}`;
  if (usable.some(({ login }) => login?.is !== "nothing")) return ok(title, asks);
  if (usable.length > 0) return problem("unknown", title, `${asks}, and no login is seen`, SEE_RUNNERS);
  const mend = runners.some(({ path }) => path !== null) ? `${SEE_RUNNERS}, or ${INSTALL}` : INSTALL;
  return problem("fail", title, "nobody can be asked: every such job becomes unchecked", mend);
}

function isUsable({ path, answers, switches }: RunnerFacts): boolean {
  return path !== null && answers !== false && (switches === null || switches.missing.length === 0);
}
