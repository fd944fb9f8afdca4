import type { Tool, ToolCases } from "./tool.ts";

/** `bun test`. */
export const bunTools: readonly Tool[] = [
  {
    id: "bun test",
    kind: "test",
    calls: ["bun test"],
    operands: "mixed",
    flags: {
      filter: "-t|--test-name-pattern= --only --todo",
      config: "-u|--update-snapshots --config|-c=",
      folder: "--cwd=",
      noise: `--preload= --timeout= --bail --coverage --coverage-reporter= --reporter= --reporter-outfile=
        --rerun-each=`,
      inert: "--watch",
    },
    lines: {
      fail: [/^\s*[1-9]\d* fail$/, /^\s*[1-9]\d* errors?$/, /^\(fail\) /],
      pass: [/^\s*0 fail$/],
      nothing: [
        /^No tests found!?/,
        /^error: 0 test files matching/,
        /^error: regex ".*" matched 0 tests/,
        /^The following filters did not match any test files/,
      ],
    },
  },
];

export const bunCases: ToolCases = {
  docs: {
    "bun test": "https://bun.sh/docs/cli/test",
  },
  checks: { "bun test": "bun test", "bun test src/a.test.ts -t adds": "bun test src/a.test.ts -t adds" },
  ignored: ["bun test --watch", "bun install", "bun run dev", "bun pm ls"],
  same: [["bun test src/a.test.ts", "bun test ./src/a.test.ts --timeout 20000 --bail"]],
  different: [["bun test -t adds", "bun test -t subtracts"]],
  outputs: [
    {
      command: "bun test | tail",
      text: " 12 pass\n 0 fail\n 30 expect() calls\nRan 12 tests across 2 files. [41.00ms]",
      verdict: "pass",
    },
    {
      command: "bun test | tail",
      text: " 11 pass\n 1 fail\n 30 expect() calls\nRan 12 tests across 2 files. [41.00ms]",
      verdict: "fail",
    },
    {
      command: "bun test x | tail",
      text: 'error: 0 test files matching **{.test,.spec}.{js,ts} in --cwd="/repo"',
      verdict: "unknown",
    },
  ],
};
