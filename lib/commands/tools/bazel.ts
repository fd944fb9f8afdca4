import type { Tool, ToolCases } from "./tool.ts";

/** Bazel and Buck2. */
export const bazelTools: readonly Tool[] = [
  {
    id: "bazel",
    calls: ["bazel test", "bazel build", "bazelisk test", "bazelisk build", "buck2 test", "buck2 build"],
    eachCall: true,
    operands: "projects",
    flags: {
      filter: "--test_filter= --test_tag_filters=",
      config: "--config= -c=",
      noise: "--test_output=",
    },
    nothingStatus: [4],
    lines: {
      fail: [
        /^\/\/\S+ +(?:FAILED|TIMEOUT)/,
        /\b[1-9]\d* fails? (?:locally|remotely|to)/,
        /^INFO: Build did NOT complete/,
      ],
      loose: [/^(?:FAILED|ERROR): /],
      nothing: [/^ERROR: (?:The '\w+' command is only supported from within|No test targets were found)/],
      pass: [/^INFO: Build completed successfully/, /^Executed \d+ out of \d+ tests?: \d+ tests? pass/],
    },
  },
];

export const bazelCases: ToolCases = {
  docs: {
    bazel: "https://bazel.build/docs/user-manual",
  },
  checks: { "bazel test //...": "bazel test //...", "bazelisk build //lib:all": "bazelisk build //lib:all" },
  ignored: ["bazel query //...", "bazel clean"],
  different: [
    ["bazel test //a", "bazel build //a"],
    ["bazel test //a/...", "bazel test //b/..."],
  ],
  outputs: [
    {
      command: "bazel test //... | tail",
      text: "//lib:lib_test          FAILED in 3 out of 3 in 0.4s",
      verdict: "fail",
    },
    {
      command: "bazel build //... | tail",
      text: "INFO: Build completed successfully, 12 total actions",
      verdict: "pass",
    },
  ],
};
