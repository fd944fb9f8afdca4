import { reportFlags, type Tool } from "./tool.ts";

/**
 * Mocha: https://mochajs.org/#command-line-usage; AVA: https://github.com/avajs/ava/blob/main/docs/05-command-line.md;
 * tap: https://node-tap.org/cli/; uvu: https://github.com/lukeed/uvu; TAP text: https://testanything.org
 */
export const mochaTools: readonly Tool[] = [
  {
    id: "mocha",
    calls: ["mocha", "_mocha", "mocha run", "ts-mocha"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-g": "filter=",
        "--grep": "-g",
        "-f": "filter=",
        "--fgrep": "-f",
        "-i": "filter",
        "--invert": "-i",
        "-r": "config=",
        "--require": "-r",
        "--config": "config=",
        "--spec": "file=",
        "-R": "noise=",
        "-t": "noise=",
        "--timeout": "noise=",
        "-b": "noise",
        "--bail": "noise",
        "--exit": "noise",
        "--recursive": "noise",
        "-j": "noise=",
        "-p": "noise",
        "--parallel": "noise",
        "-w": "inert",
        "--watch": "inert",
        "--list-files": "inert",
      },
    },
    lines: {
      fail: [/^\s*[1-9]\d* failing\b/],
      pass: [/^\s*[1-9]\d* passing\b/],
      nothing: [/^\s*0 passing\b/, /^Error: No test files found/],
    },
  },
  {
    id: "ava",
    calls: ["ava", "uvu", "tap", "tape", "lab", "jasmine", "qunit"],
    args: {
      operands: "files",
      flags: {
        ...reportFlags,
        "-m": "filter=",
        "--match": "-m",
        "--serial": "noise",
        "--timeout": "noise=",
        "-T": "noise=",
        "--watch": "inert",
        "-w": "inert",
      },
    },
    lines: {
      fail: [
        /^\s*[1-9]\d* tests? failed/,
        /^not ok \d+(?!.*# (?:TODO|SKIP))/,
        /^# fail\s+[1-9]/,
        /^\d+ specs?, [1-9]\d* failures?/,
        /^\s*✘ \[fail\]/,
      ],
      pass: [/^\s*\d+ tests? passed/, /^# pass\s+[1-9]/, /^# ok$/, /^\d+ specs?, 0 failures/],
      nothing: [/^\s*✘ Couldn’t find any files to test/],
    },
  },
];
