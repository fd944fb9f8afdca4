import type { Answered } from "./ask-judge.ts";
import { getCaseId } from "./case-id.ts";
import type { Verdicts } from "./format-report.ts";
import type { CaseState, Label } from "./label-lines.ts";
import { scoreHook, type HookScore, type LabelledState } from "./score-hook.ts";
import { isWithin, listActive, listStates } from "./summarise.ts";
import type { WalkedSession } from "./walk.ts";

/** What a hook does in each turn in which it does something, by the id of the case. */
export type States = ReadonlyMap<string, CaseState>;

/** With answers, what came of the questions: a hit of one of them counts for the turn. */
export function collectStates(
  sessions: readonly WalkedSession[],
  hook: string,
  since: Date | null,
  answers: readonly Answered[] | undefined,
): States {
  const states = new Map<string, CaseState>(listStates(listActive(sessions, hook, since)));
  for (const [id, state] of states) {
    const own = (answers ?? []).filter(({ question }) => question.caseId === id);
    if (state === "asks" && own.length > 0) states.set(id, combine(own));
  }
  return states;
}

function combine(answers: readonly Answered[]): CaseState {
  const outcomes = answers.map(({ verdict }) => verdict?.outcome);
  if (outcomes.includes("hit")) return "hit";
  if (outcomes.includes(undefined)) return "asks";
  return outcomes.includes("unchecked") ? "unchecked" : "clean";
}

/** The verdicts of the questions of a hook; undefined when it asks nothing. */
export function countVerdicts(hook: string, answers: readonly Answered[]): Verdicts | undefined {
  const own = answers.filter(({ question }) => question.caseId.startsWith(`${hook}/`));
  const count = (outcome: string | undefined) => own.filter(({ verdict }) => verdict?.outcome === outcome).length;
  if (own.length === 0) return undefined;
  const unchecked = own.find(({ verdict }) => verdict?.outcome === "unchecked")?.verdict;
  return {
    hit: count("hit"),
    clean: count("clean"),
    unchecked: count("unchecked"),
    open: count(undefined),
    ...(unchecked === undefined ? {} : { uncheckedBecause: unchecked.reason }),
  };
}

export interface ScoredLabels {
  readonly score: HookScore;
  /** Labels of the hook whose turn was not among those that were read. */
  readonly strange: number;
}

/** Scores a hook by the labels that are about it; undefined when none is. */
export function scoreLabels(
  hook: string,
  sessions: readonly WalkedSession[],
  since: Date | null,
  labels: readonly Label[],
  { states, isJudged }: { readonly states: States; readonly isJudged: boolean },
): ScoredLabels | undefined {
  const turns = listTurns(hook, sessions, since);
  const own = labels.filter(({ id }) => id.startsWith(`${hook}/`));
  const labelled = own.flatMap(({ hit, ...label }): LabelledState[] =>
    hit === null || !turns.has(label.id) ? [] : [{ label: { ...label, hit }, state: states.get(label.id) ?? "silent" }],
  );
  if (own.every(({ hit }) => hit === null)) return undefined;
  const population = { active: states.size, silent: turns.size - states.size };
  return { score: scoreHook(labelled, isJudged, population), strange: own.filter(({ id }) => !turns.has(id)).length };
}

function listTurns(hook: string, sessions: readonly WalkedSession[], since: Date | null): ReadonlySet<string> {
  return new Set(
    sessions.flatMap(({ path, result }) =>
      result.turns.flatMap((at, index) => (isWithin(at, since) ? [getCaseId(hook, path, index + 1)] : [])),
    ),
  );
}
