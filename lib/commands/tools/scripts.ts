import { baseName } from "../shell/paths.ts";
import type { Call } from "../shell/call.ts";
import type { Match, Tool } from "./tool.ts";

const extension = /\.(?:py|sh|bash|zsh|mjs|cjs|js|ts|mts|cts|tsx|rb|pl|php|ps1)$/;
const checkStart = /^(?:check|tests?|verify|lint|validate|validation|smoke|e2e|preflight|selftest|run|ci)(?=[_\-.]|$)/i;
const checkEnd = /[_\-.](?:checks?|tests?|test|spec|verify|lint|smoke|e2e|harness)$/i;
const noCheck = /(?:^|[_\-.])(?:server|dev|app|bot|gen|generate|generator|fixtures?|data|utils?|helpers?|setup|install|migrations?|migrate|update|fix|watch|build|deploy|local|agent|pipeline|train|job|jobs|worker|experiment)(?=[_\-.]|$)/i;

/** Local programs whose name says that they check something: `./check_links.sh`, `scripts/verify.mjs`. */
export const scriptTools: readonly Tool[] = [
  {
    id: "check script",
    runsOthers: true,
    calls: [],
    match: matchScript,
    args: { operands: "filters", flags: { "--fix": "inert", "--list": "inert", "--write": "inert" } },
    lines: { fail: [], pass: [] },
  },
];

function matchScript(call: Call): Match | undefined {
  const { path } = call;
  const name = baseName(path);
  const isFile = extension.test(name) || (path.includes("/") && !path.startsWith("-"));
  if (!isFile || !isCheckScript(name.replace(extension, ""))) return undefined;
  return { name, args: call.args, cwd: call.cwd, project: call.project };
}

function isCheckScript(stem: string): boolean {
  if (noCheck.test(stem)) return false;
  return checkStart.test(stem) || checkEnd.test(stem);
}
