import type { FlagTable } from "../flag-table.ts";
import type { Tool } from "./tool.ts";

const sharedFlags: FlagTable = {
  config: "-tags= -race -msan -mod= -modfile= -ldflags= -gcflags=",
  folder: "-C=",
  noise: "-buildvcs -trimpath -v -x -a -p= -o=",
  inert: "-n",
};

const findings: readonly RegExp[] = [/^(?:vet: )?\S+\.go:\d+:\d+: /];

const wrongPlace: readonly RegExp[] = [
  /^go: cannot find main module/,
  /^go: go\.mod file not found/,
  /^pattern \S+: (?:directory prefix|main module|no matching)/,
  /^(?:stat|chdir|directory) \S+.*: (?:no such file|directory not found|no such directory)/,
  /^no required module provides package/,
];

/** go: https://pkg.go.dev/cmd/go; gotestsum: https://github.com/gotestyourself/gotestsum */
export const goTools: readonly Tool[] = [
  {
    id: "go test",
    calls: ["go test", "gotestsum", "richgo test", "gotest"],
    operands: "files",
    rest: "flags",
    sharedFlags,
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
    calls: ["go vet"],
    operands: "files",
    sharedFlags,
    flags: { config: "-vettool=", noise: "-json" },
    silent: true,
    lines: { fail: [/^vet: \S+\.go:\d+:\d+: /, /^# [\w./-]+$/], pass: [], problem: findings, nothing: wrongPlace },
  },
  {
    id: "go build",
    calls: ["go build"],
    operands: "files",
    sharedFlags,
    flags: {},
    silent: true,
    lines: {
      fail: [/^# [\w./-]+$/, /^package \S+ is not in std/, /^imports? cycle not allowed/],
      pass: [],
      problem: findings,
      nothing: wrongPlace,
    },
  },
];
