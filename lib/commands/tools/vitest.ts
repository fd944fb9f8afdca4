import type { Tool } from "./tool.ts";

/** Vitest: https://vitest.dev/guide/cli */
export const vitestTools: readonly Tool[] = [
  {
    id: "vitest",
    calls: ["vitest run", "vitest related", "vitest"],
    not: ["watch", "dev", "list", "init", "bench"],
    operands: "mixed",
    flags: {
      filter: "-t|--testNamePattern= --changed --exclude=",
      config: "-c|--config= --environment=",
      project: "--project=",
      folder: "-r|--root= --dir=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --run --coverage
        --coverage.reporter= --coverage.enabled --no-coverage --pool= --poolOptions.threads.singleThread
        --no-file-parallelism --maxWorkers= --minWorkers= --bail= --testTimeout= --hookTimeout= --retry=
        --passWithNoTests --hideSkippedTests --logHeapUsage --no-watch`,
      inert: "--watch -w --ui -u",
    },
    lines: {
      fail: [
        /^\s*(?:Test Files|Tests)\s+.*\b[1-9]\d* failed/,
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
