import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { scenarios } from "../cli/scenarios.ts";
import { formatResult } from "../cli/scenarios/format-result.ts";
import type { Known } from "../cli/scenarios/find-story-problem.ts";
import { readSkills, type Skill } from "../cli/scenarios/read-skills.ts";
import { readStories } from "../cli/scenarios/read-stories.ts";
import { runStories } from "../cli/scenarios/run-stories.ts";
import { getScratchParent } from "../cli/scenarios/scratch.ts";
import { hooks } from "../hooks/index.ts";
import { defineHook, type Hook, type HookInput, type HookOutcome } from "../lib/hook.ts";

const folder = fileURLToPath(new URL("scenarios", import.meta.url));
const run = {
  hooks,
  path: process.env["PATH"] ?? "",
  scratchParent: getScratchParent(process.env),
  now: new Date(),
  skills: readSkills(fileURLToPath(new URL("../skills", import.meta.url))),
};

/** What stories about these hooks may speak of. */
function getKnown(those: readonly Hook[] = hooks): Known {
  return { hookIds: those.map(({ id }) => id), skills: run.skills.map(({ name }) => name) };
}

describe("every story goes as it is told", async () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const stories = files.flatMap((file) =>
    readStories(join(folder, file), getKnown()).map((story) => ({ file, story })),
  );
  const played = new Map<string, string>();
  for await (const { file, story, results } of runStories(stories, run)) {
    const name = `${file}: ${story.name}`;
    assert.ok(!played.has(name));
    played.set(name, formatResult(name, results, false));
  }
  assert.ok(played.size >= 90);
  for (const [name, report] of played) test(name, () => assert.match(report, /^ok {4}.*$/, report));
});

test("every silent flip is one, and no near miss is", () => {
  for (const [file, isFlip] of [
    ["silent-flips.json", true],
    ["near-misses.json", false],
  ] as const) {
    for (const { name, turns } of readStories(join(folder, file), getKnown()))
      assert.equal(
        turns.some(({ expect }) => expect?.fires !== undefined),
        isFlip,
        name,
      );
  }
});

const silently = { silent: ["verdict-flip-watch"] };
const passes = { user: "Add it.", ran: [{ cmd: "npm test", output: "Tests: 3 passed, 3 total" }], reply: "Added." };
const breaks = {
  user: "Rename it.",
  ran: [{ cmd: "npm test", output: "Tests: 1 failed, 3 total", exit: 1 }],
  reply: "Renamed.",
};

describe("a story that tells what did not happen", () => {
  /** What is said of the flip, cut where the words are the hook's. */
  const said = /^(.*`npm test` passed \(turn 1, 2026-01-01 00:00 UTC\)).*$/gm;
  const wrong: Readonly<Record<string, { readonly turns: readonly object[]; readonly report: readonly string[] }>> = {
    "expects silence where a hook fires": {
      turns: [passes, { ...breaks, expect: silently }],
      report: [
        "claude, turn 2: verdict-flip-watch fires",
        "- expected nothing",
        "+ got      `npm test` passed (turn 1, 2026-01-01 00:00 UTC)",
        "claude, turn 2: verdict-flip-watch enqueues",
        "- expected nothing",
        '+ got      {"rule":"verdict-flip-watch.flipped","answer":{"flipped":true,"target":"npm test","passed":{"target":"npm',
      ],
    },
    "expects a word where a hook is silent": {
      turns: [{ ...passes, expect: { fires: { "verdict-flip-watch": ["`npm test` passed"] } } }],
      report: ["claude, turn 1: verdict-flip-watch fires", "- expected `npm test` passed", "+ got      nothing"],
    },
    "expects other words": {
      turns: [passes, { ...breaks, expect: { fires: { "verdict-flip-watch": ["`make test` passed"] } } }],
      report: [
        "claude, turn 2: verdict-flip-watch fires",
        "- expected `make test` passed",
        "+ got      `npm test` passed (turn 1, 2026-01-01 00:00 UTC)",
      ],
    },
    "is silent about a turn at which a hook that it speaks of fires": {
      turns: [{ ...passes, expect: silently }, breaks],
      report: [
        "claude, turn 2: verdict-flip-watch fires",
        "- expected nothing",
        "+ got      `npm test` passed (turn 1, 2026-01-01 00:00 UTC)",
        "claude, turn 2: verdict-flip-watch enqueues",
        "- expected nothing",
        '+ got      {"rule":"verdict-flip-watch.flipped","answer":{"flipped":true,"target":"npm test","passed":{"target":"npm',
      ],
    },
    "expects no job beside a word": {
      turns: [
        passes,
        {
          ...breaks,
          expect: {
            fires: { "verdict-flip-watch": ["`npm test` passed"] },
            does_not_enqueue: ["verdict-flip-watch"],
          },
        },
      ],
      report: [
        "claude, turn 2: verdict-flip-watch enqueues",
        "- expected nothing",
        '+ got      {"rule":"verdict-flip-watch.flipped","answer":{"flipped":true,"target":"npm test","passed":{"target":"npm',
      ],
    },
    "expects another job": {
      turns: [
        passes,
        {
          ...breaks,
          expect: {
            fires: { "verdict-flip-watch": ["`npm test` passed"] },
            enqueues: { "verdict-flip-watch": [{ rule: "verdict-flip-watch.other" }] },
          },
        },
      ],
      report: [
        "claude, turn 2: verdict-flip-watch enqueues",
        '- expected {"rule":"verdict-flip-watch.other"}',
        '+ got      {"rule":"verdict-flip-watch.flipped","answer":{"flipped":true,"target":"npm test","passed":{"target":"npm',
      ],
    },
    "expects that nothing is delivered": {
      turns: [passes, { ...breaks, expect: { delivered: [] } }],
      report: [
        "claude, turn 2: delivered to the agent",
        "- expected nothing",
        "+ got      [verdict-flip-watch, DATE] `npm test` passed (turn 1, 2026-01-01 00:00 UTC)",
      ],
    },
    "expects a delivery that the judge did not make": {
      turns: [passes, { ...breaks, judge: "away", expect: { delivered: ["`npm test` passed"] } }],
      report: ["claude, turn 2: delivered to the agent", "- expected `npm test` passed", "+ got      nothing"],
    },
    "expects that the person is told a second time": {
      turns: [passes, { ...breaks, expect: { delivered: ["`npm test` passed"], told: ["`npm test` passed"] } }],
      report: [
        "claude, turn 2: told to the person at the next prompt",
        "- expected `npm test` passed",
        "+ got      nothing",
      ],
    },
    "expects a note of a hook that is not in observe mode": {
      turns: [{ ...passes, expect: { observes: ["verdict-flip-watch"] } }],
      report: ["claude, turn 1: verdict-flip-watch observes", "- expected verdict-flip-watch", "+ got      nothing"],
    },
  };

  for (const [name, { turns, report }] of Object.entries(wrong)) {
    test(name, async (t) => {
      const [got = ""] = await play(t, { name, client: "claude", turns });
      const plain = got.replaceAll(/, 20\d\d-\d\d-\d\d \d\d:\d\d UTC\]/g, ", DATE]").replaceAll(said, "$1");
      const cut = plain.replace(/("passed":\{"target":"npm) .*$/m, "$1");
      assert.deepEqual(cut.split("\n"), [`FAIL  ${name} (claude)`, ...report.map((line) => `      ${line}`)]);
    });
  }

  test("is wrong for each client, and reported for each", async (t) => {
    const [report = ""] = await play(t, { name: "x", turns: [passes, { ...breaks, expect: silently }] });
    assert.match(report, /^FAIL {2}x \(claude, codex\)\n {6}claude, turn 2: .*\n(?:.*\n)*? {6}codex, turn 2: /);
  });

  test("expects a skill that only a person may call", async (t) => {
    const skills = [
      { name: "flag-your-own-corrections", isCallable: false },
      { name: "other", isCallable: true },
    ];
    const turns = [{ ...passes, expect: { skills: ["flag-your-own-corrections"] } }];
    assert.deepEqual(await play(t, { name: "x", client: "claude", turns }, { skills }), [
      [
        "FAIL  x (claude)",
        "      claude, turn 1: skills that the agent may call by itself",
        "      - expected flag-your-own-corrections",
        "      + got      other",
      ].join("\n"),
    ]);
  });

  test("takes prose for a command", async (t) => {
    const name = "a person who has invoked /reflect has asked for the same already";
    const told = readStories(join(folder, "self-correction.json"), getKnown()).find((story) => story.name === name);
    assert.ok(told !== undefined);
    const turns = told.turns.map((turn) => ({
      ...turn,
      user: typeof turn.user === "string" ? turn.user : `/${turn.user.invoked} on the count`,
    }));
    const [report = ""] = await play(t, { ...told, turns });
    assert.match(report, /^FAIL .*\n {6}claude, turn 2: wrong-check-reflect enqueues\n {6}- expected nothing\n/);
  });

  test("has a hook that breaks reported, whatever else it expects", async (t) => {
    const broken: Hook = { ...asksTheJudge, check: () => assert.fail("a mistake") };
    const turns = [{ ...passes, expect: { silent: [broken.id] } }];
    const [report = ""] = await play(t, { name: "x", client: "codex", turns }, { hooks: [broken] });
    assert.match(
      report,
      /turn 1: errors of hooks\n {6}- expected nothing\n {6}\+ got {6}catstack-hook-error asks-the-judge: .*a mistake/,
    );
  });
});

/** A hook that asks: it stands for those that do. */
const asksTheJudge = defineHook({
  id: "asks-the-judge",
  description: "Reports what is taken back.",
  events: ["Stop"],
  defaultMode: "observe",
  messages: {},
  check({ reply }: HookInput): HookOutcome {
    const claims = reply.split("\n").filter((line) => line.startsWith("Wrong: "));
    const jobs = claims.map((text) => ({
      ruleId: "asks-the-judge.taken-back",
      instruction: "Is it taken back? Answer with one line of JSON.",
      texts: [{ label: "reply", text }],
      hitIfAllTrue: ["taken_back"],
      onHit: `Say what was wrong: ${text}`,
      once: { key: text, ttlSeconds: 3600 },
    }));
    return { advice: [], jobs };
  },
});

describe("a hook that asks the judge", () => {
  const id = asksTheJudge.id;
  const asks = { user: "Well?", reply: "Wrong: the first claim." };
  const yes = { answer: { taken_back: true } };
  const right: Readonly<Record<string, readonly object[]>> = {
    "is silent when it asks nothing": [
      { user: "Well?", reply: "All is right.", expect: { silent: [id], delivered: [] } },
    ],
    "has its question looked at, and the answer delivered": [
      {
        ...asks,
        answers: { [id]: [yes] },
        expect: {
          enqueues: { [id]: [{ rule: "asks-the-judge.taken-back", mode: "default", prompt: ["the first claim"] }] },
          delivered: ["Say what was wrong: Wrong: the first claim."],
          told: ["asks-the-judge told the agent: Say what was wrong"],
        },
      },
    ],
    "says nothing where the answer is no": [
      {
        ...asks,
        answers: { [id]: [{ answer: { taken_back: false } }] },
        expect: { enqueues: { [id]: [{}] }, delivered: [] },
      },
    ],
    "tells the person alone where the model prints no answer, or fails": [
      {
        ...asks,
        answers: { [id]: [{ answer: "I cannot say." }] },
        expect: { enqueues: { [id]: [{}] }, told: ["asks-the-judge could not judge a reply"] },
      },
      {
        user: "And?",
        reply: "Wrong: the second claim.",
        answers: { [id]: [{ answer: null }] },
        expect: { enqueues: { [id]: [{}] }, told: ["exit 1"] },
      },
    ],
    "gets for each of two questions its own answer": [
      {
        user: "Well?",
        reply: ["Wrong: the first claim.", "Wrong: the second claim."],
        answers: { [id]: [{ about: "second claim", ...yes }, { answer: { taken_back: false } }] },
        expect: {
          enqueues: { [id]: [{ prompt: ["second"] }, { prompt: ["first"] }] },
          delivered: ["the second claim"],
          told: ["the second claim"],
        },
      },
    ],
    "asks again once the time of its mark is over": [
      { ...asks, answers: { [id]: [yes] }, expect: { enqueues: { [id]: [{}] } } },
      { ...asks, minutes_later: 30, expect: { does_not_enqueue: [id] } },
      { ...asks, minutes_later: 31, answers: { [id]: [yes] }, expect: { enqueues: { [id]: [{}] } } },
    ],
  };
  for (const [name, turns] of Object.entries(right)) {
    test(name, async (t) => {
      assert.deepEqual(await play(t, { name, turns }, { hooks: [asksTheJudge] }), [`ok    ${name} (claude, codex)`]);
    });
  }

  const wrong: Readonly<Record<string, readonly [turns: readonly object[], report: RegExp]>> = {
    "is not silent when it asks": [
      [{ ...asks, expect: { silent: [id] } }],
      /enqueues\n {6}- expected nothing\n.*first claim/,
    ],
    "asks another question than is told": [
      [{ ...asks, expect: { enqueues: { [id]: [{ prompt: ["second claim"] }] } } }],
      /- expected \{"prompt":\["second claim"\]\}\n.*first claim/,
    ],
    "asks in another mode than is told": [
      [{ ...asks, expect: { enqueues: { [id]: [{ mode: "investigate" }] } } }],
      /- expected \{"mode":"investigate"\}/,
    ],
    "gets no answer from the story": [
      [{ ...asks, expect: { delivered: [], told: ["could not judge"] } }],
      /questions without an answer in `answers`\n {6}- expected nothing\n {6}\+ got {6}asks-the-judge/,
    ],
  };
  for (const [name, [turns, report]] of Object.entries(wrong)) {
    test(`is reported when it ${name}`, async (t) => {
      const [got = ""] = await play(t, { name, client: "claude", turns }, { hooks: [asksTheJudge] });
      assert.match(got, report);
    });
  }
});

/** A file with these stories. */
function writeStories(t: TestContext, content: unknown): string {
  const scratch = mkdtempSync(join(tmpdir(), "catstack-stories-"));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  const path = join(scratch, "stories.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** The report of a story. */
async function play(
  t: TestContext,
  story: object,
  those: { readonly hooks?: readonly Hook[]; readonly skills?: readonly Skill[] } = {},
): Promise<readonly string[]> {
  const path = writeStories(t, story);
  const stories = readStories(path, getKnown(those.hooks)).map((each) => ({ file: path, story: each }));
  const reports: string[] = [];
  for await (const { story: played, results } of runStories(stories, { ...run, ...those }))
    reports.push(formatResult(played.name, results, false));
  return reports;
}

describe("a file that is no story", () => {
  const good = { name: "a", turns: [{ ...passes, expect: silently }] };
  const only = (turn: object): object => ({ name: "a", turns: [{ ...passes, expect: silently, ...turn }] });
  const wrong: Readonly<Record<string, readonly [content: unknown, reason: string]>> = {
    "a key of a story": [
      { ...good, nam: 1 },
      "`nam` to be left out, as the keys here are name, situation, client, env, turns, got 1 (number)",
    ],
    "a key of a turn": [only({ repply: "x" }), "`turns[0].repply` to be left out, as the keys here are session, "],
    "a key of a step": [
      only({ ran: [{ cmd: "npm test", outptu: "x" }] }),
      '`turns[0].ran[0].outptu` to be left out, as the keys here are cmd, output, exit, got "x" (string)',
    ],
    "a key of parallel steps": [
      only({ ran: [{ parallel: [{ cmd: "a" }, { cmd: "b", background: "c" }] }] }),
      "`turns[0].ran[0].parallel[1].background` to be left out, as the keys here are cmd, output, exit, got",
    ],
    "a key of the expectations": [
      only({ expect: { fire: [] } }),
      "`turns[0].expect.fire` to be left out, as the keys here are fires, silent, enqueues, does_not_enqueue, observes, skills, delivered, told, got an array of 0 items",
    ],
    "a key of a job": [
      only({ expect: { enqueues: { "verdict-flip-watch": [{ promt: [] }] } } }),
      "`turns[0].expect.enqueues.verdict-flip-watch[0].promt` to be left out, as the keys here are rule, mode, prompt, got",
    ],
    "a step of two kinds": [
      only({ ran: [{ cmd: "a", edit: "b" }] }),
      "`turns[0].ran[0]` to be an object with exactly one of the keys cmd, background, parallel, ends, edit, tool, says, in, compaction, row, got an object",
    ],
    "the status of a command that goes on": [
      only({ ran: [{ cmd: "a", background: "b", exit: 1 }] }),
      "`turns[0].ran[0].exit` to be left out, as the keys here are cmd, background, got 1 (number)",
    ],
    "an exit status": [
      only({ ran: [{ cmd: "a", exit: "1" }] }),
      '`turns[0].ran[0].exit` to be a status or "refused", "interrupted", "none", got "1" (string)',
    ],
    "a hook that there is not": [
      only({ expect: { silent: ["verdict-flop-watch"] } }),
      '`turns[0].expect.silent[0]` to be the id of a hook (verdict-flip-watch), got "verdict-flop-watch" (string)',
    ],
    "a hook that there is not, as a key": [
      only({ answers: { nobody: [] } }),
      "`turns[0].answers.nobody` to be under the id of a hook (verdict-flip-watch), got an array of 0 items",
    ],
    "a skill that there is not": [
      only({ expect: { skills: ["a-skil"] } }),
      '`turns[0].expect.skills[0]` to be the name of a skill (a-skill), got "a-skil" (string)',
    ],
    "a command in a story for any client": [
      only({ user: { invoked: "reflect" } }),
      "`turns[0].user` to be a text where the `client` is not claude, as no other one files commands as such, got an object",
    ],
    "a key of a command": [
      only({ user: { invoked: "reflect", arg: "x" } }),
      '`turns[0].user.arg` to be left out, as the keys here are invoked, args, got "x" (string)',
    ],
    "the end of what was not started": [
      only({ ran: [{ ends: "server" }] }),
      '`turns[0].ran[0].ends` to be the name of a command that went on in the background before, got "server" (string)',
    ],
    "a row in a story for any client": [
      only({ ran: [{ row: {} }] }),
      "`turns[0].ran[0].row` to be left out where the story names no `client`, as each writes its own, got an object",
    ],
    "no reply": [
      { name: "a", turns: [{ user: "x" }] },
      "`turns[0].reply` to be a text or a list of lines, got nothing",
    ],
    "no expectation": [
      { name: "a", turns: [passes] },
      "`turns` to be turns of which one has an `expect` that says something, got an array of 1 item",
    ],
    "an empty expectation": [only({ expect: {} }), "`turns` to be turns of which one has an `expect`"],
    "a name twice": [[good, good], "`[1].name`"],
  };
  for (const [name, [content, reason]] of Object.entries(wrong)) {
    test(`is refused for ${name}`, (t) => {
      const path = writeStories(t, content);
      assert.throws(
        () => readStories(path, { hookIds: ["verdict-flip-watch"], skills: ["a-skill"] }),
        (error) => {
          assert.ok(error instanceof Error && error.name === "Failure");
          const expected =
            name === "a name twice" ? "expected `name` to be a name that no story before it has" : `expected ${reason}`;
          assert.ok(error.message.startsWith(`${path}: story "a": ${expected}`), error.message);
          return true;
        },
      );
    });
  }

  test("is refused for a key that every check would pass over", (t) => {
    const turns = `[{ "user": "a", "reply": "b", "expect": { "fires": { "__proto__": ["c"] } } }]`;
    const path = writeStories(t, `{ "name": "a",\n  "turns": ${turns} }`);
    assert.throws(() => readStories(path, getKnown([])), {
      message: `${path}: story "a": expected \`turns[0].expect.fires.__proto__\` to be left out, as nothing reads a key of this name, got an array of 1 item at line 2, column 78`,
    });
  });

  test("is refused with the place where it stops to be JSON", (t) => {
    const path = writeStories(t, '{ "name": "a",\n  "turns": [,] }');
    assert.throws(() => readStories(path, getKnown([])), {
      message: `${path}: expected a value, got \`,\` at line 2, column 13`,
    });
  });
});

test("a skill may be called by the agent unless its front matter is broken or says no", (t) => {
  const root = mkdtempSync(join(tmpdir(), "catstack-skills-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const skills: Readonly<Record<string, readonly [text: string, isCallable: boolean]>> = {
    bare: ["# No front matter\n", false],
    disabled: ["---\nname: disabled\ndescription: Use it.\ndisable-model-invocation: true\n---\n", false],
    empty: ["---\nname: empty\ndescription:\n---\n", false],
    enabled: ["---\nname: enabled\ndescription: Use it.\ndisable-model-invocation: false\n---\n", true],
    good: ["---\nname: good\ndescription: Use it.\n---\n", true],
    moved: ["---\nname: good\ndescription: Use it.\n---\n", false],
    open: ["---\nname: open\ndescription: Use it.\n", false],
  };
  for (const [name, [text]] of Object.entries(skills)) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, "SKILL.md"), text);
  }
  mkdirSync(join(root, "hollow"));
  const expected = { ...Object.fromEntries(Object.entries(skills).map(([name, [, is]]) => [name, is])), hollow: false };
  const got = readSkills(root).map(({ name, isCallable }) => [name, isCallable]);
  assert.deepEqual(Object.fromEntries(got), expected);
  assert.deepEqual(readSkills(join(root, "nothing")), []);
});

describe("catstack scenarios", () => {
  interface Called {
    readonly code: number;
    readonly out: readonly string[];
  }

  async function call(args: readonly string[], cwd: string): Promise<Called> {
    const out: string[] = [];
    const fail = (): never => assert.fail("nothing is read or said here");
    const io = { env: { PATH: run.path }, stdin: process.stdin, now: () => run.now, err: fail, color: false, cwd };
    const code = await scenarios(args, { ...io, out: (line) => void out.push(...line.split("\n")) });
    return { code, out };
  }

  const good = { name: "good", client: "claude", turns: [{ ...passes, expect: silently }] };
  const bad = {
    name: "bad",
    client: "claude",
    turns: [{ ...passes, expect: { fires: { "verdict-flip-watch": ["x"] } } }],
  };

  test("plays the files that are named, prints a line a story and ends with 0", async (t) => {
    const path = writeStories(t, good);
    assert.deepEqual(await call(["stories.json"], join(path, "..")), {
      code: 0,
      out: ["ok    stories.json: good (claude)", "", "1 played, all went as told"],
    });
  });

  test("ends with 1 when one goes otherwise, and says how", async (t) => {
    const path = writeStories(t, [bad, good]);
    assert.deepEqual(await call(["stories.json"], join(path, "..")), {
      code: 1,
      out: [
        "FAIL  stories.json: bad (claude)",
        "      claude, turn 1: verdict-flip-watch fires",
        "      - expected x",
        "      + got      nothing",
        "ok    stories.json: good (claude)",
        "",
        "2 played, 1 went otherwise",
      ],
    });
  });

  test("tells a program the same", async (t) => {
    const path = writeStories(t, [bad, good]);
    const { code, out } = await call(["--json", path], join(path, ".."));
    assert.equal(code, 1);
    const difference = { turn: 1, what: "verdict-flip-watch fires", expected: ["x"], got: [] };
    assert.deepEqual(JSON.parse(out.join("\n")), {
      stories: [
        { file: "stories.json", name: "bad", ok: false, clients: [{ client: "claude", differences: [difference] }] },
        { file: "stories.json", name: "good", ok: true, clients: [{ client: "claude", differences: [] }] },
      ],
      failed: 1,
    });
  });

  test("takes tests/scenarios of the folder where it is called, and wants stories there", async (t) => {
    const path = writeStories(t, good);
    const cwd = join(path, "..");
    await assert.rejects(call([], cwd), {
      name: "Failure",
      message: /^expected stories in .*tests\/scenarios, got none; /,
    });
    mkdirSync(join(cwd, "tests", "scenarios"), { recursive: true });
    writeFileSync(join(cwd, "tests", "scenarios", "b.json"), JSON.stringify(good));
    assert.equal((await call([], cwd)).out[0], "ok    tests/scenarios/b.json: good (claude)");
  });
});
