import type { Tool, ToolCases } from "./tool.ts";

/** Jest. */
export const jestTools: readonly Tool[] = [
  {
    id: "jest",
    kind: "test",
    calls: ["jest", "react-scripts test", "craco test", "ng test"],
    eachCall: true,
    operands: "mixed",
    flags: {
      filter: `-t|--testNamePattern|--test-name-pattern=
        --testPathPattern|--testPathPatterns|--test-path-pattern= --testPathIgnorePatterns=
        --onlyChanged|-o --changedSince= --findRelatedTests`,
      config: "--config|-c= --rootDir=",
      project: "--selectProjects=",
      noise: `--reporter= --reporters= --outputFile= --output-file= --format= -f= --runTestsByPath --coverage
        --no-coverage --collectCoverage --coverageReporters= --coverageDirectory= --ci -i --runInBand
        -w= --maxWorkers= --forceExit --detectOpenHandles --no-cache --cache --bail -b --expand --json
        --passWithNoTests --testTimeout= --logHeapUsage --watchman`,
      inert: "--clearCache --watch --watchAll --listTests --showConfig --init",
    },
    lines: {
      fail: [
        /^Tests: .*\b[1-9]\d* failed/,
        /^Test Suites: .*\b[1-9]\d* failed/,
        /^FAIL\s+\S+\.\w+/,
        /^Jest: .*coverage threshold/,
        /^● Validation Error/,
        /^Error: Can't find a root directory/,
      ],
      pass: [/^Tests:\s+(?:\d+ \w+, )*\d+ passed/, /^Test Suites:\s+(?:\d+ \w+, )*\d+ passed/],
      problem: [/^\s+● .+ › /, /^\s+✕ /],
      nothing: [/^No tests found(?:, exiting|$)/, /^Tests:\s+0 total/],
    },
  },
];

export const jestCases: ToolCases = {
  docs: {
    jest: "https://jestjs.io/docs/cli",
  },
  checks: {
    "npx jest": "jest",
    "jest src/a.test.ts -t 'adds two'": "jest src/a.test.ts -t adds two",
    "pnpm --filter api exec jest --testPathPattern shares": "jest api --testPathPattern shares",
  },
  ignored: ["jest --watch", "jest --listTests", "jest --init", "jest --clearCache", "npm i -D jest"],
  same: [["jest src/a.test.ts", "npx jest --runInBand --ci --coverage src/a.test.ts 2>&1 | tail -40"]],
  different: [
    ["jest -t adds", "jest -t subtracts"],
    ["jest", "jest --config jest.e2e.config.js"],
  ],
  outputs: [
    {
      command: "jest | tail",
      text: "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 9 passed, 10 total",
      verdict: "pass",
    },
    {
      command: "jest | tail",
      text: "Test Suites: 3 failed, 14 passed, 17 total\nTests:       4 failed, 159 passed, 163 total",
      verdict: "fail",
    },
    { command: "jest x | tail", text: "No tests found, exiting with code 1", verdict: "unknown" },
    { command: "jest x", text: "No tests found, exiting with code 1", status: 1, verdict: "unknown" },
    { command: "jest | head -5", text: "FAIL src/a.test.ts\n  ● adds", verdict: "fail" },
    {
      command: "jest",
      text: "● Validation Error:\n\n  Module ts-jest in the transform option was not found.",
      status: 1,
      verdict: "fail",
    },
  ],
};
