import type { Outcome } from "../../inbox-schema/verdict.ts";
import { getCaseId } from "./case-id.ts";
import type { Firing } from "./firing.ts";
import type { CaseState } from "./label-lines.ts";
import type { WalkedSession } from "./walk.ts";

/** What some hooks would have done on a person's past. */
export interface Report {
  readonly sessions: number;
  readonly turns: number;
  /** Days on which there was a turn, by the clock of this machine. */
  readonly days: number;
  /** Of the first and the last turn, ISO 8601; null when no turn tells a time. */
  readonly from: string | null;
  readonly to: string | null;
  readonly hooks: readonly HookReport[];
}

export interface HookReport {
  readonly id: string;
  /** Messages to the person. */
  readonly fires: number;
  /** Questions for a model. */
  readonly asks: number;
  /** Of both, those in turns that tell a time: days are counted by these. */
  readonly dated: number;
  /** Turns with either. */
  readonly activeTurns: number;
  readonly activeSessions: number;
  /** Different findings: with different once keys, or texts. */
  readonly distinct: number;
  /** At most three, the newest of each kind first. */
  readonly examples: readonly Example[];
  /** How often it threw, and what, the first time. */
  readonly failures: number;
  readonly failure?: string;
}

export interface Example {
  readonly at: string | null;
  /** Absolute. */
  readonly transcript: string;
  readonly turn: number;
  /** What it would say, or the part of the reply that it would ask about. */
  readonly does: "says" | "asks";
  /** What the judge made of it, where it was asked. */
  readonly outcome?: Outcome;
  readonly text: string;
}

/** A turn in which a hook would do something. */
export interface ActiveTurn {
  readonly path: string;
  readonly firing: Firing;
}

const MAX_EXAMPLES = 3;

/** Whether a turn counts: one that tells no time does. */
export function isWithin(at: string | null, since: Date | null): boolean {
  return at === null || since === null || !(Date.parse(at) < since.getTime());
}

/** Counts the turns since a moment; null: all. `statesOf`: by hook, what came of its turns. Pure but for the time zone. */
export function summarise(
  sessions: readonly WalkedSession[],
  hookIds: readonly string[],
  since: Date | null,
  statesOf: ReadonlyMap<string, ReadonlyMap<string, CaseState>> = new Map(),
): Report {
  const turns = sessions.map(({ result }) => result.turns.filter((at) => isWithin(at, since)));
  const times = turns.flat().filter(isDated);
  const sorted = times.sort((a, b) => Date.parse(a) - Date.parse(b));
  return {
    sessions: turns.filter((each) => each.length > 0).length,
    turns: turns.flat().length,
    days: new Set(sorted.map(getDay)).size,
    from: sorted[0] ?? null,
    to: sorted.at(-1) ?? null,
    hooks: hookIds.map((id) => summariseHook(id, sessions, since, statesOf.get(id))),
  };
}

function isDated(at: string | null): at is string {
  return at !== null && !Number.isNaN(Date.parse(at));
}

/** The turns since a moment in which a hook would do something. */
export function listActive(
  sessions: readonly WalkedSession[],
  hook: string,
  since: Date | null,
): readonly ActiveTurn[] {
  return sessions.flatMap(({ path, result }) =>
    result.firings
      .filter((firing) => firing.hook === hook && isWithin(firing.at, since))
      .map((firing) => ({ path, firing })),
  );
}

function summariseHook(
  id: string,
  sessions: readonly WalkedSession[],
  since: Date | null,
  states: ReadonlyMap<string, CaseState> | undefined,
): HookReport {
  const active = listActive(sessions, id, since);
  const failures = sessions.flatMap(({ path, result }) =>
    result.failures
      .filter(({ hook, turn }) => hook === id && isWithin(result.turns[turn - 1] ?? null, since))
      .map(({ turn, message }) => `${path} turn ${turn}: ${message}`),
  );
  const [failure] = failures;
  return {
    id,
    fires: active.reduce((sum, { firing }) => sum + firing.says.length, 0),
    asks: active.reduce((sum, { firing }) => sum + firing.asks.length, 0),
    dated: active.reduce(
      (sum, { firing }) => sum + (isDated(firing.at) ? firing.says.length + firing.asks.length : 0),
      0,
    ),
    activeTurns: active.length,
    activeSessions: new Set(active.map(({ path }) => path)).size,
    distinct: new Set(active.flatMap(({ firing }) => firing.things)).size,
    examples: selectExamples(active, states),
    failures: failures.length,
    ...(failure === undefined ? {} : { failure }),
  };
}

/** Hits before others, then the newest ones, each of another text. */
function selectExamples(
  active: readonly ActiveTurn[],
  states: ReadonlyMap<string, CaseState> | undefined,
): readonly Example[] {
  const found = active.map(({ path, firing }) => ({
    path,
    firing,
    outcome: findOutcome(states?.get(getCaseId(firing.hook, path, firing.turn))),
  }));
  const rank = (outcome: Outcome | undefined): number => (outcome === "hit" ? 0 : 1);
  found.sort((a, b) => rank(a.outcome) - rank(b.outcome) || getTime(b.firing) - getTime(a.firing));
  const examples = new Map<string, Example>();
  for (const { path, firing, outcome } of found) {
    const { at, turn, says, asks } = firing;
    const text = says[0] ?? asks[0]?.about ?? "";
    if (examples.size === MAX_EXAMPLES || examples.has(text)) continue;
    const does = says.length > 0 ? "says" : "asks";
    examples.set(text, { at, transcript: path, turn, does, ...(outcome && { outcome }), text });
  }
  return [...examples.values()];
}

function findOutcome(state: CaseState | undefined): Outcome | undefined {
  return state === "hit" || state === "clean" || state === "unchecked" ? state : undefined;
}

function getTime({ at }: Firing): number {
  return (at === null ? Number.NaN : Date.parse(at)) || 0;
}

function getDay(at: string): string {
  return new Date(at).toDateString();
}

/** What a hook does in a turn, by the id of the case. */
export function listStates(active: readonly ActiveTurn[]): ReadonlyMap<string, "fires" | "asks"> {
  return new Map(
    active.map(({ path, firing: { hook, turn, says, asks } }) => [
      getCaseId(hook, path, turn),
      says.length > 0 || asks.length === 0 ? "fires" : "asks",
    ]),
  );
}
