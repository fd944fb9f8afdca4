import type { CliIo } from "../io.ts";

/** One thing that a set-up verb does, in the one line it is told in. A step without `run` only tells. */
export interface Step {
  readonly word: "link" | "write" | "add" | "run" | "ok" | "skip" | "remove" | "backup" | "keep" | "note";
  readonly text: string;
  /** Lines that show the change of a file, for a dry run. */
  readonly diff?: readonly string[];
  readonly run?: () => void;
}

/** Prints and runs each step; with `dryRun` nothing is run. */
export function runSteps(steps: readonly Step[], dryRun: boolean, io: CliIo): void {
  for (const step of steps) {
    if (!dryRun) step.run?.();
    tell(step.word, step.text, io);
    if (dryRun) for (const line of step.diff ?? []) io.out(`  ${line}`);
  }
}

/** Prints what is told of one step. */
export function tell(word: Step["word"], text: string, io: CliIo): void {
  io.out(`${word.padEnd(7)} ${text}`);
}

/** The last line of a dry run. */
export function tellDryRun(io: CliIo): void {
  io.out("dry run: nothing of this was done");
}
