import type { Call } from "../shell/call.ts";
import { resolvePath } from "../shell/paths.ts";
import { isCheckName } from "./names.ts";
import { handedOnFlags } from "./package-script.ts";
import type { Lines, Match, Tool } from "./tool.ts";

/**
 * Runners of named targets and tasks. make: https://www.gnu.org/software/make/manual/make.html; just: https://just.systems/man/;
 * Task: https://taskfile.dev/docs/reference/cli; mise: https://mise.jdx.dev/tasks/; turbo: https://turborepo.com/docs/reference/run;
 * nx: https://nx.dev/nx-api/nx/documents/run-many; composer: https://getcomposer.org/doc/articles/scripts.md
 */
export const taskTools: readonly Tool[] = [
  {
    id: "task",
    calls: [],
    match: {
      hint: /\b(?:g?make|just|task|rake|inv|invoke|mage|poe|earthly|mise|turbo|hatch|nx|composer|lerna|rush|moon)\b/,
      find: (call) => findTargets(call) ?? findTask(call),
    },
    runsOthers: true,
    operands: "mixed",
    rest: "flags",
    flags: handedOnFlags,
    lines: {
      fail: [
        /^g?make(?:\[\d+\])?: \*\*\* .*\bError (?!12[67])[1-9]\d*/,
        /^error: Recipe `[^`]+` failed/,
        /^(?:mise )?ERROR task failed/,
        /^ ERROR {2}run failed: command exited/,
        /^\s*Failed:\s+\S+#\S+/,
      ],
      pass: [],
      nothing: [
        /^g?make(?:\[\d+\])?: \*\*\* (?:No rule to make target|No targets specified)/,
        /^g?make(?:\[\d+\])?: \*\*\* .*\bError 12[67]/,
        /^error: (?:Justfile does not contain recipe|No justfile found)/,
        /^mise ERROR no task /,
        /^task: Task "[^"]+" does not exist/,
        /^\s*(?:✕|×|x) Could not find task /,
      ],
    },
    linesOf,
  },
];

/** mise names the task that failed: in `mise run fmt && mise run lint` it may be the other one. */
function linesOf(name: string): Lines {
  const task = /^mise ([\w:-]+)$/.exec(name)?.[1];
  return { fail: task === undefined ? [] : [new RegExp(`^\\[${task}(?::[\\w:-]+)?\\] ERROR task failed`)], pass: [] };
}

const targetPrograms = /^(?:g?make|just|task|rake|invoke|inv|mage|poe|earthly)$/;
const folderFlag = /^(?:-C|--directory|-d|--working-directory|--dir)$/;
const fileFlag = /^(?:-f|--file|--makefile|-t|--taskfile|--justfile)$/;
const inertFlag = /^(?:-n|--dry-run|--list|-l|--help|-p|--summary|--version|-v)$/;

/** `make lint test PY=python3`: all targets together are the name, if one of them checks. */
function findTargets(call: Call): Match | undefined {
  if (!targetPrograms.test(call.program)) return undefined;
  const most = call.program === "just" ? 1 : Infinity;
  const targets: string[] = [];
  const args: string[] = [];
  let { cwd } = call;
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] ?? "";
    if (inertFlag.test(arg)) return undefined;
    if (folderFlag.test(arg)) cwd = resolvePath(cwd, call.args[++at] ?? "");
    else if (fileFlag.test(arg)) args.push(`--config=${call.args[++at] ?? ""}`);
    else if (arg === "--") return targetsMatch(call, targets, [...args, ...call.args.slice(at + 1)], cwd);
    else if (/^-[jo]$/.test(arg)) at += /^\d+$/.test(call.args[at + 1] ?? "") ? 1 : 0;
    else if (!/^-|^\w+[:?+]?=/.test(arg)) (targets.length < most ? targets : args).push(arg);
  }
  return targetsMatch(call, targets, args, cwd);
}

function targetsMatch(call: Call, targets: readonly string[], args: readonly string[], cwd: string): Match | undefined {
  if (!targets.some(isCheckName)) return undefined;
  return { name: `${call.program} ${targets.join(" ")}`, args, cwd, project: call.project };
}

/** Programs that run a task by name, and the sub-commands that may stand before it. */
const taskPrograms: Readonly<Record<string, RegExp>> = {
  composer: /^run(?:-script)?$/,
  hatch: /^run$/,
  lerna: /^run$/,
  mise: /^r(?:un)?$/,
  moon: /^run$/,
  nx: /^(?:run|run-many|affected)$/,
  rush: /^$/,
  turbo: /^run$/,
};

function findTask(call: Call): Match | undefined {
  const run = Object.hasOwn(taskPrograms, call.program) ? taskPrograms[call.program] : undefined;
  if (run === undefined) return undefined;
  const words = withoutFlags(call.args);
  const [name, ...args] = run.test(words[0] ?? "") ? withoutFlags(words.slice(1)) : words;
  if (name === undefined || !isCheckName(name)) return undefined;
  return { name: `${call.program} ${name}`, args, cwd: call.cwd, project: call.project };
}

function withoutFlags(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return at < 0 ? [] : args.slice(at);
}
