import type { Tool } from "./tool.ts";

/**
 * Linters of prose. markdownlint: https://github.com/DavidAnson/markdownlint-cli2; Vale: https://vale.sh/docs/cli
 */
export const markdownlintTools: readonly Tool[] = [
  {
    id: "markdownlint",
    calls: ["markdownlint-cli2", "markdownlint"],
    operands: "files",
    flags: {
      filter: "--ignore|-i=",
      config: "--config|-c= --fix|-f --disable=",
      noise: "--dot -d",
    },
    silent: true,
    lines: {
      fail: [/^Summary: [1-9]\d* error/, /^\S+:\d+(?::\d+)? (?:error )?MD\d+/],
      pass: [/^Summary: 0 error/],
      nothing: [/^Linting: 0 file/],
    },
  },
  {
    id: "vale",
    calls: ["vale"],
    not: ["sync", "ls-config", "ls-dirs"],
    operands: "files",
    flags: {
      filter: "--glob=",
      config: "--config= --minAlertLevel=",
      noise: "--output= --no-exit",
    },
    lines: {
      fail: [/^✖ [1-9]\d* errors?, /],
      pass: [/^✔ 0 errors, /, /^(?:✖|✔) 0 errors, /],
      nothing: [/^✖ .* in 0 files/],
    },
  },
];
