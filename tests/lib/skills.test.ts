import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

/** Keys that every client knows (agentskills.io). Others are one client's own, and some keep a model from calling the skill. */
const KEYS = ["name", "description"];
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
/** The body is read into the conversation each time. */
const MAX_BODY_LINES = 60;

const root = fileURLToPath(new URL("../../skills", import.meta.url));

interface Skill {
  /** In the order of the file. */
  readonly matter: readonly (readonly [key: string, value: string])[];
  readonly body: string;
}

/** Front matter of one line a key, which needs no YAML parser. Throws when there is anything else. */
function parseSkill(text: string): Skill {
  const [, matter = "", body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  if (body === undefined) throw new Error("expected front matter between two lines of ---, got none");
  const pairs = matter.split("\n").map((line): readonly [string, string] => {
    const [, key, value] = /^([a-z-]+): (\S.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) throw new Error(`expected "key: value" on one line, got ${line}`);
    if (isPlainScalar(value)) return [key, value];
    throw new Error(`expected a value that YAML reads as plain text, got ${value}`);
  });
  return { matter: pairs, body };
}

/** Whether YAML takes the value as the text that it is: no quotes, no mark at its start, no comment, no second key. */
function isPlainScalar(value: string): boolean {
  return !/^[-?:,[\]{}#&*!|>'"%@`]|: |:$| #|\s$/.test(value) && !/^(?:true|false|null|yes|no|~|[\d.]+)$/i.test(value);
}

/** What keeps clients from loading a skill or a model from calling it by itself; empty when nothing does. */
function findProblems(name: string, { matter, body }: Skill): readonly string[] {
  const value = new Map(matter);
  const description = value.get("description") ?? "";
  return [
    matter.map(([key]) => key).join() === KEYS.join() ? "" : `keys other than ${KEYS.join(", ")}`,
    value.get("name") === name ? "" : "a name that is not its folder's",
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= MAX_NAME ? "" : "a name that clients refuse",
    description.length <= MAX_DESCRIPTION ? "" : "a description that is too long",
    /\bUse (?:when|before|after|while)\b/.test(description) ? "" : "a description that does not say when to use it",
    body.trimEnd().split("\n").length < MAX_BODY_LINES ? "" : "a body that is too long",
    /^# \S/m.test(body) ? "" : "no heading",
  ].filter((problem) => problem !== "");
}

describe("skills/", () => {
  const names = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  test("holds the skill that the hooks go with", () => {
    assert.ok(names.includes("flag-your-own-corrections"));
  });

  for (const name of names) {
    test(`${name} is one SKILL.md that every client loads and a model may call by itself`, () => {
      assert.deepEqual(readdirSync(join(root, name)), ["SKILL.md"]);
      const skill = parseSkill(readFileSync(join(root, name, "SKILL.md"), "utf8"));
      assert.deepEqual(findProblems(name, skill), []);
    });
  }
});

const good = "---\nname: a-skill\ndescription: Does it. Use when it is due.\n---\n\n# A skill\n";

const bad: readonly (readonly [what: string, from: string | RegExp, to: string, problem: string])[] = [
  ["is only for the person", "\n---", "\ndisable-model-invocation: on\n---", "keys other than name, description"],
  ["has no description", /description.*\n/, "", "keys other than name, description"],
  ["has another name", "a-skill", "b-skill", "a name that is not its folder's"],
  ["says too much", "Does it.", "x".repeat(MAX_DESCRIPTION), "a description that is too long"],
  ["never says when", "Use when", "Whenever", "a description that does not say when to use it"],
  ["is too long", "# A skill", `# A skill${"\n".repeat(MAX_BODY_LINES)}x`, "a body that is too long"],
];

describe("a skill that", () => {
  test("is well made has no problem", () => {
    assert.deepEqual(findProblems("a-skill", parseSkill(good)), []);
  });

  for (const [what, from, to, problem] of bad) {
    test(`${what} is found out`, () => {
      assert.ok(findProblems("a-skill", parseSkill(good.replace(from, to))).includes(problem));
    });
  }

  test("clients refuse by its name is found out", () => {
    for (const name of ["A-Skill", "a--skill", "-a", "a_skill", "x".repeat(MAX_NAME + 1)])
      assert.ok(findProblems(name, parseSkill(good)).includes("a name that clients refuse"), name);
  });

  test("has front matter that YAML reads otherwise, or none, is refused", () => {
    for (const text of [
      "# A skill\n",
      good.replace("Does it.", "Does it: well."),
      good.replace("Does it.", "Does it #1."),
      good.replace("Does it.", "'Does' it."),
      good.replace("description: Does it.", "description: >\n  Does it."),
    ])
      assert.throws(() => parseSkill(text), /^Error: expected/, text);
  });
});
