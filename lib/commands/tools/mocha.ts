import type { Tool, ToolCases } from "./tool.ts";

/** Mocha. */
export const mochaTools: readonly Tool[] = [
  {
    id: "mocha",
    kind: "test",
    calls: ["mocha", "_mocha", "mocha run", "ts-mocha"],
    operands: "files",
    flags: {
      filter: "-f|--fgrep= -g|--grep= -i|--invert",
      config: "-r|--require= --config=",
      file: "--spec=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -R= -t= --timeout= -b --bail
        --exit --recursive -j= -p --parallel`,
      inert: "-w --watch --list-files",
    },
    lines: {
      fail: [/^\s*[1-9]\d* failing\b/],
      pass: [/^\s*[1-9]\d* passing\b/],
      nothing: [/^\s*0 passing\b/, /^Error: No test files found/],
    },
  },
];

export const mochaCases: ToolCases = {
  docs: {
    mocha: "https://mochajs.org/running/cli/",
  },
  checks: { "mocha test/a.js -g adds": "mocha test/a.js -g adds", "npx mocha": "mocha" },
  ignored: ["mocha --watch", "mocha --list-files"],
  same: [["mocha -g adds", "mocha --grep adds --reporter dot"]],
  outputs: [
    { command: "mocha | tail", text: "  12 passing (31ms)\n  1 pending", verdict: "pass" },
    { command: "mocha | tail", text: "  11 passing (31ms)\n  1 failing", verdict: "fail" },
    { command: "mocha x | tail", text: 'Error: No test files found: "x"', verdict: "unknown" },
  ],
};
