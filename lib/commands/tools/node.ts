import type { Tool, ToolCases } from "./tool.ts";

/** Node's own runner and syntax check. */
export const nodeTools: readonly Tool[] = [
  {
    id: "node --test",
    kind: "test",
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
      pass: [/^(?:#|ℹ) pass [1-9]/],
      problem: [/^\s*✖ /],
      nothing: [/^(?:#|ℹ) tests 0$/, /^Could not find '/],
    },
  },
  {
    id: "node --check",
    kind: "lint",
    calls: ["node"],
    onlyWith: ["--check"],
    operands: "files",
    flags: {
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --check|-c",
    },
    silent: true,
    lines: {
      fail: [/^SyntaxError: /],
      nothing: [/^Error: Cannot find module /],
    },
  },
];

export const nodeCases: ToolCases = {
  docs: {
    "node --test": "https://nodejs.org/api/test.html",
    "node --check": "https://nodejs.org/api/cli.html#-c---check",
  },
  checks: {
    "node --test": "node --test",
    "node --import tsx --test tests/a.test.ts": "node --test tests/a.test.ts",
    "node --check src/a.js": "node --check src/a.js",
  },
  ignored: ["node --test --watch", "node server.js", "node -e 'test()'", "node --version"],
  same: [["node --test a.js", "node --test --test-reporter=dot a.js"]],
  different: [["node --test --test-name-pattern=a", "node --test --test-name-pattern=b"]],
  outputs: [
    { command: "node --test | tail", text: "ℹ tests 4\nℹ pass 4\nℹ fail 0\nℹ cancelled 0", verdict: "pass" },
    { command: "node --test | tail", text: "# tests 4\n# pass 3\n# fail 1", verdict: "fail" },
    { command: "node --test | head", text: "TAP version 13\nnot ok 1 - adds", verdict: "fail" },
    { command: "node --test | tail", text: "ℹ tests 0\nℹ pass 0\nℹ fail 0", verdict: "unknown" },
    { command: "node --check a.js | cat", text: "SyntaxError: Unexpected token '}'", verdict: "fail" },
  ],
};
