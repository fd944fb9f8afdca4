import type { Tool } from "./tool.ts";

/** ESLint: https://eslint.org/docs/latest/use/command-line-interface; xo, standard and `next lint` wrap it */
export const eslintTools: readonly Tool[] = [
  {
    id: "eslint",
    calls: ["eslint", "eslint_d", "xo", "standard", "next lint", "vue-cli-service lint"],
    operands: "files",
    flags: {
      filter: "--ignore-pattern=",
      config: "-c|--config= --ext= --rule= --max-warnings= --quiet --no-eslintrc --fix --fix-dry-run",
      file: "--dir=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --cache
        --cache-location= --no-error-on-unmatched-pattern --no-warn-ignored`,
      inert: "--print-config= --init --inspect-config",
    },
    silent: true,
    lines: {
      fail: [
        /^✖ \d+ problems? \([1-9]\d* errors?/,
        /^ESLint found too many warnings/,
        /^Oops! Something went wrong/,
        /^ESLint couldn't find /,
      ],
      pass: [/^✖ \d+ problems? \(0 errors/, /No ESLint warnings or errors/],
      problem: [/^\s+\d+:\d+\s+error\s/],
      nothing: [/^No files matching the pattern/, /^All files matched by .* are ignored/],
    },
  },
];
