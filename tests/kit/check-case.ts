import { isDeepStrictEqual } from "node:util";
import type { Case, Cases } from "../../lib/cases/case.ts";
import type { Hook, HookInput, HookOutcome } from "../../lib/hook.ts";
import type { Digest } from "../../lib/transcript/digest.ts";
import { getDigest } from "../helpers/claude-transcript.ts";
import { checkDraft } from "./check-draft.ts";
import { findUnknownKeys } from "./check-keys.ts";
import { findMissingParts } from "./check-outcome.ts";
import { compare } from "./compare.ts";
import type { Problem } from "./problem.ts";

export type Group = keyof Cases;

export interface CaseResult {
  readonly problems: readonly Problem[];
  /** Ids of the messages that were said. */
  readonly said: readonly string[];
}

/** Runs one case: the rule, twice, on an input that cannot be changed. */
export function checkCase(hook: Hook, group: Group, each: Case): CaseResult {
  const unknown = findUnknownKeys(each);
  if (unknown.length > 0) return { problems: unknown, said: [] };
  const input = makeInput(hook, each);
  try {
    const outcome = hook.check(input);
    const missing = findMissingParts(outcome);
    if (missing.length > 0) return { problems: missing, said: [] };
    const again = hook.check(input);
    return {
      problems: [
        ...(isDeepStrictEqual(outcome, again)
          ? []
          : [{ what: "the same input once more", expected: outcome, got: again }]),
        ...checkGroup(group, outcome),
        ...checkExpected(each, outcome, input.digest),
        ...checkAdvice(hook, outcome),
        ...outcome.jobs.flatMap((draft, i) => checkDraft(`jobs[${i}]`, draft)),
      ],
      said: outcome.advice.map(({ messageId }) => messageId),
    };
  } catch (error) {
    return { problems: [{ what: "check()", expected: "an outcome", got: describeError(error) }], said: [] };
  }
}

function makeInput(hook: Hook, { steps, reply, event, harness = "claude", cwd }: Case): HookInput {
  const digest = getDigest(steps);
  const folder = cwd ?? digest.cwd;
  return deepFreeze<HookInput>({
    harness,
    event: event ?? hook.events[0] ?? "Stop",
    reply,
    ...(folder === undefined ? {} : { cwd: folder }),
    digest,
    settings: { mode: hook.defaultMode },
  });
}

function checkGroup(group: Group, { advice, jobs }: HookOutcome): readonly Problem[] {
  const texts = advice.map(({ messageId, data }) => ({ messageId, data }));
  const drafts = jobs.map(({ ruleId, onHit }) => ({ ruleId, onHit }));
  if (group === "silent") return [...compare("advice", [], texts), ...compare("jobs", [], drafts)];
  const count = group === "advises" ? advice.length : jobs.length;
  if (count > 0) return [];
  const what = group === "advises" ? "advice" : "jobs";
  return [{ what, expected: group === "advises" ? "something that is said" : "something that is asked", got: [] }];
}

function checkExpected({ expect = {} }: Case, outcome: HookOutcome, digest: Digest): readonly Problem[] {
  const { advice, jobs, remembers } = expect;
  const labels = new Map(digest.targets.map(({ target }) => [target.key, target.label]));
  const remembered = (outcome.remember ?? []).map((key) => labels.get(key) ?? key);
  return [
    ...(advice === undefined ? [] : compare("advice", advice, outcome.advice)),
    ...(jobs === undefined ? [] : compare("jobs", jobs, outcome.jobs)),
    ...(remembers === undefined ? [] : compare("remember", remembers, remembered)),
  ];
}

function checkAdvice({ messages }: Hook, { advice }: HookOutcome): readonly Problem[] {
  return advice.flatMap(({ messageId, data }, i) => checkMessage(`advice[${i}]`, messages[messageId], messageId, data));
}

function checkMessage(
  what: string,
  message: string | undefined,
  messageId: string,
  data: Readonly<Record<string, string>>,
): readonly Problem[] {
  if (message === undefined)
    return [{ what: `${what}.messageId`, expected: "an id of the hook's messages", got: messageId }];
  const missing = [...message.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) =>
    Object.hasOwn(data, name) ? [] : [name],
  );
  return missing.map((name) => ({
    what: `${what}.data.${name}`,
    expected: `the {${name}} of "${message}"`,
    got: undefined,
  }));
}

/** The message and where it came from, without what lies outside the rule. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /hooks\/[^\s)]+:\d+:\d+/.exec(error.stack ?? "");
  return `${error.name}: ${error.message}${place === null ? "" : ` (${place[0]})`}`;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const child of Object.values(value)) deepFreeze(child);
  return value;
}
