import type { Tool, ToolCases } from "./tool.ts";

/** Vitest. */
export const vitestTools: readonly Tool[] = [
  {
    id: "vitest",
    kind: "test",
    calls: ["vitest run", "vitest related", "vitest"],
    not: ["watch", "dev", "list", "init", "bench"],
    operands: "mixed",
    flags: {
      filter: "-t|--testNamePattern= --changed --exclude=",
      config: "-u -c|--config= --environment=",
      project: "--project=",
      folder: "-r|--root= --dir=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --run --coverage
        --coverage.reporter= --coverage.enabled --no-coverage --pool= --poolOptions.threads.singleThread
        --no-file-parallelism --maxWorkers= --minWorkers= --bail= --testTimeout= --hookTimeout= --retry=
        --passWithNoTests --hideSkippedTests --logHeapUsage --no-watch`,
      inert: "--watch -w --ui",
    },
    lines: {
      fail: [
        /^\s*(?:Test Files|Tests)\s.*\b[1-9]\d* failed/,
        /^\s*Errors\s+[1-9]\d* errors?/,
        /^\s*FAIL {2}\S/,
        /^⎯+ (?:Failed (?:Tests|Suites) [1-9]|Unhandled Errors?|Startup Error)/,
        /^failed to load config from /,
        /^ERROR: Coverage for /,
      ],
      pass: [/^\s*(?:Test Files|Tests)\s+(?:\d+ \w+ \| )*\d+ passed/],
      nothing: [/^No test files found/, /^\s*Tests\s+no tests/],
    },
  },
];

export const vitestCases: ToolCases = {
  docs: {
    vitest: "https://vitest.dev/guide/cli",
  },
  checks: {
    "npx vitest run": "vitest",
    "yarn vitest run test/a.test.tsx": "vitest test/a.test.tsx",
    "vitest -t adds --run": "vitest -t adds",
  },
  ignored: ["vitest --watch", "vitest watch", "vitest --ui", "vitest list", "vitest bench"],
  same: [["vitest run test/a.test.ts", "npx vitest --run test/a.test.ts --reporter=verbose --no-coverage"]],
  different: [
    ["vitest run a.test.ts", "vitest run b.test.ts"],
    ["vitest run", "vitest run --project web"],
  ],
  outputs: [
    {
      command: "vitest run | tail",
      text: " Test Files  17 passed (17)\n      Tests  163 passed | 1 skipped (164)",
      verdict: "pass",
    },
    {
      command: "vitest run | tail",
      text: " Test Files  1 failed | 1 passed (2)\n      Tests  2 failed | 5 passed (7)",
      verdict: "fail",
    },
    { command: "vitest run x", text: "No test files found, exiting with code 1", status: 1, verdict: "unknown" },
    { command: "vitest run | tail", text: " FAIL  src/a.test.ts > adds", verdict: "fail" },
  ],
};
