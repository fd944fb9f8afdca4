import type { Check } from "./check.ts";

/** The checks a shell command line runs, in order; empty when it checks nothing. Total: any text, no throw. */
export function findChecks(command: string, cwd = ""): readonly Check[] {
  void [command, cwd];
  return [];
}
