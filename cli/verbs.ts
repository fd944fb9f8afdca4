import type { CliIo } from "./io.ts";

/** Gives the exit code. Throws a UsageError for a wrong call, a Failure for what cannot be done. */
export type RunVerb = (args: readonly string[], io: CliIo) => Promise<number>;

export interface Verb {
  readonly name: string;
  /** What follows the name, such as `FILE|- [--json]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly (readonly [string, string])[];
  /** A verb's code is only run when it is called. */
  load(): Promise<RunVerb>;
}

const dryRun = ["--dry-run", "only print what would change"] as const;

/** Every verb, in the order of the help. */
export const verbs: readonly Verb[] = [
  {
    name: "install",
    usage: "[--dry-run]",
    summary: "add the hooks to Claude Code's settings",
    options: [dryRun],
    load: async () => (await import("./install.ts")).install,
  },
  {
    name: "uninstall",
    usage: "[--dry-run]",
    summary: "take out what install put in, and nothing else",
    options: [dryRun],
    load: async () => (await import("./uninstall.ts")).uninstall,
  },
];
