import type { Env } from "../../lib/io/paths.ts";
import { claudeRunner } from "../../judge/runners/claude.ts";
import { createCodexRunner } from "../../judge/runners/codex.ts";
import { cursorAgentRunner } from "../../judge/runners/cursor-agent.ts";
import { getRunnerEnv } from "../../judge/runners/env.ts";
import { readCodexProvider } from "../../judge/runners/read-codex-provider.ts";
import { RUNNERS_VARIABLE } from "../../judge/select.ts";
import { CARRIED } from "./read-service.ts";

/** The account and its session, which every supervisor gives its services, or which they can do without. */
const GIVEN = /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TERM|TMPDIR|XDG_.*)$/;

/**
 * The variables of this shell that the judge or a model CLI would use and that a service goes without, such as keys and proxies: what may
 * be a secret does not belong in a supervisor's file. Only their names.
 */
export function findLostVariables(env: Env): string[] {
  const runners = [createCodexRunner(readCodexProvider(env)), claudeRunner, cursorAgentRunner];
  const used = getRunnerEnv(env, {
    jobId: "",
    state: "",
    extra: runners.flatMap((runner) => runner.getVariables(env)),
  });
  const carried: readonly string[] = CARRIED;
  return Object.keys(env)
    .filter((name) => env[name] && (name === RUNNERS_VARIABLE || used[name] === env[name]))
    .filter((name) => !GIVEN.test(name) && !carried.includes(name))
    .sort();
}
