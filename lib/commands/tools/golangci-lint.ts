import type { Tool } from "./tool.ts";

/**
 * golangci-lint: https://golangci-lint.run/docs/configuration/cli/; staticcheck:
 * https://staticcheck.dev/docs/running-staticcheck/cli/; govulncheck:
 * https://pkg.go.dev/golang.org/x/vuln/cmd/govulncheck
 */
export const golangciLintTools: readonly Tool[] = [
  {
    id: "golangci-lint",
    calls: ["golangci-lint run", "golangci-lint fmt"],
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
        /level=error msg=".*no go files to analyze/,
        /context loading failed: no go files/,
        /^Error: unknown /,
        /\[deadline exceeded\]/,
      ],
    },
  },
  {
    id: "staticcheck",
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
    operands: "files",
    flags: {
      config: "-tags= -race -msan -mod= -modfile= -ldflags= -gcflags= -checks= -tests -over= -config=",
      folder: "-C=",
      noise: "-buildvcs -trimpath -v -x -a -p= -o= -f=",
      inert: "-n -version",
    },
    silent: true,
    lines: {
      fail: [/^\S+\.go:\d+:\d+: /, /^Vulnerability #\d+/],
      pass: [/^No vulnerabilities found/],
    },
  },
];
