import type { CliIo } from "../io.ts";

/** One thing that a set-up verb does, in the one line it is told in. A step without `run` only tells. */
export interface Step {
  readonly word: "link" | "write" | "add" | "run" | "ok" | "skip" | "remove" | "backup" | "keep" | "note";
  readonly text: string;
  readonly run?: () => void;
}

/** Prints and runs each step; with `dryRun` nothing is run. */
export function runSteps(steps: readonly Step[], dryRun: boolean, io: CliIo): void {
  for (const step of steps) {
    if (!dryRun) step.run?.();
    io.out(`${step.word.padEnd(7)} ${step.text}`);
  }
  if (dryRun) io.out("dry run: nothing was written");
}
