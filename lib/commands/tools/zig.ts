import type { Tool } from "./tool.ts";

/** Zig: https://ziglang.org/documentation/master/#Zig-Test */
export const zigTools: readonly Tool[] = [
  {
    id: "zig build",
    calls: ["zig build test", "zig build", "zig test"],
    operands: "mixed",
    flags: {
      filter: "--test-filter=",
      config: "-Doptimize=",
      noise: "--summary=",
    },
    silent: true,
    lines: {
      fail: [/^error: the following /],
      loose: [/: error: /, /\b[1-9]\d* failed\b/],
      pass: [/^All \d+ tests passed/],
    },
  },
];
