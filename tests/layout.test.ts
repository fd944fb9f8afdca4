import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { editFile, makeScratchProject } from "./helpers/scratch-project.ts";
import { lacks } from "./helpers/skip.ts";
import { addHook } from "./kit/add-hook.ts";
import { findLayoutProblems } from "./kit/check-layout.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");

test("every hook is whole and listed, and so are the templates of new ones", async () => {
  assert.deepEqual(await findLayoutProblems(root), []);
});

test("hooks/main.ts stays an edge: at most 80 lines", () => {
  assert.ok(countLines("hooks/main.ts") <= 80);
});

/** What one may forget or get wrong; `says` is all that is then said. */
const halves: readonly { readonly does: string; readonly harm: (hooks: string) => void; readonly says: string[] }[] = [
  {
    does: "has no rule",
    harm: (hooks) => rmSync(join(hooks, "open-check/rule.ts")),
    says: [
      "hooks/open-check: expected the file rule.ts, got none",
      "hooks/index.ts: expected a list of hooks, got Cannot find module 'HOOKS/open-check/rule.ts' imported from HOOKS/index.ts",
    ],
  },
  {
    does: "has no cases",
    harm: (hooks) => rmSync(join(hooks, "open-check/cases.ts")),
    says: ["hooks/open-check: expected the file cases.ts, got none"],
  },
  {
    does: "has no README",
    harm: (hooks) => rmSync(join(hooks, "open-check/README.md")),
    says: ["hooks/open-check: expected the file README.md, got none"],
  },
  {
    does: "lacks a heading",
    harm: (hooks) => editFile(join(hooks, "open-check/README.md"), "## Known limits\n", ""),
    says: [
      "hooks/open-check: expected the headings of README.md to be What it reports, Example that fires, Example that stays silent, Why, Known limits, How to turn it off, got What it reports, Example that fires, Example that stays silent, Why, How to turn it off",
    ],
  },
  {
    does: "has the title of another",
    harm: (hooks) => editFile(join(hooks, "open-check/README.md"), "# open-check\n", "# Open check\n"),
    says: ['hooks/open-check: expected one title in README.md, "# open-check", got ["# Open check"]'],
  },
  {
    does: "is not in the index",
    harm: (hooks) => {
      editFile(join(hooks, "index.ts"), 'import openCheck from "./open-check/rule.ts";\n', "");
      editFile(join(hooks, "index.ts"), ", openCheck", "");
    },
    says: ["hooks/index.ts: expected every folder, sorted: late-note, open-check; got late-note"],
  },
  {
    does: "is in the index twice",
    harm: (hooks) => editFile(join(hooks, "index.ts"), "[lateNote, openCheck]", "[lateNote, openCheck, openCheck]"),
    says: [
      "hooks/index.ts: expected every folder, sorted: late-note, open-check; got late-note, open-check, open-check",
    ],
  },
  {
    does: "stands in the index where it does not belong",
    harm: (hooks) => editFile(join(hooks, "index.ts"), "[lateNote, openCheck]", "[openCheck, lateNote]"),
    says: ["hooks/index.ts: expected every folder, sorted: late-note, open-check; got open-check, late-note"],
  },
  {
    does: "has the id of another folder",
    harm: (hooks) => editFile(join(hooks, "open-check/rule.ts"), 'id: "open-check"', 'id: "open-checks"'),
    says: [
      'hooks/open-check: expected the id to be the name of its folder, got "open-checks"',
      "hooks/index.ts: expected every folder, sorted: late-note, open-check; got late-note, open-checks",
    ],
  },
  {
    does: "has the phrases of another checker",
    harm: (hooks) =>
      editFile(join(hooks, "late-note/phrases.json"), '"checker": "late-note"', '"checker": "later-note"'),
    says: [
      'hooks/late-note: expected a dictionary of phrases, got hooks/late-note/phrases.json: expected `checker` to be "late-note", the name of its folder, got "later-note"',
      'hooks/index.ts: expected a list of hooks, got hooks/late-note/phrases.json: expected `checker` to be "late-note", the name of its folder, got "later-note"',
    ],
  },
  {
    does: "asks a model before anyone has switched it on",
    harm: (hooks) => editFile(join(hooks, "late-note/rule.ts"), 'defaultMode: "observe"', 'defaultMode: "advise"'),
    says: [
      "hooks/late-note: expected the mode of a hook that asks a model to be observe until it is switched on, got advise",
    ],
  },
  {
    does: "describes itself in other words than all",
    harm: (hooks) =>
      editFile(join(hooks, "open-check/rule.ts"), 'description: "Reports a check', 'description: "A check'),
    says: [
      'hooks/open-check: expected the description to be one sentence that begins with "Reports", got "A check whose latest run failed while the reply does not name it."',
    ],
  },
  {
    does: "listens to an event that nobody answers",
    harm: (hooks) =>
      editFile(join(hooks, "open-check/rule.ts"), 'events: ["Stop"]', 'events: ["Stop", "UserPromptSubmit"]'),
    says: ["hooks/open-check: expected the events to be Stop, got Stop, UserPromptSubmit"],
  },
  {
    does: "exports no hook",
    harm: (hooks) =>
      editFile(join(hooks, "open-check/rule.ts"), "export default defineHook(", "export const hook = defineHook("),
    says: [
      "hooks/open-check: expected a rule that can be loaded, got hooks/open-check/rule.ts: expected a hook as default export, made by `defineHook`, got undefined",
      "hooks/index.ts: expected a list of hooks, got The requested module './open-check/rule.ts' does not provide an export named 'default'",
    ],
  },
  {
    does: "is one word, by which the linter cannot tell it from other folders",
    harm: (hooks) => mkdirSync(join(hooks, "opencheck")),
    says: [
      'hooks/: expected a name of two or more words in small letters with dashes between them, such as stale-todo-check, 40 characters at most, got "opencheck"',
      "hooks/opencheck: expected the file rule.ts, got none",
      "hooks/opencheck: expected the file cases.ts, got none",
      "hooks/opencheck: expected the file README.md, got none",
      "hooks/index.ts: expected every folder, sorted: late-note, open-check, opencheck; got late-note, open-check",
    ],
  },
  {
    does: "stands beside the folders, where the import boundaries of rules do not reach",
    harm: (hooks) => writeFileSync(join(hooks, "open-check.ts"), ""),
    says: ["hooks/open-check.ts: expected every rule in a folder of its own, got a file beside the folders"],
  },
];

describe("a hook is rejected that", () => {
  test("(two that are whole are not)", async (t) => {
    assert.deepEqual(await findLayoutProblems(makeHooks(t)), []);
  });

  for (const { does, harm, says } of halves) {
    test(does, async (t) => {
      const project = makeHooks(t);
      harm(join(project, "hooks"));
      const problems = await findLayoutProblems(project);
      assert.deepEqual(
        problems.map((problem) => problem.replaceAll(join(realpathSync(project), "hooks"), "HOOKS")),
        says,
      );
    });
  }
});

/** A project with two hooks as `new-hook` makes them. */
function makeHooks(t: TestContext): string {
  const project = makeScratchProject(t);
  assert.ok("files" in addHook(project, "open-check", "_template"));
  assert.ok("files" in addHook(project, "late-note", "_template-judged"));
  return project;
}

function countLines(path: string): number {
  return readFileSync(join(root, path), "utf8").split("\n").length - 1;
}

test("every mistake that tests/README.md lists is pinned by a case or a test of its number, and no other number is used", () => {
  const readme = readFileSync(join(root, "tests/README.md"), "utf8");
  const listed = [...readme.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  assert.deepEqual(
    listed,
    listed.map((_, index) => index + 1),
  );
  const files = ["tests", "hooks"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(root, folder, name)),
  );
  const names = files.filter((path) => /(?:\.test|cases)\.ts$/.test(path)).map((path) => readFileSync(path, "utf8"));
  const pinned = names.flatMap((text) => [...text.matchAll(/defect (\d+): /g)].map(([, number]) => Number(number)));
  assert.ok(listed.length > 0);
  assert.deepEqual(new Set(pinned.toSorted((a, b) => a - b)), new Set(listed));
});

test("no source file is longer than 300 lines", () => {
  const folders = ["lib", "hooks", "judge", "cli", "inbox-schema"];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const long = files.filter((path) => path.endsWith(".ts") && !path.endsWith("cases.ts") && countLines(path) > 300);
  assert.deepEqual(long, []);
});

describe("the hook bundle", () => {
  test("holds the verifier library's parser and no package of the judge or the command", async () => {
    const { metafile } = await build({
      entryPoints: [join(root, "hooks/main.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      write: false,
      metafile: true,
      absWorkingDir: root,
    });
    const packages = new Set(
      Object.keys(metafile.inputs).flatMap((path) => /node_modules\/([^/]+)\//.exec(path)?.[1] ?? []),
    );
    assert.deepEqual([...packages].toSorted(), ["unbash", "uuid"]);
    const own = Object.keys(metafile.inputs).filter((path) => /^(?:judge|cli|tests|fixtures)\//.test(path));
    assert.deepEqual(own, []);
  });
});

test("what a machine lacks is skipped aloud, and fails where nothing may be skipped", () => {
  const told: string[] = [];
  const t = { skip: (why?: string) => void told.push(why ?? "") };
  assert.equal(lacks(t, true, "a client", "1"), false);
  assert.deepEqual(told, []);
  assert.equal(lacks(t, false, "a client", ""), true);
  assert.deepEqual(told, ["needs a client"]);
  assert.throws(() => lacks(t, false, "a client", "1"), /expected a client on this machine, got none/);
});

/** A file that breaks one boundary, and the words that must come back. */
interface Violation {
  readonly path: string;
  readonly code: string;
  readonly says: string;
}

const node = "no Node API here; effects live in lib/io and at the edges";
const io = "lib/io is only for the process edges";
const files = "hooks and the judge talk through files only";
const byAnyName = "no clock, no randomness and no process, by any name";
const typesOnly = "pure code takes only types from inbox-schema";

const violations: readonly Violation[] = [
  { path: "inbox-schema/a.ts", code: 'import "../lib/hook.ts";', says: "the contract imports nothing of ours" },
  { path: "inbox-schema/b.ts", code: 'import "node:fs";', says: node },
  { path: "lib/a.ts", code: 'import "node:path";', says: node },
  { path: "lib/b.ts", code: 'import "./io/paths.ts";', says: io },
  { path: "lib/c.ts", code: 'import "../hooks/index.ts";', says: "hooks are only imported by hooks/main.ts and cli/" },
  { path: "lib/d.ts", code: 'import "../judge/watch.ts";', says: files },
  { path: "lib/e.ts", code: 'import "../cli/main.ts";', says: "cli/ is the composition root" },
  {
    path: "lib/f.ts",
    code: 'import "../tests/helpers/wait-for.ts";',
    says: "product code never imports tests or fixtures",
  },
  { path: "lib/g.ts", code: 'import { job } from "../inbox-schema/job.ts"; export { job };', says: typesOnly },
  { path: "lib/h.ts", code: "export const a = new Date();", says: "pure code has no clock" },
  { path: "lib/i.ts", code: "export const a = performance.now();", says: "pure code has no clock" },
  { path: "lib/j.ts", code: "export const a = process.pid;", says: "pure code has no process" },
  { path: "lib/k.ts", code: "export const a = Math.random();", says: "pure code has no randomness" },
  { path: "lib/l.ts", code: 'console.log("a");', says: "pure code prints nothing" },
  { path: "lib/m.ts", code: 'import "zod";', says: "zod only in inbox-schema/" },
  { path: "lib/io/a.ts", code: 'import "../../judge/watch.ts";', says: files },
  {
    path: "lib/io/b.ts",
    code: 'import "../../hooks/index.ts";',
    says: "hooks are only imported by hooks/main.ts and cli/",
  },
  { path: "lib/io/c.ts", code: 'import "execa";', says: "execa only in judge/runners/spawn.ts" },
  { path: "hooks/a/rule.ts", code: 'import "node:crypto";', says: node },
  { path: "hooks/a/deep/part.ts", code: 'import "node:crypto";', says: node },
  { path: "hooks/b/rule.ts", code: 'import "../../lib/io/paths.ts";', says: io },
  { path: "hooks/c/rule.ts", code: 'import "../../judge/watch.ts";', says: files },
  { path: "hooks/d/rule.ts", code: 'import "../other-hook/rule.ts";', says: "a hook never imports another hook" },
  { path: "hooks/a-b/up.ts", code: 'import "../../hooks/c-d/rule.ts";', says: "a hook never imports another hook" },
  { path: "hooks/a-b/detour.ts", code: 'import "./../c-d/rule.ts";', says: "a detour hides where it leads" },
  { path: "hooks/a-b/lib.ts", code: 'import "../../lib/../build.mjs";', says: "a detour hides where it leads" },
  { path: "hooks/a-b/file.ts", code: 'import "file:///tmp/a.mjs";', says: "a detour hides where it leads" },
  { path: "hooks/a-b/index.ts", code: 'import "../index.ts";', says: "nor what lists and runs them" },
  { path: "hooks/a-b/main.ts", code: 'import "../main.ts";', says: "nor what lists and runs them" },
  { path: "hooks/a-b/clock.ts", code: "export const a = globalThis.Date.now();", says: byAnyName },
  { path: "hooks/a-b/chance.ts", code: "export const a = globalThis.Math.random();", says: byAnyName },
  { path: "hooks/a-b/taken.ts", code: "export const { random } = Math;", says: "pure code has no randomness" },
  { path: "lib/n.ts", code: "export const a = globalThis.Date.now();", says: byAnyName },
  { path: "lib/o.ts", code: "export const a = global.process.pid;", says: byAnyName },
  { path: "judge/select.ts", code: "export const a = globalThis.Math.random();", says: byAnyName },
  { path: "hooks/e/words.ts", code: 'import "../other-hook/words.ts";', says: "a hook never imports another hook" },
  { path: "hooks/f/rule.ts", code: "export const a = Date.now();", says: "pure code has no clock" },
  { path: "hooks/g/rule.ts", code: "export const a = Math.random();", says: "pure code has no randomness" },
  { path: "hooks/h/words.ts", code: "export const a = process.env;", says: "pure code has no process" },
  {
    path: "hooks/i/cases.ts",
    code: 'import "../../tests/helpers/wait-for.ts";',
    says: "product code never imports tests or fixtures",
  },
  { path: "hooks/main.ts", code: 'import "../judge/watch.ts";', says: files },
  { path: "hooks/index.ts", code: 'import "../lib/io/paths.ts";', says: io },
  {
    path: "judge/a.ts",
    code: 'import "../hooks/index.ts";',
    says: "hooks are only imported by hooks/main.ts and cli/",
  },
  { path: "judge/b.ts", code: 'import "chokidar";', says: "chokidar only in judge/watch.ts" },
  { path: "judge/c.ts", code: 'import "proper-lockfile";', says: "proper-lockfile only in judge/claim.ts" },
  { path: "judge/d.ts", code: 'import "execa";', says: "execa only in judge/runners/spawn.ts" },
  { path: "judge/watch.ts", code: 'import "execa";', says: "execa only in judge/runners/spawn.ts" },
  { path: "judge/claim.ts", code: 'import "chokidar";', says: "chokidar only in judge/watch.ts" },
  { path: "judge/runners/spawn.ts", code: 'import "zod";', says: "zod only in inbox-schema/" },
  { path: "judge/lifecycle.ts", code: "export const a = Date.now();", says: "pure code has no clock" },
  { path: "cli/a.ts", code: 'import "../fixtures/x.ts";', says: "product code never imports tests or fixtures" },
];

/** The other side of each boundary: what these do is theirs to do. */
const allowed: readonly Omit<Violation, "says">[] = [
  { path: "inbox-schema/z.ts", code: 'import "zod";' },
  { path: "lib/z.ts", code: 'import type { Job } from "../inbox-schema/job.ts"; export type A = Job;' },
  { path: "lib/io/z.ts", code: 'import "node:fs"; import "../hook.ts"; export const a = Date.now();' },
  { path: "hooks/z/rule.ts", code: 'import "../../lib/hook.ts"; import "./words.ts";' },
  {
    path: "judge/z.ts",
    code: 'import "../lib/io/paths.ts"; import "../inbox-schema/job.ts"; export const a = Date.now();',
  },
  { path: "cli/z.ts", code: 'import "../hooks/index.ts"; import "../judge/watch.ts"; import "../lib/io/paths.ts";' },
];

describe("the import boundaries bite", () => {
  test("every way across one is an error of the linter, and nothing else is", (t) => {
    const folder = makeProject(t, [".oxlintrc.json"], [...violations, ...allowed]);
    const { stdout } = spawnSync(join(bin, "oxlint"), ["--format=json"], { cwd: folder, encoding: "utf8" });
    const found = readDiagnostics(stdout);
    for (const { path, code, says } of violations) {
      const messages = found.filter((each) => each.path === path).map(({ text }) => text);
      assert.ok(
        messages.some((text) => text.includes(says)),
        `expected "${says}" for ${path}: ${code}\ngot ${JSON.stringify(messages)}`,
      );
    }
    assert.deepEqual(
      found.filter(({ path }) => allowed.some((each) => each.path === path)),
      [],
    );
  });

  for (const [config, path] of [
    ["hooks/tsconfig.json", "hooks/a/rule.ts"],
    ["hooks/tsconfig.json", "hooks/a/cases.ts"],
    ["lib/tsconfig.json", "lib/a.ts"],
  ] as const) {
    test(`the compiler knows no Node in ${path}`, (t) => {
      const violation = {
        path,
        code: 'import { readFileSync } from "node:fs";\nexport default readFileSync(String(process.pid));',
      };
      const folder = makeProject(t, ["tsconfig.json", config], [violation]);
      const { stdout } = spawnSync(join(bin, "tsc"), ["--noEmit", "-p", config], { cwd: folder, encoding: "utf8" });
      assert.match(stdout, new RegExp(`${path}.*error TS2\\d+: Cannot find (?:module|name) .*'node:fs'`));
      assert.match(stdout, new RegExp(`${path}.*error TS2\\d+: Cannot find name 'process'`));
    });
  }
});

/** A folder with the project's settings and the given files. */
function makeProject(t: TestContext, settings: readonly string[], sources: readonly Omit<Violation, "says">[]): string {
  const folder = mkdtempSync(join(tmpdir(), "catstack-layout-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const path of [...settings, ...sources.map(({ path }) => path)])
    mkdirSync(dirname(join(folder, path)), { recursive: true });
  for (const path of settings) copyFileSync(join(root, path), join(folder, path));
  for (const { path, code } of sources) writeFileSync(join(folder, path), `${code}\n`);
  return folder;
}

interface Diagnostic {
  readonly path: string;
  readonly text: string;
}

function readDiagnostics(json: string): readonly Diagnostic[] {
  const report: unknown = JSON.parse(json);
  assert.ok(isObject(report) && Array.isArray(report["diagnostics"]));
  return report["diagnostics"].map((each: unknown) => {
    assert.ok(isObject(each) && typeof each["filename"] === "string" && typeof each["message"] === "string");
    const help = typeof each["help"] === "string" ? each["help"] : "";
    return { path: each["filename"], text: `${each["message"]} ${help}` };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
