import type { Tool } from "./tool.ts";

/** Stylelint: https://stylelint.io/user-guide/cli/ */
export const stylelintTools: readonly Tool[] = [
  {
    id: "stylelint",
    calls: ["stylelint"],
    operands: "files",
    flags: {
      config: "--config= --fix --max-warnings=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --cache
        --allow-empty-input`,
    },
    silent: true,
    lines: {
      fail: [/^(?:✖ )?[1-9]\d* problems? \([1-9]\d* errors?/, /^\s+\d+:\d+\s+✖\s/],
      pass: [],
    },
  },
];
