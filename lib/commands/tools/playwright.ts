import { reportFlags, type Tool } from "./tool.ts";

/** Playwright: https://playwright.dev/docs/test-cli; Cypress: https://docs.cypress.io/app/references/command-line */
export const playwrightTools: readonly Tool[] = [
  {
    id: "playwright",
    calls: ["playwright test", "@playwright/test test"],
    args: {
      operands: "mixed",
      flags: {
        ...reportFlags,
        "-g": "filter=",
        "--grep": "-g",
        "--grep-invert": "filter=",
        "-gv": "--grep-invert",
        "--last-failed": "filter",
        "--only-changed": "filter",
        "--project": "project=",
        "--shard": "filter=",
        "-c": "config=",
        "--config": "-c",
        "--headed": "config",
        "--browser": "config=",
        "-x": "noise",
        "--max-failures": "noise=",
        "-j": "noise=",
        "--workers": "noise=",
        "--retries": "noise=",
        "--timeout": "noise=",
        "--trace": "noise=",
        "--output": "noise=",
        "--fully-parallel": "noise",
        "--pass-with-no-tests": "noise",
        "--repeat-each": "noise=",
        "--no-deps": "config",
        "--list": "inert",
        "--ui": "inert",
        "--debug": "inert",
        "-u": "inert",
        "--update-snapshots": "inert",
      },
    },
    lines: {
      fail: [/^\s*[1-9]\d* failed$/, /^\s*[1-9]\d* (?:interrupted|errors? (?:was|were) not a part)/, /^\s*Error: Timed out waiting .* from config\.webServer/, /^\s*\d+\) \[[\w -]+\] › /],
      pass: [/^\s*\d+ passed \(\S+\)$/],
      nothing: [/^Error: No tests found/],
      problem: [/^\s*(?:✘|x)\s+\d+ /],
    },
  },
  {
    id: "cypress",
    calls: ["cypress run"],
    args: {
      operands: "files",
      flags: { ...reportFlags, "--spec": "file=", "-s": "--spec", "--browser": "config=", "-b": "--browser", "--component": "config", "--e2e": "config", "--env": "config=", "--config": "config=", "--headless": "noise", "--record": "noise" },
    },
    lines: { fail: [/✖ +[1-9]\d* of \d+ failed/, /^\s*[1-9]\d* failing\b/], pass: [/✔ +All specs passed!/, /^\s*[1-9]\d* passing\b/], nothing: [/^Can't run because no spec files were found/] },
  },
];
