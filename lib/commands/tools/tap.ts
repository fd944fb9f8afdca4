import type { Tool, ToolCases } from "./tool.ts";

/** Runners with a summary of their own or TAP. AVA, node-tap, TAP. */
export const tapTools: readonly Tool[] = [
  {
    id: "ava",
    kind: "test",
    calls: ["ava", "uvu", "tap", "tape", "lab", "jasmine", "qunit"],
    eachCall: true,
    operands: "files",
    flags: {
      filter: "-m|--match=",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --serial --timeout= -T=",
      inert: "--watch -w",
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

export const tapCases: ToolCases = {
  docs: {
    ava: "https://github.com/avajs/ava/blob/main/docs/05-command-line.md",
  },
  checks: { "npx ava test/a.js": "ava test/a.js", "tape test.js": "tape test.js" },
  ignored: ["ava --watch"],
  outputs: [
    { command: "ava | tail", text: "  9 tests passed", verdict: "pass" },
    { command: "ava | tail", text: "  1 test failed", verdict: "fail" },
    { command: "tape test.js | tail", text: "1..2\n# tests 2\n# pass  2\n\n# ok", verdict: "pass" },
    { command: "tape test.js | tail", text: "not ok 2 adds\n# tests 2\n# pass  1\n# fail  1", verdict: "fail" },
    { command: "tape test.js | tail", text: "not ok 2 adds # TODO later\n# tests 2\n# pass  2", verdict: "pass" },
  ],
};
