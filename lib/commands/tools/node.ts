import { reportFlags, type Tool } from "./tool.ts";

/** Node's own runner and syntax check: https://nodejs.org/api/test.html, https://nodejs.org/api/cli.html */
export const nodeTools: readonly Tool[] = [
  {
    id: "node --test",
    calls: ["node", "tsx"],
    onlyWith: ["--test"],
    args: {
      operands: "files",
      flags: {
        "--test": "noise",
        "--test-name-pattern": "filter=",
        "--test-skip-pattern": "filter=",
        "--test-only": "filter",
        "--test-reporter": "noise=",
        "--test-reporter-destination": "noise=",
        "--test-concurrency": "noise=",
        "--test-timeout": "noise=",
        "--test-force-exit": "noise",
        "--experimental-test-coverage": "noise",
        "--experimental-strip-types": "noise",
        "--experimental-test-module-mocks": "noise",
        "--no-warnings": "noise",
        "--import": "noise=",
        "--loader": "noise=",
        "--require": "noise=",
        "-r": "noise=",
        "--env-file": "noise=",
        "--enable-source-maps": "noise",
        "--watch": "inert",
        "--run": "inert",
      },
    },
    lines: {
      fail: [/^(?:#|ℹ) (?:fail|cancelled) [1-9]/, /^not ok \d+(?!.*# (?:TODO|SKIP))/, /^✖ failing tests:/],
      pass: [/^(?:#|ℹ) fail 0$/],
      nothing: [/^(?:#|ℹ) tests 0$/, /^Could not find '/],
      problem: [/^\s*✖ /],
    },
  },
  {
    id: "node --check",
    calls: ["node"],
    onlyWith: ["--check"],
    args: { operands: "files", flags: { ...reportFlags, "--check": "noise", "-c": "--check" } },
    silent: true,
    lines: { fail: [/^SyntaxError: /], pass: [], nothing: [/^Error: Cannot find module /] },
  },
];
