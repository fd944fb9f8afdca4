import type { Check } from "../../lib/commands/check.ts";
import type { FoldDeps } from "../../lib/transcript/fold.ts";

/** A check of the target `name`. */
export function makeCheck(name: string): Check {
  const scope = { tool: "check", cwd: "", project: [], files: [name], filters: [], config: [] };
  const target = { key: `check ${name}`, label: name, scope };
  return { tool: "check", target, ownsStatus: true, failsLine: true, chain: 0, view: "whole" };
}

/** Fits every command line in which `testDeps` find something, and more. */
export function mayHoldCheck(command: string): boolean {
  return /\bcheck\b/.test(command);
}

/**
 * A verifier library of one verifier: `check a; check b` checks `a` and `b`. An exit code decides first, then `failed`
 * or `ok` and `passed` in the text, then the failure bit.
 */
export const testDeps: FoldDeps = {
  findTreeMoves: () => [],
  findChecks: (command) => [...command.matchAll(/\bcheck (\S+?)(?=;|\s|$)/g)].map(([, name = ""]) => makeCheck(name)),
  getVerdicts: (checks, { text, isError, exitCode, interrupted }) =>
    checks.map(() => {
      if (interrupted === true) return { verdict: "unknown", evidence: "" };
      if (exitCode !== undefined) return { verdict: exitCode === 0 ? "pass" : "fail", evidence: text };
      if (/failed/.test(text)) return { verdict: "fail", evidence: text };
      if (/ok|passed/.test(text) || (text === "" && isError === false)) return { verdict: "pass", evidence: text };
      return { verdict: "unknown", evidence: "" };
    }),
};
