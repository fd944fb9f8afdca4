import type { Call } from "../shell/call.ts";
import { baseName } from "../shell/paths.ts";
import type { Match, Tool } from "./tool.ts";

/** Local programs whose name says that they check something: `./check_links.sh`, `scripts/verify.mjs`, `tests/run.sh`. */
export const scriptTools: readonly Tool[] = [
  {
    id: "check script",
    calls: [],
    match: { hint: /check|test|verif|lint|valid|smoke|e2e|preflight|run|ci|spec|harness/i, find: findScript },
    runsOthers: true,
    operands: "mixed",
    flags: { inert: "--fix --list --write" },
    lines: { fail: [], pass: [] },
  },
];

const extension = /\.(?:py|sh|bash|zsh|mjs|cjs|js|ts|mts|cts|tsx|rb|pl|php|ps1)$/;
const checkStart =
  /^(?:check|tests?|verify|lint|validate|validation|smoke|e2e|preflight|selftest|self-test)(?=[_\-.]|$)/i;
const runStart = /^(?:run|ci)[_-]./i;
const checkEnd = /[_\-.](?:checks?|tests?|specs?|verify|lint|smoke|e2e|harness)$/i;

/** Names that say little stand for a check in a folder that says more. */
const plain = /^(?:run|main|all|ci|index)$/i;
const checkFolder = /(?:^|\/)(?:tests?|checks?|e2e|specs?|lint|verify|ci)\/[^/]+$/i;

/** Words that name something else, which only belongs to a check. */
const noCheck =
  /(?:^|[_\-.])(?:servers?|dev|app|bot|gen|generate|generator|fixtures?|data|utils?|helpers?|setup|install|migrations?|migrate|update|fix|watch|build|deploy|local|agent|pipeline|train|jobs?|workers?|experiments?|config|mock|stub|demo|example)(?=[_\-.]|$)/i;

/** Installed programs and throw-away binaries are no scripts of the project. */
const elsewhere = /^(?:\/tmp\/|\/usr\/|\/opt\/|-)/;

function findScript(call: Call): Match | undefined {
  const { args, cwd, path, project } = call;
  const name = baseName(path);
  const isFile = extension.test(name);
  if (!isFile && (!path.includes("/") || elsewhere.test(path))) return undefined;
  const stem = name.replace(extension, "");
  if (noCheck.test(stem) || !namesCheck(stem, path, isFile)) return undefined;
  return { name, args, cwd, project };
}

function namesCheck(stem: string, path: string, isFile: boolean): boolean {
  if (checkStart.test(stem) || runStart.test(stem)) return true;
  return (isFile && checkEnd.test(stem)) || (plain.test(stem) && checkFolder.test(path));
}
