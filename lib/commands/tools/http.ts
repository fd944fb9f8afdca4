import type { Tool, ToolCases } from "./tool.ts";

/** Tests of HTTP interfaces, written down as requests. */

export const httpTools: readonly Tool[] = [
  {
    id: "hurl --test",
    kind: "test",
    calls: ["hurl"],
    onlyWith: ["--test"],
    operands: "files",
    flags: {
      filter: "--glob=",
      config: "--variable= --variables-file=",
      noise: "--test --jobs= --report-html= --report-junit= --very-verbose",
    },
    lines: { fail: [/^Failed files:\s+[1-9]/], pass: [/^Failed files:\s+0\b/] },
  },
  {
    id: "newman",
    kind: "test",
    calls: ["newman run", "bru run"],
    eachCall: true,
    operands: "files",
    flags: { filter: "--folder= --tags=", config: "-e|--environment= -g= --env=", noise: "-r|--reporters= --bail -k" },
    lines: {
      fail: [
        /^│\s+assertions │\s+\d+ │\s+[1-9]/,
        /^\s*\d+\.\s+AssertionError\b/,
        /^Tests:\s+\d+ passed, [1-9]\d* failed/,
      ],
      pass: [/^│\s+assertions │\s+[1-9]\d* │\s+0 │/, /^Tests:\s+[1-9]\d* passed, \d+ total/],
    },
  },
  {
    id: "k6",
    kind: "test",
    calls: ["k6 run"],
    operands: "files",
    flags: {
      config: "-e= -u= --vus= -d= --duration= -i= --iterations= --stage=",
      noise: "-o= --out= --summary-export= --no-summary",
    },
    lines: { fail: [/\bthresholds on metrics? '[^']*' ha(?:ve|s) been crossed/, /^\s*checks_failed\.+: [1-9]/] },
  },
];

export const httpCases: ToolCases = {
  docs: {
    "hurl --test": "https://hurl.dev/docs/manual.html",
    newman: "https://github.com/postmanlabs/newman",
    k6: "https://grafana.com/docs/k6/latest/using-k6/k6-options/",
  },
  checks: {
    "hurl --test a.hurl": "hurl --test a.hurl",
    "npx newman run a.json -e b.json": "newman run a.json",
    "k6 run load.js": "k6 load.js",
  },
  ignored: ["hurl a.hurl", "newman --version", "k6 new"],
  outputs: [
    {
      command: "hurl --test a.hurl | tail",
      text: "Succeeded files:  2 (100.0%)\nFailed files:     0 (0.0%)",
      verdict: "pass",
    },
    {
      command: "hurl --test a.hurl | tail",
      text: "Succeeded files:  1 (50.0%)\nFailed files:     1 (50.0%)",
      verdict: "fail",
    },
    {
      command: "newman run a.json | tail",
      text: "│              assertions │                9 │               1 │",
      verdict: "fail",
    },
    {
      command: "newman run a.json | tail",
      text: "│              assertions │                9 │               0 │",
      verdict: "pass",
    },
    {
      command: "k6 run a.js | tail",
      text: "level=error msg=\"thresholds on metrics 'http_req_duration' have been crossed\"",
      verdict: "fail",
    },
  ],
};
