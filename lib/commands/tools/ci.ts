import type { Lines, Tool } from "./tool.ts";

const lines: Lines = {
  fail: [
    /"(?:conclusion|state|status|bucket)":\s*"(?:failure|FAILURE|fail|timed_out|TIMED_OUT|startup_failure|ERROR)"/,
    /(?:^|[\s:|/(])(?:failure|FAILURE|startup_failure|timed_out)(?:$|[\s|/),])/,
    /\tfail\t/,
    /^\s*X (?!The operation was cancell?ed)/,
    /##\[error\](?!The operation was cancell?ed)/,
    /\bcompleted with 'failure'/,
    /\bProcess completed with exit code [1-9]/,
    /^Some checks were not successful/,
  ],
  pass: [
    /"(?:conclusion|state|bucket)":\s*"(?:success|SUCCESS|pass)"/,
    /(?:^|[\s:|/(])(?:success|SUCCESS)(?:$|[\s|/),])/,
    /\tpass\t/,
    /^✓ \S.* · \d/,
    /^All checks were successful/,
    /\bcompleted with 'success'/,
  ],
  unfinished: [
    /"(?:state|status)":\s*"(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED|waiting)"/,
    /(?:^|[\s:|/(])(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED)(?:$|[\s|/),])/,
    /\tpending\t/,
  ],
  nothing: [/^no checks reported/, /^(?:HTTP 404|could not find any workflow run|failed to get run)/],
};

/** GitHub's CI as `gh` shows it: https://cli.github.com/manual/gh_run_view, https://cli.github.com/manual/gh_pr_checks */
export const ciTools: readonly Tool[] = [
  {
    id: "gh run",
    calls: ["gh run view", "gh run watch"],
    args: {
      operands: "projects",
      flags: {
        "-R": "config=",
        "--repo": "-R",
        "-j": "filter=",
        "--job": "-j",
        "-a": "config=",
        "--attempt": "-a",
        "--json": "noise=",
        "-q": "noise=",
        "--jq": "noise=",
        "-t": "noise=",
        "--template": "noise=",
        "--log": "noise",
        "--log-failed": "noise",
        "--exit-status": "noise",
        "-i": "noise=",
        "--interval": "noise=",
        "--compact": "noise",
        "-v": "noise",
        "-w": "inert",
        "--web": "inert",
      },
    },
    statusless: true,
    lines,
  },
  {
    id: "gh pr checks",
    calls: ["gh pr checks"],
    args: {
      operands: "projects",
      flags: {
        "-R": "config=",
        "--repo": "-R",
        "--json": "noise=",
        "-q": "noise=",
        "--jq": "noise=",
        "-t": "noise=",
        "--watch": "noise",
        "--fail-fast": "noise",
        "-i": "noise=",
        "--interval": "noise=",
        "--required": "filter",
        "-w": "inert",
        "--web": "inert",
      },
    },
    statusless: true,
    lines,
  },
];
