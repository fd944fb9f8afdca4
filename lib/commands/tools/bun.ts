import type { Tool } from "./tool.ts";

/** `bun test`: https://bun.sh/docs/cli/test */
export const bunTools: readonly Tool[] = [
  {
    id: "bun test",
    calls: ["bun test"],
    args: {
      operands: "mixed",
      flags: {
        "-t": "filter=",
        "--test-name-pattern": "-t",
        "--cwd": "folder=",
        "--config": "config=",
        "-c": "--config",
        "--preload": "noise=",
        "--timeout": "noise=",
        "--bail": "noise",
        "--coverage": "noise",
        "--coverage-reporter": "noise=",
        "--reporter": "noise=",
        "--reporter-outfile": "noise=",
        "--rerun-each": "noise=",
        "--only": "filter",
        "--todo": "filter",
        "--watch": "inert",
        "-u": "inert",
        "--update-snapshots": "inert",
      },
    },
    lines: {
      fail: [
        /^\s*[1-9]\d* fail$/,
        /^\s*[1-9]\d* errors?$/,
        /^\(fail\) /,
        /^error: script "[^"]+" exited with code (?!12[67])[1-9]/,
      ],
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
