import assert from "node:assert/strict";
import type { TestContext } from "node:test";

/**
 * Whether a test is to end early for want of something that a machine can be given, such as a program: it is skipped aloud then. With
 * `CATSTACK_NO_SKIPS` it fails instead. What no setting of a machine can change (another system, another account) is a plain `skip`.
 */
export function lacks(
  t: Pick<TestContext, "skip">,
  isThere: boolean,
  what: string,
  noSkips = process.env["CATSTACK_NO_SKIPS"],
): boolean {
  if (isThere) return false;
  assert.ok(!noSkips, `expected ${what} on this machine, got none, and CATSTACK_NO_SKIPS forbids to skip; provide it`);
  t.skip(`needs ${what}`);
  return true;
}
