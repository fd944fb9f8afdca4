import type { Lines, Tool, ToolCases } from "./tool.ts";

/** What GitHub reports of checks, in the tables and in the JSON of both commands. */
const reported: Lines = {
  fail: [
    /"(?:conclusion|state|status|bucket)":\s*"(?:failure|FAILURE|fail|timed_out|TIMED_OUT|startup_failure|ERROR)"/,
    // Not a word of a log: "✓ handles failure (3 ms)".
    /^(?!\s*[✓✔√]).*?(?:^|[\s:|/(])(?:failure|FAILURE|startup_failure|timed_out)(?:\)?$|[|/,\t]| +\d)/,
    /\tfail\t/,
    /^\s*X (?!The operation was cancell?ed)/,
    /##\[error\](?!The operation was cancell?ed)/,
    /\bcompleted with 'failure'/,
    /\bProcess completed with exit code [1-9]/,
    /^Some checks were not successful/,
  ],
  unfinished: [
    /"(?:state|status)":\s*"(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED|waiting)"/,
    /(?:^|[\s:|/(])(?<!\b0 )(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED)(?:$|[\s|/),])/,
    /\tpending\t/,
  ],
  pass: [
    /"(?:conclusion|state|bucket)":\s*"(?:success|SUCCESS|pass)"/,
    /(?:^|[\s:|/(])(?:success|SUCCESS)(?:$|[\s|/),])/,
    /\tpass\t/,
    /^✓ \S.* · \d/,
    /^All checks were successful/,
    /\bcompleted with 'success'/,
  ],
  nothing: [
    /^no checks reported/,
    /^(?:HTTP [45]\d\d|could not find any workflow run|failed to get run|error connecting to |To get started with GitHub CLI)/,
  ],
};

/** GitHub's CI as `gh` shows it. */
export const ciTools: readonly Tool[] = [
  {
    id: "gh run",
    calls: ["gh run view", "gh run watch"],
    operands: "projects",
    flags: {
      filter: "-j|--job=",
      config: "-R|--repo= -a|--attempt=",
      noise: "--json= -q= --jq= -t= --template= --log --log-failed --exit-status -i= --interval= --compact -v",
      inert: "-w --web",
    },
    statusless: true,
    lines: reported,
  },
  {
    id: "gh pr checks",
    calls: ["gh pr checks"],
    operands: "projects",
    flags: {
      filter: "--required",
      config: "-R|--repo=",
      noise: "--json= -q= --jq= -t= --watch --fail-fast -i= --interval=",
      inert: "-w --web",
    },
    statusless: true,
    lines: reported,
  },
];

export const ciCases: ToolCases = {
  docs: {
    "gh run": "https://cli.github.com/manual/gh_run_view",
    "gh pr checks": "https://cli.github.com/manual/gh_pr_checks",
  },
  checks: {
    "gh pr checks 12": "gh pr checks 12",
    "gh run view 99 --log-failed": "gh run 99",
    "gh run watch 99 --exit-status": "gh run 99",
  },
  ignored: [
    "gh run list",
    "gh run rerun 99",
    "gh run download 99",
    "gh pr view 12",
    "gh pr create --title 'fix checks'",
  ],
  same: [
    ["gh pr checks 12", "sleep 30 && gh pr checks 12 --watch"],
    ["gh run view 99 --log-failed | tail -50", "gh run view 99 --json status,conclusion --jq .conclusion"],
  ],
  different: [
    ["gh pr checks 12", "gh pr checks 13"],
    ["gh run view 98", "gh run view 99"],
    ["gh run view 98 -R a/b", "gh run view 98 -R a/c"],
  ],
  outputs: [
    {
      command: "gh pr checks 12",
      text: "lint\tpass\t20s\thttps://x\ntest\tpass\t40s\thttps://x",
      status: 0,
      verdict: "pass",
    },
    {
      command: "gh pr checks 12",
      text: "lint\tpass\t20s\thttps://x\ntest\tfail\t40s\thttps://x",
      status: 1,
      verdict: "fail",
    },
    {
      command: "gh pr checks 12",
      text: "lint\tpass\t20s\thttps://x\ntest\tpending\t0\thttps://x",
      status: 8,
      verdict: "unknown",
    },
    { command: "gh run view 99 --json conclusion", text: '{"conclusion":"success"}', status: 0, verdict: "pass" },
    {
      command: "gh run view 99 --json status,conclusion",
      text: '{"conclusion":"","status":"in_progress"}',
      status: 0,
      verdict: "unknown",
    },
    {
      command: "gh run view 99 --json status,conclusion -q '.status + .conclusion'",
      text: "completed failure",
      status: 0,
      verdict: "fail",
    },
    {
      command: "gh run view 99 --log | tail -2",
      text: "test\tRun\t2026-01-02T10:00:00.0000000Z ✓ handles failure (3 ms)\ntest\tRun\t2026-01-02T10:00:00.0000000Z Job: success",
      verdict: "pass",
    },
    {
      command: "gh pr checks 12 | tail -2",
      text: "All checks were successful\n0 cancelled, 0 failing, 4 successful, 0 skipped, and 0 pending checks",
      verdict: "pass",
    },
    {
      command: "gh run view 99 --log-failed",
      text: "test\tRun tests\t2026-01-02T10:00:00.0000000Z ##[error]Process completed with exit code 1.",
      status: 0,
      verdict: "fail",
    },
  ],
};
