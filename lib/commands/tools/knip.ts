import type { Tool, ToolCases } from "./tool.ts";

/** Checks of a package as a whole. Knip, madge, publint. */
export const knipTools: readonly Tool[] = [
  {
    id: "knip",
    kind: "lint",
    calls: ["knip", "depcheck", "madge", "dependency-cruiser", "depcruise", "publint", "attw"],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-c|--config= --production --strict --circular",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --pack",
    },
    silent: true,
    lines: {
      fail: [
        /^(?:Unused|Unlisted|Unresolved|Duplicate|Missing) [\w ]+ \([1-9]\d*\)/,
        /^✖ Found [1-9]/,
        /^x [1-9]\d* dependency violations/,
      ],
      pass: [/\bKnip found no issues/, /^✔ No circular dependency/, /^✔ no dependency violations/, /^All good!/],
    },
  },
];

export const knipCases: ToolCases = {
  docs: {
    knip: "https://knip.dev/reference/cli",
  },
  checks: { "npx knip --production": "knip", "madge --circular src": "madge src" },
  different: [
    ["knip", "publint"],
    ["knip", "knip --production"],
  ],
  outputs: [
    { command: "knip | tail", text: "Unused files (2)\nsrc/a.ts", verdict: "fail" },
    { command: "knip | tail", text: "✂️  Excellent, Knip found no issues.", verdict: "pass" },
    { command: "knip", text: "", status: 0, verdict: "pass" },
    { command: "madge --circular src | tail", text: "✖ Found 1 circular dependency!", verdict: "fail" },
  ],
};
