import type { Outcome, Verdict } from "../../inbox-schema/verdict.ts";
import type { Label, LabelledOutcome } from "../../judge/labels.ts";
import { findEarliest } from "../find-earliest.ts";
import type { Observed } from "../status/read-observed.ts";

/** A verdict, as far as it is counted. */
export interface CountedVerdict extends Pick<Verdict, "hook" | "outcome" | "finished_at"> {
  /** It was printed; a clean one and one of a backtest never are. */
  readonly isDelivered: boolean;
}

/** What is kept of what hooks did, or would have done. */
export interface Records {
  readonly verdicts: readonly CountedVerdict[];
  readonly labels: readonly Label[];
  readonly observed: readonly Observed[];
}

export interface LabelCounts {
  readonly right: number;
  readonly wrong: number;
}

/** The same by hook. */
export interface Tally {
  readonly hook: string;
  readonly observed: Omit<Observed, "hook">;
  readonly verdicts: Readonly<Record<Outcome, number>> & {
    /** Of hits and of those that are unchecked; a clean verdict has nothing to say. */
    readonly delivered: number;
    /** When the first of them was made, ISO 8601; null: there is none. */
    readonly since: string | null;
  };
  /** May be more than there are verdicts: labels are kept longer. */
  readonly labels: Readonly<Record<LabelledOutcome, LabelCounts>>;
}

/** One for each of the hooks and for whoever else is in the records, in the order of their names. Pure. */
export function tallyByHook(hooks: readonly string[], records: Records): Tally[] {
  const lists = [records.verdicts, records.labels, records.observed];
  const names = new Set([...hooks, ...lists.flatMap((list) => list.map(({ hook }) => hook))]);
  return [...names].sort().map((hook) => tallyHook(hook, records));
}

/** Of one hook. Pure. */
export function tallyHook(hook: string, { verdicts, labels, observed }: Records): Tally {
  const own = verdicts.filter((verdict) => verdict.hook === hook);
  const count = (outcome: Outcome) => own.filter((verdict) => verdict.outcome === outcome).length;
  const { said, asked, since } = observed.find((each) => each.hook === hook) ?? { said: 0, asked: 0, since: null };
  return {
    hook,
    observed: { said, asked, since },
    verdicts: {
      hit: count("hit"),
      clean: count("clean"),
      unchecked: count("unchecked"),
      delivered: own.filter(({ isDelivered }) => isDelivered).length,
      since: findEarliest(own.map(({ finished_at }) => finished_at)),
    },
    labels: { hit: countLabels(hook, "hit", labels), clean: countLabels(hook, "clean", labels) },
  };
}

function countLabels(hook: string, outcome: LabelledOutcome, labels: readonly Label[]): LabelCounts {
  const own = labels.filter((label) => label.hook === hook && label.outcome === outcome);
  const right = own.filter(({ label }) => label === "right").length;
  return { right, wrong: own.length - right };
}
