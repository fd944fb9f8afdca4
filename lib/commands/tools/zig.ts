import type { Tool, ToolCases } from "./tool.ts";

/** Zig. */
export const zigTools: readonly Tool[] = [
  {
    id: "zig build",
    calls: ["zig build test", "zig build", "zig test"],
    eachCall: true,
    operands: "mixed",
    flags: {
      filter: "--test-filter=",
      config: "-Doptimize=",
      noise: "--summary=",
    },
    silent: true,
    lines: {
      fail: [
        /^error: the following /,
        /^Build Summary: .*\b[1-9]\d* failed\b/,
        /\bpassed[,;] .{0,60}\b[1-9]\d{0,8} failed\b/,
      ],
      loose: [/: error: /],
      pass: [/^All \d+ tests passed/, /^Build Summary: (\d+)\/\1 steps succeeded/],
    },
  },
];

export const zigCases: ToolCases = {
  docs: {
    "zig build": "https://ziglang.org/documentation/master/#Zig-Test",
  },
  checks: { "zig build test": "zig build test", "zig test src/a.zig": "zig test src/a.zig" },
  ignored: ["zig run src/a.zig"],
  outputs: [
    { command: "zig test src/a.zig | cat", text: "All 3 tests passed.", verdict: "pass" },
    {
      command: "zig build test --summary all | tail -2",
      text: "Build Summary: 3/3 steps succeeded; 12/12 tests passed\ntest success",
      verdict: "pass",
    },
    {
      command: "zig build test --summary all | tail -2",
      text: "Build Summary: 1/3 steps succeeded; 1 failed; 11/12 tests passed; 1 failed",
      verdict: "fail",
    },
    { command: "zig test src/a.zig | cat", text: "src/a.zig:3:1: error: expected ';'", verdict: "fail" },
  ],
};
