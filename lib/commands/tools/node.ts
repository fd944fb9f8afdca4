import type { Tool } from "./tool.ts";

/**
 * Node's own runner and syntax check: https://nodejs.org/api/test.html, https://nodejs.org/api/cli.html#-c---check
 */
export const nodeTools: readonly Tool[] = [
  {
    id: "node --test",
    calls: ["node", "tsx"],
    onlyWith: ["--test"],
    operands: "files",
    flags: {
      filter: "--test-name-pattern= --test-skip-pattern= --test-only",
      noise: `--test --test-reporter= --test-reporter-destination= --test-concurrency= --test-timeout=
        --test-force-exit --experimental-test-coverage --experimental-strip-types
        --experimental-test-module-mocks --no-warnings --import= --loader= --require= -r= --env-file=
        --enable-source-maps`,
      inert: "--watch --run",
    },
    lines: {
      fail: [/^(?:#|ℹ) (?:fail|cancelled) [1-9]/, /^not ok \d+(?!.*# (?:TODO|SKIP))/, /^✖ failing tests:/],
      pass: [/^(?:#|ℹ) fail 0$/],
      problem: [/^\s*✖ /],
      nothing: [/^(?:#|ℹ) tests 0$/, /^Could not find '/],
    },
  },
  {
    id: "node --check",
    calls: ["node"],
    onlyWith: ["--check"],
    operands: "files",
    flags: {
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --check|-c",
    },
    silent: true,
    lines: {
      fail: [/^SyntaxError: /],
      pass: [],
      nothing: [/^Error: Cannot find module /],
    },
  },
];
