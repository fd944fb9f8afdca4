import type { FlagTable } from "../flags.ts";
import type { Call } from "../shell/call.ts";
import { readPackageCall } from "../shell/package-managers.ts";
import { resolvePath } from "../shell/paths.ts";
import { isCheckName } from "./names.ts";
import type { Lines, Match, Tool } from "./tool.ts";

/** Flags that scripts commonly hand on to the tool inside. */
const passedOn: FlagTable = {
  "-t": "filter=",
  "--testNamePattern": "-t",
  "-g": "filter=",
  "--grep": "-g",
  "-k": "filter=",
  "-run": "filter=",
  "--filter": "filter=",
  "--testPathPattern": "filter=",
  "--project": "project=",
  "--config": "config=",
  "--reporter": "noise=",
  "--run": "noise",
  "--coverage": "noise",
  "--no-coverage": "noise",
  "--passWithNoTests": "noise",
  "--forceExit": "noise",
  "--runInBand": "noise",
  "--ci": "noise",
  "--bail": "noise",
  "-count": "noise=",
  "--count": "noise=",
  "--if-present": "noise",
  "--parallel": "noise",
  "--fix": "config",
  "--write": "config",
  "--watch": "inert",
  "--watchAll": "inert",
  "--ui": "inert",
  "--list": "inert",
};

const lines: Lines = {
  fail: [
    /^(?:npm (?:ERR!|error) code ELIFECYCLE|npm (?:ERR!|error) Test failed)/,
    /\bELIFECYCLE\b.*Command failed/,
    /^error: script "[^"]+" exited with code (?!12[67])[1-9]/,
    /^error Command failed with exit code [1-9]/,
    /^g?make(?:\[\d+\])?: \*\*\* .*\bError (?!12[67])[1-9]\d*/,
    /^error: Recipe `[^`]+` failed/,
    /^(?:mise )?ERROR task failed/,
    /^ERROR: "[^"]+" exited with [1-9]/,
    /^ ERROR {2}run failed: command exited/,
    /^\s*Failed:\s+\S+#\S+/,
  ],
  pass: [],
  nothing: [
    /^npm (?:ERR!|error) Missing script: /,
    /\bERR_PNPM_(?:NO_SCRIPT|RECURSIVE_RUN_NO_SCRIPT|RECURSIVE_EXEC_FIRST_FAIL|NO_IMPORTER_MANIFEST_FOUND)\b/,
    /^None of the selected packages has a "[^"]+" script/,
    /^No projects (?:matched|found)/,
    /^error: Script not found "/,
    /^error Command "[^"]+" not found\./,
    /^error Couldn't find a package\.json/,
    /\bERR_PNPM_UNSUPPORTED_ENGINE\b/,
    /^- \S+\/node_modules\/npm\/(?:lib|bin)\/[\w-]+\.js$/,
    /^error: script "[^"]+" exited with code 12[67]/,
    /^npm (?:ERR!|error) (?:enoent|code ENOENT)/,
    /^g?make(?:\[\d+\])?: \*\*\* No rule to make target/,
    /^g?make(?:\[\d+\])?: \*\*\* No targets specified/,
    /^error: (?:Justfile does not contain recipe|No justfile found)/,
    /^mise ERROR no task /,
    /^task: Task "[^"]+" does not exist/,
    /^Usage Error: Couldn't find a script named/,
    /^\s*(?:✕|×|x) Could not find task /,
    /^g?make(?:\[\d+\])?: \*\*\* .*\bError 12[67]/,
  ],
};

const makePrograms: ReadonlySet<string> = new Set([
  "make",
  "gmake",
  "just",
  "task",
  "rake",
  "invoke",
  "inv",
  "mage",
  "poe",
  "earthly",
]);

const taskHint =
  /\b(?:g?make|just|task|rake|inv|invoke|mage|poe|earthly|mise|turbo|hatch|nx|composer|lerna|rush|moon|vp|cargo-make)\b/;

/**
 * Runners of named scripts and targets: npm, pnpm, yarn and bun scripts, make, just, Task, rake, mise, turbo, nx, composer,
 * hatch. What they run is not in the command, so every tool's lines may show in their output.
 */
export const runnerTools: readonly Tool[] = [
  {
    id: "package script",
    runsOthers: true,
    calls: [],
    match: { hint: /\b(?:npm|pnpm|yarn|bun)\b/, find: matchPackageScript },
    args: { operands: "mixed", flags: passedOn },
    lines,
  },
  {
    id: "task",
    runsOthers: true,
    calls: [],
    match: { hint: taskHint, find: matchTask },
    args: { operands: "mixed", rest: "flags", flags: passedOn },
    lines,
    linesOf,
  },
];

/** mise names the task that failed: in `mise run fmt && mise run lint` it may be the other one. */
function linesOf(name: string): Lines {
  const task = name.slice(name.indexOf(" ") + 1).replaceAll(/[^\w:-]/g, "");
  return { fail: task === "" ? [] : [new RegExp(`^\\[${task}(?::[\\w:-]+)?\\] ERROR task failed`)], pass: [] };
}

function matchPackageScript(call: Call): Match | undefined {
  const packaged = readPackageCall(call);
  if (packaged?.kind === "script") {
    if (!isCheckName(packaged.name)) return undefined;
    return {
      name: `script ${packaged.name}`,
      args: packaged.args,
      cwd: packaged.call.cwd,
      project: packaged.call.project,
    };
  }
  if (call.program === "bun" && call.args[0] === "build") {
    return { name: "bun build", args: call.args.slice(1), cwd: call.cwd, project: call.project };
  }
  return undefined;
}

function matchTask(call: Call): Match | undefined {
  if (makePrograms.has(call.program)) return matchTargets(call, call.program === "just" ? 1 : Infinity);
  const words = taskWords(call);
  if (words === undefined) return undefined;
  const [name, ...args] = words;
  if (name === undefined || !isCheckName(name)) return undefined;
  return { name: `${call.program} ${name}`, args, cwd: call.cwd, project: call.project };
}

/** The words from the task's name on; undefined for a program that runs no tasks. */
function taskWords(call: Call): readonly string[] | undefined {
  const { args, program } = call;
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  const rest = args.slice(at < 0 ? args.length : at);
  switch (program) {
    case "mise":
      return rest[0] === "run" || rest[0] === "r" ? rest.slice(1) : mayBeTask(rest[0]) ? rest : undefined;
    case "turbo":
    case "hatch":
      return rest[0] === "run" ? rest.slice(1) : rest;
    case "nx":
      return rest[0] === "run" || rest[0] === "run-many" || rest[0] === "affected" ? rest.slice(1) : rest;
    case "composer":
      return rest[0] === "run" || rest[0] === "run-script" ? rest.slice(1) : rest;
    case "lerna":
    case "rush":
    case "wireit":
    case "moon":
    case "vp":
    case "cargo-make":
      return rest[0] === "run" ? rest.slice(1) : rest;
    default:
      return undefined;
  }
}

const miseCommands =
  /^(?:ls|list|tasks?|install|i|use|exec|x|env|doctor|current|which|where|trust|settings|set|self-update|up|upgrade|prune|plugins?|cache|config|activate|fmt|generate|test-tool)$/;

function mayBeTask(word: string | undefined): boolean {
  return word !== undefined && !miseCommands.test(word);
}

/** `make lint test PY=python3`: the targets that check, with all of the targets as the name. */
function matchTargets(call: Call, most: number): Match | undefined {
  const targets: string[] = [];
  const args: string[] = [];
  let { cwd } = call;
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] ?? "";
    if (/^(?:-C|--directory|-d|--working-directory|--dir)$/.test(arg)) cwd = resolvePath(cwd, call.args[++at] ?? "");
    else if (/^(?:-f|--file|--makefile|-t|--taskfile|--justfile)$/.test(arg))
      args.push(`--config=${call.args[++at] ?? ""}`);
    else if (/^(?:-j|-l|-o)$/.test(arg)) at += /^\d+$/.test(call.args[at + 1] ?? "") ? 1 : 0;
    else if (/^(?:-n|--dry-run|--list|-l|--help|-p|--summary|--version|-v)$/.test(arg)) return undefined;
    else if (arg === "--") {
      args.push(...call.args.slice(at + 1));
      break;
    } else if (/^-/.test(arg) || /^\w+[:?+]?=/.test(arg)) continue;
    else if (targets.length < most) targets.push(arg);
    else args.push(arg);
  }
  if (!targets.some(isCheckName)) return undefined;
  return { name: `${call.program} ${targets.join(" ")}`, args, cwd, project: call.project };
}
