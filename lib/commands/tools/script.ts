import type { Call } from "../shell/call.ts";
import { baseName, resolvePath } from "../shell/paths.ts";
import { modeVariable } from "./names.ts";
import type { Match, Tool, ToolCases } from "./tool.ts";

/** Local programs whose name says that they check something: `./check_links.sh`, `scripts/verify.mjs`, `tests/run.sh`. */
export const scriptTools: readonly Tool[] = [
  {
    id: "check script",
    calls: [],
    match: { hint: /check|test|verif|lint|valid|smoke|e2e|preflight|run|ci|spec|harness/, find: findScript },
    runsOthers: true,
    env: modeVariable,
    operands: "mixed",
    flags: { inert: "--fix --list --write" },
    lines: {},
  },
];

const extension = /\.(?:py|sh|bash|zsh|mjs|cjs|js|ts|mts|cts|tsx|rb|pl|php|ps1)$/;
const sureStart = /^(?:check|verify|lint|validate|validation|preflight|selftest|self-test)(?=[_\-.]|$)/;
const mayStart = /^(?:(?:tests?|smoke|e2e|ci)(?=[_\-.]|$)|run[_-].)/;
const checkEnd = /[_\-.](?:checks?|tests?|specs?|verify|lint|smoke|e2e|harness)$/;

/** Names that say little stand for a check in a folder that says more. */
const plain = /^(?:run|main|all|ci|index)$/;
const checkFolder = /(?:^|\/)(?:tests?|checks?|e2e|specs?|lint|verify|ci)\//;

/** Words that name something else, which only belongs to tests. */
const noCheck =
  /(?:^|[_\-.])(?:servers?|dev|app|bot|gen|generate|generator|fixtures?|data|utils?|helpers?|setup|install|migrations?|migrate|update|fix|watch|build|deploy|local|agent|pipeline|train|jobs?|workers?|experiments?|config|mock|stub|demo|example)(?=[_\-.]|$)/;

/** Installed programs and throw-away binaries are no scripts of the project. */
const elsewhere = /^(?:\/tmp\/|\/usr\/|\/opt\/|-)/;

function findScript(call: Call): Match | undefined {
  const { args, cwd, path, project } = call;
  const name = baseName(path);
  const isFile = extension.test(name);
  if (!isFile && (!path.includes("/") || elsewhere.test(path))) return undefined;
  const stem = name.replace(extension, "").toLowerCase();
  if (!namesCheck(stem, path, isFile)) return undefined;
  return { name, args, cwd, project, files: [resolvePath(cwd, path)] };
}

function namesCheck(stem: string, path: string, isFile: boolean): boolean {
  if (sureStart.test(stem)) return true;
  if (noCheck.test(stem)) return false;
  return mayStart.test(stem) || (isFile && checkEnd.test(stem)) || (plain.test(stem) && checkFolder.test(path));
}

export const scriptCases: ToolCases = {
  docs: {},
  checks: {
    "./check_ok.sh": "check_ok.sh",
    "python3 scripts/check_x.py --slice a": "scripts/check_x.py a",
    "bash tests/run.sh": "tests/run.sh",
    "node scripts/verify.mjs": "scripts/verify.mjs",
    "./check-types.sh": "check-types.sh",
    "npx tsx scripts/lint-docs.ts": "scripts/lint-docs.ts",
    "scripts/run_tests.py": "scripts/run_tests.py",
    "sh ci/run_all.sh": "ci/run_all.sh",
    "python3 - < scripts/verify_a.py": "scripts/verify_a.py",
    "./scripts/api-e2e.sh": "scripts/api-e2e.sh",
    "tests/integration/run.sh": "tests/integration/run.sh",
    "npx ts-node scripts/verify-data.ts": "scripts/verify-data.ts",
    "ruby test/test_all.rb": "test/test_all.rb",
  },
  ignored: [
    "cat scripts/check_x.py",
    "sed -n 1,40p tests/test_x.py",
    "chmod +x check_ok.sh",
    "cat > check_x.sh <<'EOF'\npytest\nEOF",
    "python3 run_server.py",
    "node test-server.js",
    "bash run.sh",
    "bash tests/make_samples.sh",
    "vim tests/run.sh",
    "cp a.sh check_b.sh",
    "python3 -c 'print(\"check_x.py\")'",
    "/tmp/app-test serve",
    "test -f check_ok.sh",
  ],
  same: [
    ["./check_a.sh", "PORT=8080 DEBUG=1 ./check_a.sh"],
    ["python3 scripts/check_x.py", "cd scripts && python check_x.py"],
    ["./check_ok.sh", "bash check_ok.sh 2>&1 | tail -5"],
  ],
  different: [
    ["./check_a.sh", "./check_b.sh"],
    ["./check_a.sh", "./sub/check_a.sh"],
    ["./check_a.sh one", "./check_a.sh two"],
    ["MODE=fast ./check_a.sh", "MODE=full ./check_a.sh"],
    ["SMOKE_SUITE=api bash tests/run.sh", "bash tests/run.sh"],
  ],
  outputs: [
    { command: "./check_ok.sh | tail", text: "all 12 checks passed", verdict: "pass" },
    { command: "./check_ok.sh | tail", text: "building...", verdict: "unknown" },
    { command: "./check_ok.sh | tail", text: "Traceback (most recent call last):\nValueError: x", verdict: "fail" },
    { command: "./check_ok.sh", text: "done", status: 3, verdict: "fail" },
    {
      command: "./check_ok.sh",
      text: "bash: ./check_ok.sh: No such file or directory",
      status: 127,
      verdict: "unknown",
    },
    {
      command: "python3 scripts/check_x.py",
      text: "python3: can't open file '/repo/scripts/check_x.py': [Errno 2] No such file or directory",
      status: 2,
      verdict: "unknown",
    },
    { command: "./check_ok.sh | tail", text: "Failed: 0, Passed: 12", verdict: "pass" },
    { command: "./check_ok.sh | tail", text: "fail-fast disabled\n12 passed", verdict: "pass" },
    { command: "./check_ok.sh | tail", text: "not ok", verdict: "unknown" },
    { command: "./check_ok.sh | tail", text: "10/12 passed", verdict: "fail" },
  ],
};
