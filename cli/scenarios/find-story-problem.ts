import type { Expectations, Story, StoryStep, Turn } from "./story-schema.ts";

/** What is wrong in a story, in the words of "expected `key` to be ..., got ...". */
export interface StoryProblem {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
}

/** What stories may speak of, by name. */
export interface Known {
  readonly hookIds: readonly string[];
  readonly skills: readonly string[];
}

/** What no shape can say: a story that names what does not exist, or that could not fail. */
export function findStoryProblem(story: Story, { hookIds, skills }: Known): StoryProblem | undefined {
  const problems = story.turns.flatMap((turn, index) =>
    [
      ...findWrongHooks(turn, hookIds),
      ...findWrongSkills(turn, skills),
      ...findWrongUser(turn, story),
      ...findWrongSteps(turn.ran, story, startedBefore(story, turn, index)),
    ].map(({ path, expected }) => ({ path: ["turns", index, ...path], expected })),
  );
  return problems[0] ?? (expectsSomething(story) ? undefined : noExpectation);
}

const noExpectation: StoryProblem = {
  path: ["turns"],
  expected: "turns of which one has an `expect` that says something",
};

/** The hooks that the expectations of a turn speak of. */
export function listExpectedHooks({
  fires = {},
  silent = [],
  enqueues = {},
  does_not_enqueue = [],
  observes = [],
}: Expectations): readonly string[] {
  return [...Object.keys(fires), ...silent, ...Object.keys(enqueues), ...does_not_enqueue, ...observes];
}

function expectsSomething({ turns }: Story): boolean {
  return turns.some(({ expect = {} }) => Object.values(expect).some((each) => each !== undefined));
}

function findWrongHooks({ expect = {}, answers }: Turn, hookIds: readonly string[]): StoryProblem[] {
  const { fires, silent, enqueues, does_not_enqueue, observes } = expect;
  const known = `the id of a hook (${hookIds.join(", ")})`;
  const items = Object.entries({ silent, does_not_enqueue, observes }).flatMap(([key, ids = []]) =>
    ids.map((id, index) => ({ id, path: ["expect", key, index], expected: known })),
  );
  const keys = [
    ...Object.entries({ fires, enqueues }).map(([key, value = {}]) => ({ value, path: ["expect", key] })),
    { value: answers, path: ["answers"] },
  ].flatMap(({ value, path }) =>
    Object.keys(value).map((id) => ({ id, path: [...path, id], expected: `under ${known}` })),
  );
  return [...items, ...keys].filter(({ id }) => !hookIds.includes(id));
}

function findWrongSkills({ expect: { skills = [] } = {} }: Turn, known: readonly string[]): StoryProblem[] {
  const expected = `the name of a skill (${known.join(", ")})`;
  return skills.flatMap((name, index) =>
    known.includes(name) ? [] : [{ path: ["expect", "skills", index], expected }],
  );
}

function findWrongUser({ user }: Turn, { client }: Story): StoryProblem[] {
  if (typeof user === "string" || client === "claude") return [];
  return [
    { path: ["user"], expected: "a text where the `client` is not claude, as no other one files commands as such" },
  ];
}

function startedBefore({ turns }: Story, { session }: Turn, end: number): Set<string> {
  const before = turns.slice(0, end).filter((turn) => turn.session === session);
  return new Set(before.flatMap(({ ran }) => ran.flatMap((step) => ("background" in step ? [step.background] : []))));
}

function findWrongSteps(steps: readonly StoryStep[], { client }: Story, started: Set<string>): StoryProblem[] {
  return steps.flatMap((step, index) => {
    const path = ["ran", index];
    if ("background" in step) started.add(step.background);
    if ("ends" in step && !started.has(step.ends))
      return [{ path: [...path, "ends"], expected: "the name of a command that went on in the background before" }];
    if ("row" in step && client === undefined)
      return [
        { path: [...path, "row"], expected: "left out where the story names no `client`, as each writes its own" },
      ];
    return [];
  });
}
