import type { Tool } from "./tool.ts";

/**
 * GitHub's CI as `gh` shows it: https://cli.github.com/manual/gh_run_view,
 * https://cli.github.com/manual/gh_pr_checks
 */
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
    lines: {
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
      unfinished: [
        /"(?:state|status)":\s*"(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED|waiting)"/,
        /(?:^|[\s:|/(])(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED)(?:$|[\s|/),])/,
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
      nothing: [/^no checks reported/, /^(?:HTTP 404|could not find any workflow run|failed to get run)/],
    },
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
    lines: {
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
      unfinished: [
        /"(?:state|status)":\s*"(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED|waiting)"/,
        /(?:^|[\s:|/(])(?:in_progress|queued|pending|PENDING|IN_PROGRESS|QUEUED)(?:$|[\s|/),])/,
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
      nothing: [/^no checks reported/, /^(?:HTTP 404|could not find any workflow run|failed to get run)/],
    },
  },
];
