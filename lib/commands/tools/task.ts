import type { Call } from "../shell/call.ts";
import { resolvePath } from "../shell/paths.ts";
import { escapePattern, isCheckName, modeVariable } from "./names.ts";
import { handedOnFlags } from "./package-script.ts";
import type { Lines, Match, Tool, ToolCases } from "./tool.ts";

/** Runners of named targets and tasks. make, just, Task, mise, turbo, nx, composer. */
export const taskTools: readonly Tool[] = [
  {
    id: "task",
    calls: [],
    match: {
      programs:
        "composer deno earthly fastlane gmake hatch inv invoke just lerna mage make melos mise moon nx poe rake rush task turbo".split(
          " ",
        ),
      find: (call) => findTargets(call) ?? findTask(call),
    },
    runsOthers: true,
    operands: "mixed",
    rest: "flags",
    env: modeVariable,
    flags: {
      ...handedOnFlags,
      noise: `${handedOnFlags.noise ?? ""} --output-logs= --log-order= --log-prefix= --output-style=
        --concurrency= --skip-nx-cache`,
    },
    lines: {
      fail: [
        /^g?make(?:\[\d+\])?: \*\*\* .*\bError (?!12[67])[1-9]\d*/,
        /^error: Recipe `[^`]+` failed/,
        /^ ERROR {2}run failed: command exited/,
        /^\s*Failed:\s+\S+#\S+/,
        /^ *NX +Running targets? .* failed$/,
        /^# (?:FAIL|XPASS|ERROR): +[1-9]/,
      ],
      pass: [/^\s*Tasks:\s+([1-9]\d*) successful, \1 total$/, /^ *NX +Successfully ran targets? /, /^# PASS: +[1-9]/],
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

/** Runners name the task that failed: in `mise run tidy && mise run vet` it may be the other one. */
function linesOf(name: string): Lines {
  const task = escapePattern(name.slice(name.indexOf(" ") + 1));
  return {
    fail: [
      new RegExp(String.raw`^\[${task}(?::[\w:-]+)?\] ERROR task failed`),
      new RegExp(String.raw`^g?make(?:\[\d+\])?: \*\*\* \[(?:[^\]]*: )?${task}\] Error (?!12[67])[1-9]`),
      new RegExp(`^error: Recipe \`${task}\` failed`),
    ],
  };
}

const targetPrograms = /^(?:g?make|just|task|rake|invoke|inv|mage|poe|earthly)$/;
const folderFlag = /^(?:-C|--directory|-d|--working-directory|--dir)$/;
const fileFlag = /^(?:-f|--file|--makefile|-t|--taskfile|--justfile)$/;
const inertFlag = /^(?:-n|--dry-run|--list|-l|--help|-p|--summary|--version)$/;

/** `-v` is make's version, and talk of the others. */
function isInert(arg: string, { program }: Call): boolean {
  return inertFlag.test(arg) || (arg === "-v" && program.endsWith("make"));
}

/** `make lint test PY=python3`: all targets together are the name, if one of them checks. */
function findTargets(call: Call): Match | undefined {
  if (!targetPrograms.test(call.program)) return undefined;
  const most = call.program === "just" ? 1 : Infinity;
  const targets: string[] = [];
  const args: string[] = [];
  let { cwd } = call;
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] ?? "";
    if (isInert(arg, call)) return undefined;
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
  deno: /^task$/,
  fastlane: /^$/,
  hatch: /^run$/,
  lerna: /^run$/,
  melos: /^run$/,
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
  const [first, ...args] = run.test(words[0] ?? "") ? withoutFlags(words.slice(1)) : words;
  const name = first ?? call.args.map((arg) => /^(?:-t|--targets?)=(.+)$/.exec(arg)?.[1]).find((each) => each);
  if (name === undefined || !isCheckName(name)) return undefined;
  return { name: `${call.program} ${name}`, args, cwd: call.cwd, project: call.project };
}

function withoutFlags(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  return at < 0 ? [] : args.slice(at);
}

export const taskCases: ToolCases = {
  docs: {
    task: "https://www.gnu.org/software/make/manual/make.html",
  },
  checks: {
    "make test": "make test",
    "make -C sub lint typecheck PY=python3": "make lint typecheck",
    "just check": "just check",
    "mise run lint": "mise lint",
    "mise run test -- -run TestA": "mise test -run TestA",
    "turbo run test --filter=web": "turbo test --filter web",
    "composer test": "composer test",
    "nx test api": "nx test api",
    "nx run-many -t test": "nx test",
    "nx run-many --target=test": "nx test",
    "npx nx affected -t lint": "nx lint",
    "mage -v lint": "mage lint",
    "melos run test": "melos test",
  },
  ignored: [
    "make",
    "make install",
    "make -n test",
    "mise run fmt",
    "mise tasks ls",
    "just --list",
    "turbo run dev",
    "nx run-many -t serve",
    "nx graph",
    "mise install",
    "make clean",
  ],
  same: [
    ["make test", "make -j8 test 2>&1 | tail -20"],
    ["turbo run test", "turbo run test --output-logs=errors-only --concurrency=4"],
    ["nx run-many -t test", "nx run-many -t test --skip-nx-cache --parallel=3"],
    ["make test", "PY=.venv/bin/python make test"],
    ["mise run lint", "git log -1 && mise run tidy && mise run lint"],
    ["cd sub && make test", "make -C sub test"],
  ],
  different: [
    ["make test", "make check"],
    ["make verify", "make lint typecheck"],
    ["mise run test", "mise run test:slow"],
  ],
  outputs: [
    {
      command: "make check | tail",
      text: "ruff check .\nAll checks passed!\npytest\n== 3 passed in 0.10s ==",
      verdict: "pass",
    },
    {
      command: "make check | tail",
      text: "All checks passed!\nmake: *** [Makefile:83: check] Error 1",
      verdict: "fail",
    },
    {
      command: "nx run-many -t test | tail",
      text: " NX   Successfully ran target test for 4 projects (2s)",
      verdict: "pass",
    },
    { command: "nx test api | tail", text: " NX   Running target test for project api failed", verdict: "fail" },
    {
      command: "make check | tail",
      text: "# TOTAL: 3\n# PASS:  2\n# XFAIL: 1\n# FAIL:  0\n# ERROR: 0",
      verdict: "pass",
    },
    {
      command: "turbo run test | tail -3",
      text: " Tasks:    4 successful, 4 total\nCached:    4 cached, 4 total",
      verdict: "pass",
    },
    {
      command: "turbo run test | tail -4",
      text: " Tasks:    3 successful, 4 total\nCached:    3 cached, 4 total\nFailed:    @app/ui#test",
      verdict: "fail",
    },
    { command: "make check | tail", text: "# TOTAL: 3\n# PASS:  2\n# FAIL:  1\n# ERROR: 0", verdict: "fail" },
    { command: "just lint | tail", text: "error: Justfile does not contain recipe `lint`", verdict: "unknown" },
    { command: "just lint | tail", text: "error: No justfile found", verdict: "unknown" },
    { command: "make check", text: "make: *** No rule to make target 'check'.  Stop.", status: 2, verdict: "unknown" },
    { command: "mise run tidy && mise run lint | tail", text: "[tidy] ERROR task failed", verdict: "unknown" },
    {
      command: "mise run lint:css | tail",
      text: "[lint:css] 6 issues:\n[lint:css] ERROR task failed",
      verdict: "fail",
    },
    { command: "mise run lint", text: "mise ERROR no task lint found", status: 1, verdict: "unknown" },
    { command: "just check | tail", text: "error: Recipe `check` failed on line 4 with exit code 1", verdict: "fail" },
  ],
};
