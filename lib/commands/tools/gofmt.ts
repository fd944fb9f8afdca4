import type { Tool, ToolCases } from "./tool.ts";

/** gofmt and its kin. It exits 0 whatever it lists. */
export const gofmtTools: readonly Tool[] = [
  {
    id: "gofmt -l",
    kind: "format",
    calls: ["gofmt", "goimports", "gofumpt", "gci"],
    onlyWith: ["-l", "-d"],
    operands: "files",
    flags: {
      config: "-s -local=",
      noise: "-l -d -e",
      inert: "-w",
    },
    silent: true,
    statusless: true,
    lines: {
      loose: [/^\S+\.go$/, /^diff (?:-u )?\S+\.go/, /^\S+\.go:\d+:\d+: /],
      nothing: [/^(?:stat|lstat) \S+: no such file/],
    },
  },
];

export const gofmtCases: ToolCases = {
  docs: {
    "gofmt -l": "https://pkg.go.dev/cmd/gofmt",
  },
  checks: { "gofmt -l .": "gofmt -l", "gofumpt -l -d cmd": "gofmt -l cmd" },
  ignored: ["gofmt -w .", "gofmt a.go", "goimports -w a.go"],
  outputs: [
    { command: "gofmt -l .", text: "cmd/app/main.go", status: 0, verdict: "fail" },
    { command: "gofmt -l .", text: "", status: 0, verdict: "pass" },
    { command: "gofmt -l . | grep main", text: "", verdict: "unknown" },
  ],
};
