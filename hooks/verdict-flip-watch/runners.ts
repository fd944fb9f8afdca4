import type { Scope } from "../../lib/commands/check.ts";

/** Runners of tasks and scripts: their names stand before the task's. */
const runner =
  /^(?:script|g?make|just|task|rake|invoke|inv|mage|poe|earthly|composer|deno task|fastlane|hatch|lerna|melos|mise|moon|nx|rush|turbo) \S|^(?:tox|nox|pre-commit)$/;

/** Whether a check runs others that its command does not name: a task, a package script, a script file. */
export function isRunner(scope: Scope): boolean {
  return runner.test(scope.tool) || isScriptFile(scope);
}

/** Whether a check is a file of the project that is run: what its arguments mean is its own. */
export function isScriptFile({ tool, files }: Scope): boolean {
  return files.some((file) => file.endsWith(`/${tool}`) || file === tool);
}
