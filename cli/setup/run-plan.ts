import type { CliIo } from "../io.ts";
import { SettingsChanged } from "./settings-file.ts";
import { runSteps } from "./step.ts";
import type { Step } from "./step.ts";

/** A client writes to its settings now and then, and another set-up may run: neither does so for long. */
const TRIES = 5;

/** Makes a plan and runs it, and anew where somebody else changes a settings file between the two. Throws as the steps do. */
export function runPlan(plan: () => readonly Step[], dryRun: boolean, io: CliIo, tries = TRIES): void {
  try {
    runSteps(plan(), dryRun, io);
  } catch (error) {
    if (!(error instanceof SettingsChanged) || tries === 1) throw error;
    runPlan(plan, dryRun, io, tries - 1);
  }
}
