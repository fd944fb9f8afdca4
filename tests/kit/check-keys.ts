import type { Case, Expectation } from "../../lib/cases/case.ts";
import type { Problem } from "./problem.ts";

// Written as objects, so that the compiler tells where a key is missing here.
const caseKeys = Object.keys({
  name: true,
  steps: true,
  reply: true,
  event: true,
  harness: true,
  cwd: true,
  nearMissOf: true,
  expect: true,
} satisfies Record<keyof Case, true>);
const expectationKeys = Object.keys({ advice: true, jobs: true, remembers: true } satisfies Record<
  keyof Expectation,
  true
>);

const run = ["ran", "output", "exitCode", "isError", "cwd", "noResult"] as const;
/** The keys of a step; the first tells its kind. */
const stepKeys: readonly (readonly [kind: string, ...keys: string[]])[] = [
  ["user"],
  ["invoked", "args"],
  [...run, "background"],
  ["parallel"],
  ["tool", "input", "output"],
  ["says"],
  ["raw"],
];

/** Keys that nobody would look at: the compiler misses those of a value that has passed through a variable. */
export function findUnknownKeys({ steps, expect = {}, ...each }: Case): readonly Problem[] {
  return [
    ...checkKeys("the case", { steps, ...each }, caseKeys),
    ...checkKeys("expect", expect, expectationKeys),
    ...steps.flatMap((step, i) => checkStep(`steps[${i}]`, step)),
  ];
}

function checkStep(what: string, step: object): readonly Problem[] {
  const known = stepKeys.find(([kind]) => Object.hasOwn(step, kind));
  if (known === undefined)
    return [{ what, expected: `one of ${stepKeys.map(([kind]) => kind).join(", ")}`, got: Object.keys(step) }];
  const parallel = "parallel" in step && Array.isArray(step.parallel) ? step.parallel : [];
  return [
    ...checkKeys(what, step, known),
    ...parallel.flatMap((each: unknown, i) =>
      typeof each === "object" && each !== null ? checkKeys(`${what}.parallel[${i}]`, each, run) : [],
    ),
  ];
}

function checkKeys(what: string, value: object, known: readonly string[]): readonly Problem[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ what: `a key of ${what}`, expected: `one of ${known.join(", ")}`, got: key }));
}
