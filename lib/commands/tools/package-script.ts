import type { FlagTable } from "../flag-table.ts";
import type { Call } from "../shell/call.ts";
import { parsePackageCall } from "../shell/package-managers.ts";
import { escapePattern, isCheckName, modeVariable } from "./names.ts";
import type { Lines, Match, Tool, ToolCases } from "./tool.ts";

/** Flags that people hand on to the tool inside a script. */
export const handedOnFlags: FlagTable = {
  filter: "-t|--testNamePattern= -g|--grep= -k= -run= --filter= --testPathPattern=",
  config: "--config= --fix --write",
  project: "--project=",
  noise: `--reporter= --run --coverage --no-coverage --passWithNoTests --forceExit --runInBand --ci --bail -count= --count=
    --if-present --parallel`,
  inert: "--watch --watchAll --ui --list",
};

/** Scripts of a package.json, by name. npm, pnpm, yarn, bun. */
export const packageScriptTools: readonly Tool[] = [
  {
    id: "package script",
    calls: [],
    match: { programs: ["bun", "npm", "pnpm", "yarn"], find: findScript },
    runsOthers: true,
    operands: "mixed",
    env: modeVariable,
    flags: handedOnFlags,
    lines: {
      fail: [
        /^npm (?:ERR!|error) (?:code ELIFECYCLE|Test failed)/,
        /\bELIFECYCLE\b\W+Command failed/,
        /\bERR_PNPM_RECURSIVE_(?:RUN|EXEC)_FIRST_FAIL\b/,
        /^error: script "[^"]+" exited with code (?!12[67])[1-9]/,
        /^error Command failed with exit code (?!12[67])[1-9]/,
        /^ERROR: "[^"]+" exited with (?!12[67])[1-9]/,
      ],
      nothing: [/^None of the selected packages has a "[^"]+" script/, /^No projects (?:matched|found)/],
    },
    linesOf,
  },
];

/** Package managers name the script that failed. */
function linesOf(name: string): Lines {
  const script = escapePattern(name.slice(name.indexOf(" ") + 1));
  return {
    fail: [
      new RegExp(`^error: script "${script}" exited with code (?!12[67])[1-9]`),
      new RegExp(String.raw`\bERR_PNPM_RECURSIVE_RUN_FIRST_FAIL\s+\S+ ${script}:`),
      new RegExp(`^npm (?:ERR!|error) Lifecycle script \`${script}\` failed`),
    ],
  };
}

function findScript(call: Call): Match | undefined {
  const packaged = parsePackageCall(call);
  if (packaged?.kind !== "script" || !isCheckName(packaged.name)) return undefined;
  const { name, args } = packaged;
  const shown = name === "test" ? `${call.program} test` : `${call.program} run ${name}`;
  return { name: `script ${name}`, shown, args, cwd: packaged.call.cwd, project: packaged.call.project };
}

export const packageScriptCases: ToolCases = {
  docs: {
    "package script": "https://docs.npmjs.com/cli/commands/npm-run",
  },
  checks: {
    "npm test": "npm test",
    "npm run test:unit -- --grep adds": "npm run test:unit -g adds",
    "pnpm --filter web run lint": "pnpm run lint web",
    "yarn workspace api typecheck": "yarn run typecheck api",
    "bun run build": "bun run build",
    "bun --filter api test": "bun test api",
    "npm --prefix sub test": "npm test",
    "pnpm turbo lint": "turbo lint",
    "pnpm -r test": "pnpm test every member",
  },
  ignored: [
    "npm run dev",
    "pnpm dev",
    "npm start",
    "npm run test:watch",
    "npm run start:test",
    "yarn install",
    "npm run test -- --watch",
    "npm view vitest version",
    "pnpm add -D eslint",
    "npm run generate",
    "cat package.json | grep test",
  ],
  same: [
    ["npm test", "npm run test"],
    ["npm test", "npm t"],
    ["npm test", "npm run --silent test 2>&1 | tail -20"],
    ["pnpm --filter web test", "pnpm -F web run test"],
    ["npm test -w web", "npm --workspace web test"],
    ["cd sub && npm test", "npm --prefix sub test"],
    ["npm test", "CI=1 npm test -- --reporter=dot"],
  ],
  different: [
    ["npm run test", "npm run lint"],
    ["npm run lint", "npm run lint:fix"],
    ["npm test -w web", "npm test -w api"],
    ["npm test", "npm test -- --grep adds"],
    ["TEST_SUITE=api npm test", "TEST_SUITE=web npm test"],
    ["npm run build", "npm test"],
  ],
  outputs: [
    {
      command: "npm test | tail",
      text: "> app@1.0.0 test\n> vitest run\n\n Test Files  17 passed (17)\n      Tests  163 passed (163)",
      verdict: "pass",
    },
    {
      command: "npm test | tail",
      text: " Test Files  3 failed | 14 passed (17)\n      Tests  4 failed | 159 passed (163)",
      verdict: "fail",
    },
    { command: "npm test", text: 'npm error Missing script: "test"', status: 1, verdict: "unknown" },
    {
      command: "npm run lint | tail",
      text: "✖ 1 problem (1 error, 0 warnings)\nnpm error code ELIFECYCLE",
      verdict: "fail",
    },
    {
      command: "bun run lint:css",
      text: 'error: script "lint:css" exited with code 127',
      status: 127,
      verdict: "unknown",
    },
    {
      command: "npm test",
      text: "error: connection refused (expected by the test)\n 12 passing (1s)",
      status: 0,
      verdict: "pass",
    },
    {
      command: "npm test | tail",
      text: "error: connection refused (expected by the test)\n  12 passing (1s)",
      verdict: "pass",
    },
    {
      command: "npm run typecheck | tail",
      text: "> app@1.0.0 typecheck\n> tsc --noEmit\n\nsrc/a.ts(3,1): error TS2322: Type 'a' is wrong.",
      verdict: "fail",
    },
  ],
};
