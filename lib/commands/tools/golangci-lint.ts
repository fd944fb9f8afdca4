import type { Tool, ToolCases } from "./tool.ts";

/** golangci-lint, staticcheck, govulncheck. */
export const golangciLintTools: readonly Tool[] = [
  {
    id: "golangci-lint",
    kind: "lint",
    calls: ["golangci-lint run", "golangci-lint fmt"],
    eachCall: true,
    operands: "files",
    flags: {
      config: `-c|--config= --no-config -E|--enable= -D|--disable= --enable-only= --default= --disable-all
        --enable-all --fast --build-tags= --new --new-from-rev= --new-from-merge-base= --fix --tests`,
      noise: `--timeout= -j= --concurrency= --max-issues-per-linter= --max-same-issues= --out-format=
        --output.text.path= --color= --show-stats --allow-parallel-runners`,
    },
    nothingStatus: [5],
    lines: {
      fail: [/^[1-9]\d* issues?[:.]/, /^level=error msg="\[linters_context\] typechecking/],
      pass: [/^0 issues\.?/, /^Congrats! No issues/],
      problem: [/^\S+\.go:\d+:\d+: /, /^level=error /],
      nothing: [
        /\bno go files to analyze\b/,
        /context loading failed: no go files/,
        /^Error: (?:unknown |can't load config)/,
        /\[deadline exceeded\]/,
      ],
    },
  },
  {
    id: "staticcheck",
    kind: "lint",
    calls: [
      "staticcheck",
      "errcheck",
      "revive",
      "gosec",
      "govulncheck",
      "ineffassign",
      "gocyclo",
      "golint",
      "deadcode",
    ],
    eachCall: true,
    operands: "files",
    flags: {
      config: "-tags= -race -msan -mod= -modfile= -ldflags= -gcflags= -checks= -tests -over= -config=",
      folder: "-C=",
      noise: "-buildvcs -trimpath -v -x -a -p= -o= -f=",
      inert: "-n -version",
    },
    silent: true,
    lines: {
      fail: [/^Vulnerability #\d+/],
      loose: [/^\S+\.go:\d+:\d+: /],
      pass: [/^No vulnerabilities found/],
    },
  },
];

export const golangciLintCases: ToolCases = {
  docs: {
    "golangci-lint": "https://golangci-lint.run/docs/configuration/cli/",
    staticcheck: "https://staticcheck.dev/docs/running-staticcheck/cli/",
  },
  checks: { "golangci-lint run ./...": "golangci-lint run ./...", "staticcheck ./...": "staticcheck ./..." },
  ignored: ["golangci-lint version", "golangci-lint linters", "golangci-lint run --help", "which staticcheck"],
  same: [["golangci-lint run ./...", "golangci-lint run --timeout=5m --fix=false ./..."]],
  different: [
    ["golangci-lint run", "golangci-lint fmt"],
    ["staticcheck ./...", "errcheck ./..."],
    ["golangci-lint run ./...", "golangci-lint run --fix ./..."],
    ["golangci-lint run ./...", "golangci-lint run --new-from-rev=main ./..."],
  ],
  outputs: [
    { command: "golangci-lint run | tail -3", text: "0 issues.", verdict: "pass" },
    { command: "golangci-lint run | tail -3", text: "3 issues:\n* errcheck: 3", verdict: "fail" },
    {
      command: "golangci-lint run | head -1",
      text: "a/a.go:3:2: Error return value is not checked (errcheck)",
      verdict: "fail",
    },
    { command: "golangci-lint run --nope", text: "Error: unknown flag: --nope", status: 3, verdict: "unknown" },
    {
      command: "staticcheck ./...",
      text: "a/a.go:9:3: this value of err is never used (SA4006)",
      status: 1,
      verdict: "fail",
    },
  ],
};
