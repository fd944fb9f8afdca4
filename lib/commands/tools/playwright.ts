import type { Tool, ToolCases } from "./tool.ts";

/** Playwright, Cypress. */
export const playwrightTools: readonly Tool[] = [
  {
    id: "playwright",
    kind: "test",
    calls: ["playwright test", "@playwright/test test"],
    operands: "mixed",
    flags: {
      filter: "-g|--grep= --grep-invert|-gv= --last-failed --only-changed --shard=",
      config: "-u -c|--config= --headed --browser= --no-deps",
      project: "--project=",
      noise: `--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= -x --max-failures= -j=
        --workers= --retries= --timeout= --trace= --output= --fully-parallel --pass-with-no-tests
        --repeat-each=`,
      inert: "--list --ui --debug",
    },
    lines: {
      fail: [
        /^\s*[1-9]\d* failed$/,
        /^\s*[1-9]\d* (?:interrupted|errors? (?:was|were) not a part)/,
        /^\s*Error: Timed out waiting .* from config\.webServer/,
        /^\s*\d+\) \[[\w -]+\] › /,
      ],
      pass: [/^\s*\d+ passed \(\S+\)$/],
      problem: [/^\s*(?:✘|x)\s+\d+ /],
      nothing: [/^Error: No tests found/],
    },
  },
  {
    id: "cypress",
    kind: "test",
    calls: ["cypress run"],
    operands: "files",
    flags: {
      config: "--browser|-b= --component --e2e --env= --config=",
      file: "--spec|-s=",
      noise: "--reporter= --reporters= --outputFile= --output-file= -o= --format= -f= --headless --record",
    },
    lines: {
      fail: [/✖ +[1-9]\d* of \d+ failed/, /^\s*[1-9]\d* failing\b/],
      pass: [/✔ +All specs passed!/, /^\s*[1-9]\d* passing\b/],
      nothing: [/^Can't run because no spec files were found/],
    },
  },
];

export const playwrightCases: ToolCases = {
  docs: {
    playwright: "https://playwright.dev/docs/test-cli",
    cypress: "https://docs.cypress.io/app/references/command-line",
  },
  checks: {
    "npx playwright test": "playwright",
    "npx playwright test tests/a.spec.ts --project=chromium": "playwright chromium tests/a.spec.ts",
    "cypress run --spec e2e/a.cy.ts": "cypress e2e/a.cy.ts",
  },
  ignored: [
    "npx playwright install",
    "npx playwright show-report",
    "npx playwright test --ui",
    "npx playwright test --list",
  ],
  same: [
    [
      "npx playwright test tests/a.spec.ts",
      "sleep 5 && npx playwright test tests/a.spec.ts --reporter=line --retries=2",
    ],
  ],
  different: [["npx playwright test -g login", "npx playwright test -g logout"]],
  outputs: [
    { command: "playwright test | tail", text: "  4 passed (11.2s)", verdict: "pass" },
    {
      command: "playwright test | tail",
      text: "  1 failed\n    [chromium] › tests/a.spec.ts:3:1 › logs in\n  3 passed (11.2s)",
      verdict: "fail",
    },
    { command: "playwright test x | tail", text: "Error: No tests found", verdict: "unknown" },
    { command: "cypress run | tail", text: "✖  1 of 3 failed (33%)", verdict: "fail" },
  ],
};
