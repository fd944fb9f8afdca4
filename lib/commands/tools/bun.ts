import type { Tool } from "./tool.ts";

/** `bun test`: https://bun.sh/docs/cli/test */
export const bunTools: readonly Tool[] = [
  {
    id: "bun test",
    calls: ["bun test"],
    operands: "mixed",
    flags: {
      filter: "-t|--test-name-pattern= --only --todo",
      config: "--config|-c=",
      folder: "--cwd=",
      noise: `--preload= --timeout= --bail --coverage --coverage-reporter= --reporter= --reporter-outfile=
        --rerun-each=`,
      inert: "--watch -u --update-snapshots",
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
