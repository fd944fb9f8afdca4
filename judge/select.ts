import { cutReason, showText, showValue } from "../inbox-schema/describe.ts";
import type { Mode } from "../inbox-schema/job.ts";
import { runnerEntry, type RunnerEntry } from "../inbox-schema/settings.ts";
import { claudeRunner } from "./runners/claude.ts";
import type { CodexProvider } from "./runners/codex-provider.ts";
import { createCodexRunner } from "./runners/codex.ts";
import { cursorAgentRunner } from "./runners/cursor-agent.ts";
import { createCustomRunner, findEntryProblem } from "./runners/custom.ts";
import type { Runner } from "./runners/runner.ts";

export const RUNNERS_VARIABLE = "CATSTACK_LLM_JUDGE_RUNNERS";

export type Selection =
  | { readonly ok: true; readonly runners: readonly Runner[] }
  | { readonly ok: false; readonly reason: string };

/** What decides who is asked. */
export interface SelectionInput {
  readonly mode: Mode;
  /** The text of `CATSTACK_LLM_JUDGE_RUNNERS`; undefined: not set. */
  readonly override: string | undefined;
  /** The settings' runner sets. */
  readonly runnerSets: Readonly<Partial<Record<Mode, readonly RunnerEntry[]>>>;
  readonly provider: CodexProvider;
}

/**
 * Chooses the runners to ask, in order: those of the variable, else those of the settings, else our own of that mode. What
 * is malformed never falls back to another set: a person who named a stub must not be answered, and billed, by a model.
 */
export function selectRunners({ mode, override, runnerSets, provider }: SelectionInput): Selection {
  if (override !== undefined) return parseOverride(override, provider);
  const entries = runnerSets[mode];
  if (entries !== undefined) return toRunners(entries, `judge.runners.${mode}`, provider);
  const runners = [createCodexRunner(provider), claudeRunner];
  return { ok: true, runners: mode === "investigate" ? runners : [...runners, cursorAgentRunner] };
}

/** Why the variable can never be followed, whatever the job; undefined: it is sound, or not set. */
export function findOverrideProblem(override: string | undefined, provider: CodexProvider): string | undefined {
  const selection = override === undefined ? undefined : parseOverride(override, provider);
  return selection?.ok === false ? selection.reason : undefined;
}

function parseOverride(text: string, provider: CodexProvider): Selection {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(RUNNERS_VARIABLE, "a JSON list of [name, [argv...]]", `\`${showText(text)}\``);
  }
  if (!Array.isArray(value) || value.length === 0) {
    return refuse(RUNNERS_VARIABLE, "a JSON list of one or more [name, [argv...]]", showValue(value));
  }
  const entries: RunnerEntry[] = [];
  for (const [index, item] of value.entries()) {
    const entry = runnerEntry.safeParse(item);
    if (!entry.success)
      return refuse(`${RUNNERS_VARIABLE}[${index}]`, "[name, [argv...]], all strings", showItem(item));
    entries.push(entry.data);
  }
  return toRunners(entries, RUNNERS_VARIABLE, provider);
}

function toRunners(entries: readonly RunnerEntry[], where: string, provider: CodexProvider): Selection {
  for (const [index, entry] of entries.entries()) {
    const problem = findEntryProblem(entry);
    if (problem !== undefined) return refuse(`${where}[${index}]`, problem.expected, problem.got);
  }
  return { ok: true, runners: entries.map((entry) => createCustomRunner(entry, provider)) };
}

function refuse(where: string, expected: string, got: string): Selection {
  return { ok: false, reason: cutReason(`expected ${where} to be ${expected}, got ${got}; correct it or remove it`) };
}

function showItem(item: unknown): string {
  return showText(JSON.stringify(item));
}
