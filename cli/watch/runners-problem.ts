import { readCodexProvider } from "../../judge/runners/read-codex-provider.ts";
import { findOverrideProblem, RUNNERS_VARIABLE } from "../../judge/select.ts";
import type { Env } from "../../lib/io/paths.ts";

/** What is wrong with the variable that names the runners: with it no question would ever be asked. */
export function findRunnersProblem(env: Env): string | undefined {
  return findOverrideProblem(env[RUNNERS_VARIABLE], readCodexProvider(env));
}
