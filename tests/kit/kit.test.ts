import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Case, Cases } from "../../lib/cases/case.ts";
import type { EvidenceDraft, Hook, HookOutcome, QuestionDraft } from "../../lib/hook.ts";
import type { CheckRun } from "../../lib/transcript/digest.ts";
import { type CommandResult, runCommand } from "../helpers/run-command.ts";
import { editFile, makeScratchProject } from "../helpers/scratch-project.ts";
import { addHook } from "./add-hook.ts";
import { checkCase } from "./check-case.ts";
import { findLayoutProblems } from "./check-layout.ts";
import { checkSuite } from "./check-suite.ts";
import { planHook } from "./plan-hook.ts";
import { formatProblem, type Problem } from "./problem.ts";

const run: CheckRun = { row: 1, turn: 1, callId: "toolu_0001", command: "npm test", evidence: "1 failed" };
const nothing: HookOutcome = { advice: [], jobs: [] };
const spoken: HookOutcome = { advice: [{ messageId: "late", data: { what: "npm test" }, evidence: [run] }], jobs: [] };

const evidence: EvidenceDraft = {
  ruleId: "some-hook.late",
  answer: { late: true },
  hitIfAllTrue: ["late"],
  onHit: "It is late.",
};
const question: QuestionDraft = {
  ruleId: "some-hook.late",
  instruction: 'Is it late? Answer {"late": true or false, "words": "..."}',
  texts: [{ label: "ASSISTANT", text: "Later." }],
  hitIfAllTrue: ["late"],
  quoted: ["words"],
  onHit: "It is late.",
};

function makeHook(check: Hook["check"]): Hook {
  const description = "Reports something.";
  return {
    id: "some-hook",
    description,
    events: ["Stop"],
    defaultMode: "observe",
    messages: { late: "{what} is late." },
    check,
  };
}

const story: Case = { name: "a story", steps: [{ user: "Go." }], reply: "Later." };

function show(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join("\n");
}

function check(group: keyof Cases, outcome: HookOutcome, more: Partial<Case> = {}): string {
  return show(
    checkCase(
      makeHook(() => outcome),
      group,
      { ...story, ...more },
    ).problems,
  );
}

function checkQuestion(more: Partial<QuestionDraft>): string {
  return check("enqueues", { advice: [], jobs: [{ ...question, ...more }] });
}

describe("a case", () => {
  test("holds that says what the rule does", () => {
    assert.equal(check("silent", nothing), "");
    assert.equal(
      check("advises", spoken, { expect: { advice: [{ messageId: "late", data: { what: "npm test" } }] } }),
      "",
    );
    assert.equal(
      check("enqueues", { advice: [], jobs: [evidence] }, { expect: { jobs: [{ ruleId: "some-hook.late" }] } }),
      "",
    );
    assert.equal(checkQuestion({}), "");
  });

  test("is told what was expected and what came, and nothing else", () => {
    assert.equal(
      check("advises", spoken, { expect: { advice: [{ messageId: "late", data: { what: "npm run lint" } }] } }),
      "  advice[0].data.what\n  - npm run lint\n  + npm test",
    );
    assert.equal(
      check("advises", spoken, { expect: { advice: [], remembers: ["npm test"] } }),
      `  advice[0]\n  - nothing\n  + ${JSON.stringify(spoken.advice[0])}\n  remember[0]\n  - npm test\n  + nothing`,
    );
  });

  test("fails that should be silent and is not, or should speak or ask and does not", () => {
    assert.equal(
      check("silent", spoken),
      '  advice[0]\n  - nothing\n  + {"messageId":"late","data":{"what":"npm test"}}',
    );
    assert.equal(
      check("silent", { advice: [], jobs: [evidence] }),
      '  jobs[0]\n  - nothing\n  + {"ruleId":"some-hook.late","onHit":"It is late."}',
    );
    assert.equal(check("advises", nothing), "  advice\n  - something that is said\n  + []");
    assert.equal(check("enqueues", spoken), "  jobs\n  - something that is asked\n  + []");
  });

  test("fails whose advice lacks its message or a part of it", () => {
    const [advice] = spoken.advice;
    assert.ok(advice !== undefined);
    const of = (more: object): string => check("advises", { advice: [{ ...advice, ...more }], jobs: [] });
    assert.equal(of({ messageId: "later" }), "  advice[0].messageId\n  - an id of the hook's messages\n  + later");
    assert.equal(of({ data: {} }), '  advice[0].data.what\n  - the {what} of "{what} is late."\n  + nothing');
  });

  test("may prove by the record that nothing ran: the evidence is then no run", () => {
    const advice = spoken.advice.map((each) => ({ ...each, evidence: [] }));
    assert.equal(check("advises", { advice, jobs: [] }), "");
  });

  test("fails whose outcome lacks a part, which no compiler has told yet", () => {
    const leaveOut = (from: object, ...keys: readonly string[]): object =>
      Object.fromEntries(Object.entries(from).filter(([key]) => !keys.includes(key)));
    const of = (outcome: unknown): string => {
      const rule: Hook["check"] = () => nothing;
      const hook = makeHook(rule);
      Reflect.set(hook, "check", () => outcome);
      return show(checkCase(hook, "advises", story).problems);
    };
    const [advice = {}] = spoken.advice;
    const ofAdvice = (...keys: readonly string[]): string => of({ advice: [leaveOut(advice, ...keys)], jobs: [] });
    const ofJob = (draft: object, ...keys: readonly string[]): string =>
      of({ advice: [], jobs: [leaveOut(draft, ...keys)] });
    assert.equal(
      ofAdvice("evidence"),
      "  advice[0].evidence\n  - the runs that prove it, [] where it is that none ran\n  + nothing",
    );
    assert.equal(ofAdvice("data"), "  advice[0].data\n  - the parts of its message, {} for none\n  + nothing");
    assert.equal(ofAdvice("messageId"), "  advice[0].messageId\n  - an id of the hook's messages\n  + nothing");
    assert.equal(of({ jobs: [] }), "  advice\n  - a list of what is said, [] for nothing\n  + nothing");
    assert.equal(of({ advice: [] }), "  jobs\n  - a list of what is asked, [] for nothing\n  + nothing");
    assert.equal(of(undefined), "  check()\n  - an outcome\n  + nothing");
    assert.equal(of({ advice: ["late"], jobs: [] }), "  advice[0]\n  - an object\n  + late");
    assert.equal(
      ofJob(question, "hitIfAllTrue", "texts"),
      "  jobs[0].hitIfAllTrue\n  - a list of the keys that must all be true for a hit\n  + nothing\n  jobs[0].texts\n  - a list of the texts to judge\n  + nothing",
    );
    assert.equal(
      ofJob(evidence, "answer", "onHit"),
      "  jobs[0].onHit\n  - what the agent is told on a hit\n  + nothing\n  jobs[0].instruction\n  - a question for the model, or an answer\n  + nothing\n  jobs[0].texts\n  - a list of the texts to judge\n  + nothing",
    );
    assert.equal(
      of({ advice: [], jobs: [{ ...evidence, answer: "late" }] }),
      "  jobs[0].answer\n  - what is proven, as an object\n  + late",
    );
  });

  test("fails where the rule throws, changes its input, or is of two minds", () => {
    const of = (rule: Hook["check"]): string => show(checkCase(makeHook(rule), "silent", story).problems);
    assert.equal(
      of(() => {
        throw new TypeError("no digest");
      }),
      "  check()\n  - an outcome\n  + TypeError: no digest",
    );
    assert.match(
      of(({ digest }) => {
        Reflect.set(digest, "turns", 5);
        Object.defineProperty(digest, "rows", { value: 5 });
        return nothing;
      }),
      /^ {2}check\(\)\n {2}- an outcome\n {2}\+ TypeError: Cannot redefine property: rows$/,
    );
    let count = 0;
    assert.equal(
      of(() => ({ ...nothing, remember: [String(++count)] })),
      '  the same input once more\n  - {"advice":[],"jobs":[],"remember":["1"]}\n  + {"advice":[],"jobs":[],"remember":["2"]}',
    );
  });

  test("gives the rule the event, the harness and the folder that it tells", () => {
    const heard: unknown[] = [];
    const hook = makeHook(({ event, harness, cwd, digest }) => {
      heard.push([event, harness, cwd, digest.invoked]);
      return nothing;
    });
    checkCase(hook, "silent", story);
    checkCase(hook, "silent", {
      ...story,
      steps: [{ invoked: "reflect", args: "on it" }],
      event: "UserPromptSubmit",
      harness: "codex",
      cwd: "/srv/app",
    });
    const [first, , second] = heard;
    assert.deepEqual(first, ["Stop", "claude", undefined, undefined]);
    assert.deepEqual(second, ["UserPromptSubmit", "codex", "/srv/app", ["reflect"]]);
  });

  test("fails with a key that nobody would look at", () => {
    const of = (more: object): string =>
      show(
        checkCase(
          makeHook(() => nothing),
          "silent",
          { ...story, ...more },
        ).problems,
      );
    assert.equal(
      of({ replay: "" }),
      "  a key of the case\n  - one of name, steps, reply, event, harness, cwd, nearMissOf, expect\n  + replay",
    );
    assert.equal(of({ expect: { says: [] } }), "  a key of expect\n  - one of advice, jobs, remembers\n  + says");
    assert.equal(
      of({ steps: [{ parallel: [{ ran: "ls", exit: 1 }] }, { ran: "ls", says: "" }, { runs: "ls" }] }),
      [
        "  a key of steps[0].parallel[0]\n  - one of ran, output, exitCode, isError, cwd, noResult\n  + exit",
        "  a key of steps[1]\n  - one of ran, output, exitCode, isError, cwd, noResult, background\n  + says",
        '  steps[2]\n  - one of user, invoked, ran, parallel, tool, says, raw\n  + ["runs"]',
      ].join("\n"),
    );
  });

  test("fails whose question no model could answer as the judge wants it", () => {
    const instruction = 'Is it late? Answer {"late": true or false}';
    assert.equal(
      checkQuestion({ instruction }),
      `  jobs[0].instruction\n  - the key "words", in double quotes\n  + ${instruction}`,
    );
    assert.equal(
      checkQuestion({ instruction: "Is it late? Give late and words.", quoted: [] }),
      '  jobs[0].instruction\n  - the key "late", in double quotes\n  + Is it late? Give late and words.',
    );
    assert.equal(
      checkQuestion({ texts: [{ label: "ASSISTANT", text: " " }] }),
      '  jobs[0].texts\n  - a text to judge\n  + [{"label":"ASSISTANT","text":" "}]',
    );
    assert.match(
      checkQuestion({ instruction: `${question.instruction} ${"x".repeat(16_000)}` }),
      /^ {2}jobs\[0\]: the prompt\n {2}- 16000 characters at most\n {2}\+ 16\d{3} characters$/,
    );
    assert.equal(
      checkQuestion({ cwd: "/srv/app" }),
      '  jobs[0].mode\n  - "investigate", the only mode that has a time limit and a folder\n  + nothing',
    );
  });

  test("fails whose job tells the agent more than a line", () => {
    const of = (onHit: string): string => check("enqueues", { advice: [], jobs: [{ ...evidence, onHit }] });
    assert.equal(of("a".repeat(600)), "");
    assert.equal(of("a".repeat(601)), "  jobs[0].onHit\n  - one line of 1 to 600 characters\n  + 601 characters");
    assert.equal(of("a\nb"), "  jobs[0].onHit\n  - one line of 1 to 600 characters\n  + a\n  + b");
  });

  test("fails whose job the judge would not take", () => {
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 100; i++) deep = { deep };
    assert.match(
      check("enqueues", { advice: [], jobs: [{ ...evidence, answer: deep }] }),
      /^ {2}jobs\[0\]\n {2}- a job that the judge takes\n {2}\+ expected /,
    );
  });
});

describe("the cases of a hook", () => {
  const tell = (name: string, more: Partial<Case> = {}): Case => ({ ...story, name, reply: name, ...more });
  const good: Cases = {
    silent: [tell("a", { nearMissOf: ["d", "e"] }), tell("b", { nearMissOf: "f" }), tell("c")],
    advises: [tell("d"), tell("e")],
    enqueues: [tell("f")],
  };
  const of = (cases: Cases, said = ["late"]): string =>
    show(
      checkSuite(
        makeHook(() => nothing),
        cases,
        new Set(said),
      ),
    );

  test("hold with three of each kind, a near miss for each that fires, and every message said", () => {
    assert.equal(of(good), "");
  });

  test("must be three of each kind", () => {
    assert.equal(of({ ...good, silent: good.silent.slice(0, 2) }), "  silent cases\n  - at least 3\n  + 2");
    assert.equal(
      of({ ...good, enqueues: [], silent: [tell("a", { nearMissOf: ["d", "e"] }), tell("b"), tell("c")] }),
      "  cases that fire\n  - at least 3\n  + 2",
    );
  });

  test("must each have a silent one beside it", () => {
    assert.equal(
      of({ ...good, silent: [tell("a", { nearMissOf: ["d", "e"] }), tell("b"), tell("c")] }),
      "  a silent case whose `nearMissOf` names this one\n  - f\n  + nothing",
    );
  });

  test("must name cases that are there, and that fire", () => {
    assert.equal(
      of({
        ...good,
        silent: [...good.silent, tell("x", { nearMissOf: "a check that failz" })],
        advises: [...good.advises, tell("a check that fails")],
      }),
      [
        '  `nearMissOf`\n  - the name of a case that fires, such as "a check that fails"\n  + a check that failz',
        "  a silent case whose `nearMissOf` names this one\n  - a check that fails\n  + nothing",
      ].join("\n"),
    );
    assert.equal(
      of({ ...good, enqueues: [tell("f", { nearMissOf: "d" })] }),
      '  `nearMissOf`\n  - on silent cases alone\n  + on "f", which fires',
    );
  });

  test("must not say the same twice", () => {
    assert.match(
      of({ ...good, silent: [...good.silent, tell("c", { reply: "other" })] }),
      /^ {2}names of cases\n {2}- each once\n {2}\+ c$/,
    );
    assert.match(
      of({ ...good, silent: [...good.silent, tell("g", { reply: "c" })] }),
      /^ {2}cases of one group\n {2}- another story in each\n {2}\+ silent /,
    );
  });

  test("are told apart where two values look alike", () => {
    const what = "advice[0].data.count";
    assert.equal(formatProblem({ what, expected: "5", got: 5 }), `  ${what}\n  - "5"\n  + 5`);
    assert.equal(formatProblem({ what, expected: "a", got: "a " }), `  ${what}\n  - a\n  + "a "`);
    assert.equal(formatProblem({ what, expected: "a", got: "a\u200b" }), `  ${what}\n  - a\n  + "a\u200b"`);
    assert.equal(formatProblem({ what, expected: "a", got: "" }), `  ${what}\n  - a\n  + ""`);
  });

  test("must hear every message", () => {
    assert.equal(of(good, []), "  a case that says this message\n  - late\n  + nothing");
  });
});

describe("a new hook", () => {
  const template = {
    name: "_template",
    files: [{ path: "rule.ts", text: 'id: "_template"; CATSTACK_HOOK_MODE__TEMPLATE=off' }],
  };
  const index = (imports: string, list: string): string =>
    `import type { Hook } from "../lib/hook.ts";\n${imports}\n/** Every hook. */\nexport const hooks: readonly Hook[] = ${list};\n`;

  test("is the template under its own name, and a line in the list where it belongs", () => {
    const plan = planHook({
      name: "late-note",
      template,
      taken: ["index.ts"],
      index: index('import aOne from "./a-one/rule.ts";\nimport zOne from "./z-one/rule.ts";\n', "[aOne, zOne]"),
    });
    assert.deepEqual(plan, {
      files: [
        { path: "hooks/late-note/rule.ts", text: 'id: "late-note"; CATSTACK_HOOK_MODE_LATE_NOTE=off' },
        {
          path: "hooks/index.ts",
          text: index(
            'import aOne from "./a-one/rule.ts";\nimport lateNote from "./late-note/rule.ts";\nimport zOne from "./z-one/rule.ts";\n',
            "[aOne, lateNote, zOne]",
          ),
        },
      ],
    });
  });

  test("breaks the list into lines where the formatter would", () => {
    const names = ["first", "second", "third", "fourth", "fifth", "sixth"]
      .map((each) => `${each}-long-name`)
      .toSorted();
    const toImport = (name: string): string =>
      `import ${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())} from "./${name}/rule.ts";\n`;
    const before = index(names.map(toImport).join(""), "[]");
    const plan = planHook({ name: "a-name", template, taken: [], index: before });
    assert.ok("files" in plan);
    assert.match(plan.files.at(-1)?.text ?? "", / = \[\n {2}aName,\n {2}fifthLongName,\n(?: {2}\w+,\n){5}\];\n$/);
  });

  for (const name of [
    "",
    "word",
    "Late-Note",
    "late_note",
    "late--note",
    "late-note-",
    "../late-note",
    `late-${"x".repeat(36)}`,
  ]) {
    test(`is not called ${JSON.stringify(name)}`, () => {
      assert.deepEqual(planHook({ name, template, taken: [], index: index("", "[]") }), {
        problem: `expected a name of two or more words in small letters with dashes between them, such as stale-todo-check, 40 characters at most, got ${JSON.stringify(name)}`,
      });
    });
  }

  test("does not take the place of another, and leaves a list alone that it cannot read", () => {
    assert.deepEqual(planHook({ name: "late-note", template, taken: ["late-note"], index: index("", "[]") }), {
      problem: 'expected a name that no hook has, got "late-note"; look at hooks/late-note',
    });
    assert.deepEqual(planHook({ name: "late-note", template, taken: [], index: "export const hooks = [];\n" }), {
      problem:
        "expected hooks/index.ts to begin with the import of `Hook` and to list all rules in `hooks`, got other text; add the line by hand",
    });
  });
});

describe("npm run", () => {
  test("new-hook makes hooks of both kinds that compile, are clean, hold their cases and reach every line", async (t) => {
    const project = makeScratchProject(t);
    const made = await npm(project, "new-hook", "open-check");
    assert.equal(made.stderr, "");
    assert.match(
      made.stdout,
      /^wrote hooks\/open-check\/README\.md\nwrote [^]*\nwrote hooks\/index\.ts\n\nIt runs already[^]*\n1\. [^]*\n2\. [^]*\n3\. /,
    );
    assert.equal((await npm(project, "new-hook", "late-note", "--judged")).code, 0);
    assert.ok(existsSync(join(project, "hooks/late-note/phrases.json")));
    const files = ["open-check", "late-note"].flatMap((name) =>
      ["rule.ts", "cases.ts", "README.md"].map((file) => readFileSync(join(project, "hooks", name, file), "utf8")),
    );
    assert.doesNotMatch(files.join(), /template/i);
    assert.deepEqual(await findLayoutProblems(project), []);
    const bin = join(project, "node_modules/.bin");
    const tools = [
      runCommand(join(bin, "tsc"), ["--noEmit", "-p", "hooks/tsconfig.json"], { cwd: project }),
      runCommand(join(bin, "oxlint"), ["--type-aware", "--deny-warnings", "hooks"], { cwd: project }),
      runCommand(join(bin, "oxfmt"), ["--check", "hooks"], { cwd: project }),
      npm(project, "coverage"),
    ];
    for (const { code, stdout, stderr } of await Promise.all(tools)) assert.equal(code, 0, stdout + stderr);
    const { stdout } = await npm(project, "cases", "open-check", "late-note");
    assert.equal(stdout, "open-check: 8 cases hold\nlate-note: 10 cases hold\n");
  });

  test("new-hook refuses a bad name and a taken one, tells its use, and writes nothing then", async (t) => {
    const project = makeScratchProject(t);
    addHook(project, "open-check", "_template");
    const index = readFileSync(join(project, "hooks/index.ts"), "utf8");
    const folders = readdirSync(join(project, "hooks"));
    const [bad, taken, none, unknown] = await Promise.all([
      kit(project, "new-hook.ts", "LateNote"),
      kit(project, "new-hook.ts", "open-check"),
      kit(project, "new-hook.ts"),
      kit(project, "new-hook.ts", "late-note", "--judge"),
    ]);
    assert.deepEqual([bad.code, taken.code, none.code, unknown.code], [2, 2, 2, 2]);
    assert.match(bad.stderr, /^expected a name of two or more words .*, got "LateNote"\n$/);
    assert.equal(taken.stderr, 'expected a name that no hook has, got "open-check"; look at hooks/open-check\n');
    assert.match(none.stderr, /^Usage: npm run new-hook -- NAME \[--judged\]\n/);
    assert.equal(unknown.stderr, none.stderr);
    assert.equal(readFileSync(join(project, "hooks/index.ts"), "utf8"), index);
    assert.deepEqual(readdirSync(join(project, "hooks")), folders);
  });

  test("cases prints the case that fails with the difference, and nothing else", async (t) => {
    const project = makeScratchProject(t);
    addHook(project, "open-check", "_template");
    const cases = join(project, "hooks/open-check/cases.ts");
    editFile(cases, 'data: { target: "npm run lint" }', 'data: { target: "eslint" }');
    const [failed, unknown, tested] = await Promise.all([
      kit(project, "run-cases.ts", "open-check"),
      kit(project, "run-cases.ts", "open-chek"),
      runCommand(process.execPath, ["--import", "tsx", "--test", "--test-reporter=spec", "tests/cases.test.ts"], {
        cwd: project,
        env: { NO_COLOR: "1" },
      }),
    ]);
    assert.deepEqual(failed, {
      code: 1,
      stdout:
        "open-check, advises: two failures of which the reply names one\n  advice[0].data.target\n  - eslint\n  + npm run lint\n\n",
      stderr: "",
    });
    assert.deepEqual(unknown, {
      code: 2,
      stdout: "",
      stderr: "expected the folder of a hook in hooks/, got open-chek; did you mean open-check?\n",
    });
    assert.equal(tested.code, 1);
    const [, told] = tested.stdout.split("failing tests:");
    assert.match(
      told ?? "",
      /advises: two failures of which the reply names one \([^)]+\)\n.*advises: two failures of which the reply names one\n {4}advice\[0\]\.data\.target\n {4}- eslint\n {4}\+ npm run lint\W*$/,
    );
  });

  test("coverage fails for a line and a function that no case reaches, and names both", async (t) => {
    const project = makeScratchProject(t);
    addHook(project, "open-check", "_template");
    const rule = join(project, "hooks/open-check/rule.ts");
    const last = "  return [{ key, label, run: fail }];\n";
    editFile(rule, last, `  if (label === "never") {\n    return lookAway();\n  }\n${last}`);
    const start = "function adviseOn(";
    editFile(rule, start, `function lookAway(): readonly OpenFailure[] {\n  return [];\n}\n\n${start}`);
    const { code, stdout, stderr } = await npm(project, "coverage");
    assert.equal(code, 1);
    const lines = readFileSync(rule, "utf8").split("\n");
    const call = lines.indexOf("    return lookAway();") + 1;
    const made = lines.indexOf("function lookAway(): readonly OpenFailure[] {") + 1;
    assert.match(stdout, new RegExp(`rule\\.ts .* ${call}-${call + 1},${made}-${made + 2}`));
    for (const what of ["lines", "functions"]) {
      assert.match(
        stderr,
        new RegExp(
          `Coverage for ${what} \\([\\d.]+%\\) does not meet threshold \\(100%\\) for hooks/open-check/rule\\.ts`,
        ),
      );
    }
  });
});

/** Runs a script of the project, without npm's own lines. */
function npm(project: string, script: string, ...args: readonly string[]): Promise<CommandResult> {
  return runCommand("npm", ["run", "--silent", script, "--", ...args], { cwd: project });
}

/** Runs what such a script runs, without npm. */
function kit(project: string, file: string, ...args: readonly string[]): Promise<CommandResult> {
  return runCommand(process.execPath, ["--import", "tsx", `tests/kit/${file}`, ...args], { cwd: project });
}
