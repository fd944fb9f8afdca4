import type { Tool, ToolCases } from "./tool.ts";

/** Stylelint. */
export const stylelintTools: readonly Tool[] = [
  {
    id: "stylelint",
    kind: "lint",
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
    },
  },
];

export const stylelintCases: ToolCases = {
  docs: {
    stylelint: "https://stylelint.io/user-guide/cli/",
  },
  checks: { 'npx stylelint "src/**/*.css"': "stylelint src/**/*.css" },
  outputs: [
    {
      command: "stylelint a.css | cat",
      text: "a.css\n  3:5  ✖  Unexpected unknown property  property-no-unknown\n\n✖ 1 problem (1 error, 0 warnings)",
      verdict: "fail",
    },
    { command: "stylelint a.css", text: "", status: 0, verdict: "pass" },
  ],
};
