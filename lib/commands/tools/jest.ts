import type { Tool } from "./tool.ts";

/** Jest: https://jestjs.io/docs/cli */
export const jestTools: readonly Tool[] = [
  {
    id: "jest",
    calls: ["jest", "react-scripts test", "craco test", "ng test"],
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
