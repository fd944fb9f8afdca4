import type { Advice, EvidenceDraft, HookOutcome, QuestionDraft } from "../../lib/hook.ts";
import { isRecord } from "./compare.ts";
import type { Problem } from "./problem.ts";

interface Part {
  readonly expected: string;
  readonly is: (value: unknown) => boolean;
}

type Parts<Whole> = { readonly [key in keyof Whole]-?: Part };

const isText = (value: unknown): boolean => typeof value === "string";
const isList = (value: unknown): boolean => Array.isArray(value);

const outcomeParts: Parts<Omit<HookOutcome, "remember">> = {
  advice: { expected: "a list of what is said, [] for nothing", is: isList },
  jobs: { expected: "a list of what is asked, [] for nothing", is: isList },
};
const adviceParts: Parts<Omit<Advice, "once">> = {
  messageId: { expected: "an id of the hook's messages", is: isText },
  data: { expected: "the parts of its message, {} for none", is: isRecord },
  evidence: { expected: "the runs that prove it, [] where it is that none ran", is: isList },
};
const draftParts = {
  ruleId: { expected: "a name of the rule", is: isText },
  onHit: { expected: "what the agent is told on a hit", is: isText },
  hitIfAllTrue: { expected: "a list of the keys that must all be true for a hit", is: isList },
};
const questionParts: Parts<Omit<QuestionDraft, "once" | "quoted" | "mode" | "timeoutSeconds" | "cwd">> = {
  ...draftParts,
  instruction: { expected: "a question for the model, or an answer", is: isText },
  texts: { expected: "a list of the texts to judge", is: isList },
};
const evidenceParts: Parts<Omit<EvidenceDraft, "once">> = {
  ...draftParts,
  answer: { expected: "what is proven, as an object", is: isRecord },
};

/** What an outcome lacks: nothing compiles a hook before its cases are run. */
export function findMissingParts(outcome: unknown): readonly Problem[] {
  if (!isRecord(outcome)) return [{ what: "check()", expected: "an outcome", got: outcome }];
  const { advice, jobs } = outcome;
  return [
    ...findMissing("", outcome, outcomeParts),
    ...toList(advice).flatMap((each, i) => findMissing(`advice[${i}]`, each, adviceParts)),
    ...toList(jobs).flatMap((each, i) =>
      findMissing(`jobs[${i}]`, each, isRecord(each) && "answer" in each ? evidenceParts : questionParts),
    ),
  ];
}

function findMissing(what: string, whole: unknown, parts: Readonly<Record<string, Part>>): readonly Problem[] {
  if (!isRecord(whole)) return [{ what, expected: "an object", got: whole }];
  return Object.entries(parts)
    .filter(([key, { is }]) => !is(whole[key]))
    .map(([key, { expected }]) => ({ what: what === "" ? key : `${what}.${key}`, expected, got: whole[key] }));
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
