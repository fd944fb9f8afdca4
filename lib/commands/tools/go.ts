import type { FlagTable } from "../flag-table.ts";
import type { Tool, ToolCases } from "./tool.ts";

const sharedFlags: FlagTable = {
  config: "-tags= -race -msan -mod= -modfile= -ldflags= -gcflags=",
  folder: "-C=",
  noise: "-buildvcs -trimpath -v -x -a -p= -o=",
  inert: "-n",
};

const env = /^(?:CGO_ENABLED|GOARCH|GOOS)$/;

const findings: readonly RegExp[] = [/^(?:vet: )?\S+\.go:\d+:\d+: /];

const wrongPlace: readonly RegExp[] = [
  /^go: cannot find main module/,
  /^go: go\.mod file not found/,
  /^pattern \S+: (?:directory prefix|main module|no matching)/,
  /^(?:stat|chdir|directory) \S.*: (?:no such file|directory not found|no such directory)/,
  /^no required module provides package/,
  /^go: (?:cannot write multiple packages|build output ".*" already exists)/,
];

/** go, gotestsum. */
export const goTools: readonly Tool[] = [
  {
    id: "go test",
    kind: "test",
    calls: ["go test", "gotestsum", "richgo test", "gotest"],
    operands: "files",
    rest: "flags",
    sharedFlags,
    env,
    flags: {
      filter: "-run= -skip= -bench= -fuzz= -short",
      config: "-exec= -c -vet=",
      file: "--packages=",
      noise: `-count= -timeout= -parallel= -cpu= -failfast -json -cover -covermode= -coverprofile= -coverpkg= -shuffle=
        -benchtime= -benchmem -fuzztime= --format|-f= --junitfile= --rerun-fails`,
      inert: "-list=",
    },
    lines: {
      fail: [
        /^\s*--- FAIL: /,
        /^FAIL(?:\t|$)/,
        /^panic: /,
        /\[(?:build|setup) failed\]$/,
        /^# \S+ \[\S+\.test\]$/,
        /^=== Failed$/,
        /^DONE .*\b[1-9]\d* (?:failures?|errors?)/,
        /"Action":"fail"/,
      ],
      pass: [
        /^ok\s+\S+\s+(?:\(cached\)|\d[\d.]*s)(?!.*\[no tests to run\])/,
        /^PASS$/,
        /^\s*--- PASS: /,
        /^DONE \d+ tests/,
      ],
      problem: [...findings, /^# [\w./-]+$/],
      nothing: [
        /\[no test files\]$/,
        /\[no tests to run\]$/,
        /^testing: warning: no tests to run/,
        /^go: warning: ".*" matched no packages/,
        ...wrongPlace,
      ],
    },
  },
  {
    id: "go vet",
    kind: "lint",
    calls: ["go vet"],
    operands: "files",
    sharedFlags,
    env,
    flags: { config: "-vettool=", noise: "-json" },
    silent: true,
    lines: { fail: [/^vet: \S+\.go:\d+:\d+: /, /^# [\w./-]+$/], problem: findings, nothing: wrongPlace },
  },
  {
    id: "go build",
    kind: "build",
    calls: ["go build"],
    operands: "files",
    sharedFlags,
    env,
    flags: {},
    silent: true,
    lines: {
      fail: [/^# [\w./-]+$/, /^package \S+ is not in std/, /^imports? cycle not allowed/],
      problem: findings,
      nothing: wrongPlace,
    },
  },
];

export const goCases: ToolCases = {
  docs: {
    "go test": "https://pkg.go.dev/cmd/go#hdr-Test_packages",
    "go vet": "https://pkg.go.dev/cmd/vet",
    "go build": "https://pkg.go.dev/cmd/go#hdr-Compile_packages_and_dependencies",
  },
  checks: {
    "go test ./...": "go test ./...",
    "go test -race -run TestA ./pkg": "go test pkg -run TestA",
    "go -C svc test ./...": "go test ./...",
    "gotestsum -- ./...": "go test ./...",
    "go vet ./...": "go vet ./...",
    "go build -o /tmp/app ./cmd/app": "go build cmd/app",
  },
  ignored: [
    "go mod tidy",
    "go test -list . ./...",
    "go install example.com/x@latest",
    "go version",
    "go run ./cmd/app",
    "cat a_test.go",
  ],
  same: [
    ["go test ./...", "go test -v -count=1 ./... -timeout 60s"],
    ["go test -run TestA ./pkg", "go test ./pkg/ --run=TestA"],
    ["cd svc && go test ./...", "go -C svc test ./..."],
    ["go test", "go test ."],
  ],
  different: [
    ["go test ./a", "go test ./b"],
    ["go test -run TestA ./a", "go test -run TestB ./a"],
    ["go test ./...", "cd svc && go test ./..."],
    ["go test ./...", "go test -tags=integration ./..."],
    ["go test ./...", "GOOS=windows go test ./..."],
    ["go test ./...", "env GOARCH=arm64 go test ./..."],
  ],
  outputs: [
    {
      command: "go test ./... | tail",
      text: "ok  \texample.com/a\t0.104s\n?   \texample.com/b\t[no test files]",
      verdict: "pass",
    },
    {
      command: "go test ./... | tail",
      text: "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.com/a\t0.1s\nok  \texample.com/b\t0.2s",
      verdict: "fail",
    },
    { command: "go test ./b | tail", text: "?   \texample.com/b\t[no test files]", verdict: "unknown" },
    {
      command: "go test -run Nope ./a | tail",
      text: "ok  \texample.com/a\t0.1s [no tests to run]",
      verdict: "unknown",
    },
    {
      command: "go test ./... | head",
      text: "# example.com/a [example.com/a.test]\na/a_test.go:4:2: undefined: x",
      verdict: "fail",
    },
    { command: "go build ./... 2>&1 | tail", text: "", verdict: "unknown" },
    { command: "go build ./...", text: "", status: 0, verdict: "pass" },
    { command: "go vet ./... | tail", text: "# example.com/a\nvet: a/a.go:4:2: undefined: x", verdict: "fail" },
    {
      command: "go build ./...",
      text: "go: cannot find main module, but found .git/config in /repo",
      status: 1,
      verdict: "unknown",
    },
    { command: "go test ./...", text: "panic: runtime error: index out of range", status: 2, verdict: "fail" },
  ],
};
