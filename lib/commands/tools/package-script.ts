import type { FlagTable } from "../flag-table.ts";
import type { Call } from "../shell/call.ts";
import { readPackageCall } from "../shell/package-managers.ts";
import { isCheckName } from "./names.ts";
import type { Match, Tool } from "./tool.ts";

/** Flags that people hand on to the tool inside a script. */
export const handedOnFlags: FlagTable = {
  filter: "-t|--testNamePattern= -g|--grep= -k= -run= --filter= --testPathPattern=",
  config: "--config= --fix --write",
  project: "--project=",
  noise: `--reporter= --run --coverage --no-coverage --passWithNoTests --forceExit --runInBand --ci --bail -count= --count=
    --if-present --parallel`,
  inert: "--watch --watchAll --ui --list",
};

/**
 * Scripts of a package.json, by name. npm: https://docs.npmjs.com/cli/commands/npm-run; pnpm: https://pnpm.io/cli/run; yarn:
 * https://yarnpkg.com/cli/run; bun: https://bun.sh/docs/cli/run
 */
export const packageScriptTools: readonly Tool[] = [
  {
    id: "package script",
    calls: [],
    match: { hint: /\b(?:npm|pnpm|yarn|bun)\b/, find: findScript },
    runsOthers: true,
    operands: "mixed",
    flags: handedOnFlags,
    lines: {
      fail: [
        /^npm (?:ERR!|error) (?:code ELIFECYCLE|Test failed)/,
        /\bELIFECYCLE\b.*Command failed/,
        /\bERR_PNPM_RECURSIVE_(?:RUN|EXEC)_FIRST_FAIL\b/,
        /^error: script "[^"]+" exited with code (?!12[67])[1-9]/,
        /^error Command failed with exit code (?!12[67])[1-9]/,
        /^ERROR: "[^"]+" exited with (?!12[67])[1-9]/,
      ],
      pass: [],
      nothing: [
        /^npm (?:ERR!|error) Missing script: /,
        /^npm (?:ERR!|error) (?:enoent|code ENOENT)/,
        /\bERR_PNPM_(?:NO_SCRIPT|RECURSIVE_RUN_NO_SCRIPT|NO_IMPORTER_MANIFEST_FOUND|UNSUPPORTED_ENGINE)\b/,
        /^None of the selected packages has a "[^"]+" script/,
        /^No projects (?:matched|found)/,
        /^error: Script not found "/,
        /^error Command "[^"]+" not found\./,
        /^error Couldn't find a package\.json/,
        /^Usage Error: Couldn't find a script named/,
        /^error: script "[^"]+" exited with code 12[67]/,
      ],
    },
  },
];

function findScript(call: Call): Match | undefined {
  const packaged = readPackageCall(call);
  if (packaged?.kind !== "script" || !isCheckName(packaged.name)) return undefined;
  const { name, args } = packaged;
  return { name: `script ${name}`, args, cwd: packaged.call.cwd, project: packaged.call.project };
}
