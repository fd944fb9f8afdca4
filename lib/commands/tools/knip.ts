import type { Tool } from "./tool.ts";

/**
 * Checks of a package as a whole. Knip: https://knip.dev/reference/cli; madge: https://github.com/pahen/madge;
 * publint: https://publint.dev/docs/cli
 */
export const knipTools: readonly Tool[] = [
  {
    id: "knip",
    calls: ["knip", "depcheck", "madge", "dependency-cruiser", "depcruise", "publint", "attw"],
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
      pass: [/^✔ No circular dependency/, /^✔ no dependency violations/, /^All good!/],
    },
  },
];
