import type { Job } from "../../inbox-schema/job.ts";
import { listExpectedHooks } from "./find-story-problem.ts";
import type { Heard } from "./heard.ts";
import type { TurnRecord } from "./play-story.ts";
import type { Skill } from "./read-skills.ts";
import type { Expectations, Story, Turn } from "./story-schema.ts";

/** One thing that went otherwise than a story tells. */
export interface Difference {
  /** From 1. */
  readonly turn: number;
  /** What was looked at, such as "verdict-flip-watch fires". */
  readonly what: string;
  readonly expected: readonly string[];
  readonly got: readonly string[];
}

type Found = Omit<Difference, "turn">;
type ExpectedJob = NonNullable<Expectations["enqueues"]>[string][number];

/** Expectations speak of hooks; of a hook that a story names, every turn is looked at. */
export function compareStory(
  { turns }: Story,
  records: readonly TurnRecord[],
  skills: readonly Skill[],
): readonly Difference[] {
  const hooks = [...new Set(turns.flatMap(({ expect = {} }) => listExpectedHooks(expect)))];
  return turns.flatMap((turn, index) => {
    const record = records[index];
    if (record === undefined) throw new Error(`expected a record of turn ${index + 1}, got none`);
    const found = [...compareTurn(turn, record, hooks), ...compareSkills(turn, skills)];
    return found.map((each) => ({ turn: index + 1, ...each }));
  });
}

function compareTurn(turn: Turn, record: TurnRecord, hooks: readonly string[]): Found[] {
  const { expect = {} } = turn;
  return [
    ...findErrors(record),
    ...hooks.flatMap((hook) => [
      ...compareTexts(`${hook} fires`, expect.fires?.[hook] ?? [], selectSaid(record.end.person, hook)),
      ...compareJobs(hook, expect, record.jobs),
      ...compareObserved(hook, expect.observes ?? [], record.observed),
    ]),
    ...compareDelivery(turn, record),
  ];
}

/** What is wrong in any story: a hook's own error, and something said in a session that has only begun. */
function findErrors({ opening, end, next }: TurnRecord): Found[] {
  const errors = [opening, end, next].flatMap((heard) => heard?.errors ?? []);
  return [
    ...compareTexts("errors of hooks", [], errors),
    ...compareTexts(
      "delivered at the first prompt of the session",
      [],
      opening === undefined ? [] : listHeard(opening),
    ),
  ];
}

function listHeard({ agent, person }: Heard): readonly string[] {
  return [...agent, ...person];
}

function selectSaid(lines: readonly string[], hook: string): readonly string[] {
  return lines.flatMap((line) => (line.startsWith(`${hook}: `) ? [line.slice(hook.length + 2)] : []));
}

/** As many texts, of which each holds what is expected of it, in the same order. */
function compareTexts(what: string, expected: readonly string[], got: readonly string[]): Found[] {
  const fits = expected.length === got.length && expected.every((text, index) => got[index]?.includes(text) === true);
  return fits ? [] : [{ what, expected, got }];
}

/** A hook that fires may tell the agent the same; what it enqueues is then looked at only where the turn says so. */
function compareJobs(hook: string, expect: Expectations, jobs: readonly Job[]): Found[] {
  const got = jobs.filter((job) => job.hook === hook);
  const expected = expect.enqueues?.[hook];
  const isAsked = expected !== undefined || expect.does_not_enqueue?.includes(hook) === true;
  if (!isAsked && expect.fires?.[hook] !== undefined) return [];
  const wanted = expected ?? [];
  if (fitEach(wanted, got)) return [];
  return [{ what: `${hook} enqueues`, expected: wanted.map(showExpectedJob), got: got.map(showJob) }];
}

/** Whether there are as many jobs, and one of its own for each that is expected; jobs have no order. */
function fitEach(wanted: readonly ExpectedJob[], jobs: readonly Job[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return jobs.length === 0;
  return jobs.some((job, index) => isFit(first, job) && fitEach(rest, jobs.toSpliced(index, 1)));
}

function isFit({ rule, mode, prompt = [] }: ExpectedJob, job: Job): boolean {
  return (
    (rule === undefined || job.rule_id === rule) &&
    (mode === undefined || (job.mode ?? "default") === mode) &&
    prompt.every((text) => job.prompt?.includes(text) === true)
  );
}

function showExpectedJob(job: ExpectedJob): string {
  return Object.keys(job).length === 0 ? "a job" : JSON.stringify(job);
}

function showJob({ rule_id: rule, mode, prompt, answer }: Job): string {
  return JSON.stringify({
    rule,
    ...(mode === undefined ? {} : { mode }),
    ...(prompt === undefined ? { answer } : { prompt }),
  });
}

function compareObserved(hook: string, expected: readonly string[], observed: readonly string[]): Found[] {
  const select = (ids: readonly string[]): string[] => ids.filter((id) => id === hook);
  return compareTexts(`${hook} observes`, select(expected), select(observed));
}

/** One who speaks of what is delivered speaks of all of it. */
function compareDelivery({ expect = {}, judge }: Turn, { next, unanswered }: TurnRecord): Found[] {
  const { delivered, told } = expect;
  if (delivered === undefined && told === undefined) return [];
  const without = judge === "away" ? [] : unanswered;
  return [
    ...compareTexts("questions without an answer in `answers`", [], without),
    ...compareUnordered("delivered to the agent", delivered ?? [], next.agent),
    ...compareUnordered("told to the person at the next prompt", told ?? [], next.person),
  ];
}

function compareUnordered(what: string, expected: readonly string[], got: readonly string[]): Found[] {
  const fits = (wanted: readonly string[], texts: readonly string[]): boolean => {
    const [first, ...rest] = wanted;
    if (first === undefined) return texts.length === 0;
    return texts.some((text, index) => text.includes(first) && fits(rest, texts.toSpliced(index, 1)));
  };
  return fits(expected, got) ? [] : [{ what, expected, got }];
}

/** A skill that only a person may call is no help to an agent that nobody reminds of it. */
function compareSkills({ expect: { skills: expected = [] } = {} }: Turn, skills: readonly Skill[]): Found[] {
  const callable = skills.filter(({ isCallable }) => isCallable).map(({ name }) => name);
  if (expected.every((name) => callable.includes(name))) return [];
  return [{ what: "skills that the agent may call by itself", expected, got: callable }];
}
