import type { Scope } from "../../lib/commands/check.ts";

/** Runners of tasks and scripts: their names stand before the task's. */
const runner =
  /^(?:script|g?make|just|task|rake|invoke|inv|mage|poe|earthly|composer|deno task|fastlane|hatch|lerna|melos|mise|moon|nx|rush|turbo) \S|^(?:tox|nox|pre-commit)$/;

/** Whether a check runs others that its command does not name: a task, a package script, a script file. */
export function isRunner({ tool, files }: Scope): boolean {
  return runner.test(tool) || files.some((file) => file.endsWith(`/${tool}`) || file === tool);
}
