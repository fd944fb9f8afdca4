import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { checkClients, type ClientFacts } from "../../cli/doctor/checks/clients.ts";
import { checkSettings } from "../../cli/doctor/checks/settings.ts";
import { readSettings } from "../../cli/doctor/read-settings.ts";
import { runCatstack, runCommand, distDir } from "../helpers/run-command.ts";

/** A home of its own, with these settings. */
function makeHome(t: TestContext, settings?: string) {
  const home = mkdtempSync(join(tmpdir(), "catstack-misspelt-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const config = join(home, ".config", "catstack", "config.json");
  mkdirSync(join(home, ".config", "catstack"), { recursive: true });
  if (settings !== undefined) writeFileSync(config, settings);
  const state = join(home, "state");
  const env = { HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: state };
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}, stdin = "") =>
    runCatstack(args, { env: { ...env, ...more }, cwd: home, stdin });
  return { home, config, state, env, run };
}

const STAP = '{"hooks": {"diu-stap": {"mode": "advise"}}}';
const NOTE = "unknown hook diu-stap; did you mean diu-stop?";
const VARIABLE_NOTE = "unknown variable CATSTACK_HOOK_MODE_DIU_STAP; did you mean CATSTACK_HOOK_MODE_DIU_STOP?";

describe("a name in the settings that means nothing", () => {
  test("is a note of status, which stays fine", async (t) => {
    const { run } = makeHome(t, STAP);
    const { code, stdout } = await run(["status"], { CATSTACK_HOOK_MODE_DIU_STAP: "advise" });
    assert.equal(code, 0);
    assert.ok(stdout.includes(`\nsettings    ${NOTE}\n`), stdout);
    assert.ok(stdout.includes(`\nsettings    ${VARIABLE_NOTE}\n`), stdout);
    assert.match(stdout, /\nfine\n$/);
  });

  test("is a warning of doctor, all of them in one line", (t) => {
    const { env, config } = makeHome(t, STAP);
    const facts = readSettings({ ...env, CATSTACK_HOOK_MODE_DIU_STAP: "advise" });
    assert.deepEqual(checkSettings(facts), {
      name: "settings",
      level: "warn",
      says: `${config}: ${NOTE}; ${VARIABLE_NOTE}`,
      mend: "correct or remove it: nothing reads it",
    });
  });

  test("is in the watcher's log", async (t) => {
    const { run, state } = makeHome(t, STAP);
    const { code } = await run(["watch", "--once"]);
    assert.equal(code, 0);
    const [note] = readFileSync(join(state, "judge.log"), "utf8")
      .split("\n")
      .filter((line) => line.includes("watcher:note"));
    assert.ok(note?.includes(NOTE), note);
  });

  test("is nothing to a hook", async (t) => {
    const { env, home } = makeHome(t, STAP);
    const stdin = JSON.stringify({ session_id: "s", hook_event_name: "Stop", cwd: home, transcript_path: "/none" });
    const all = { ...env, CATSTACK_HOOK_MODE_DIU_STAP: "advise" };
    const result = await runCommand(process.execPath, [join(distDir, "hook.mjs"), "claude"], { env: all, stdin });
    assert.deepEqual(result, { code: 0, stdout: "", stderr: "" });
  });
});

describe("a job with a misspelt key", () => {
  const job = { hook: "h", transcript: "s.jsonl", prompt: "Answer {}.", on_hit: "Hm.", hit_if_all_true: ["late"] };
  const listNotes = (text: string) => text.split("\n").filter((line) => line.startsWith("note: unknown key"));

  test("is taken as it is, with a note of each, and nothing said of keys that are like none", async (t) => {
    const { run } = makeHome(t);
    const { hit_if_all_true, ...rest } = job;
    const misspelt = { ...rest, hit_if_all_tru: hit_if_all_true, harnes: "claude", ticket: 7, "": 0 };
    const { code, stderr, stdout } = await run(["drop", "-"], {}, JSON.stringify({ ...misspelt, id: "a" }));
    assert.equal(code, 0, stderr);
    const notes = [
      'unknown key "hit_if_all_tru"; did you mean "hit_if_all_true"?',
      'unknown key "harnes"; did you mean "harness"?',
    ];
    assert.deepEqual(
      listNotes(stderr),
      notes.map((note) => `note: ${note}`),
    );
    assert.match(stdout, /^dropped a\n/);
    const json = await run(["drop", "-", "--json"], {}, JSON.stringify({ ...misspelt, id: "b" }));
    assert.equal(json.stderr, "");
    const told: unknown = JSON.parse(json.stdout);
    assert.ok(typeof told === "object" && told !== null && "notes" in told && Array.isArray(told.notes));
    assert.deepEqual(told.notes.slice(0, 2), notes);
    const own = await run(["drop", "-"], {}, JSON.stringify({ ...job, hooks: ["mine"] }));
    assert.deepEqual(listNotes(own.stderr), [], "the key that it is like is there too");
  });

  test("that is refused for want of it says both", async (t) => {
    const { run } = makeHome(t);
    const { prompt, on_hit, ...rest } = job;
    const cases = [
      [
        { ...rest, on_hit, promt: prompt },
        'unknown key "promt"; did you mean "prompt"?',
        /expected `prompt` .*got neither/,
      ],
      [{ ...rest, prompt, on_hti: on_hit }, 'unknown key "on_hti"; did you mean "on_hit"?', /expected `on_hit`/],
    ] as const;
    for (const [text, note, refusal] of cases) {
      const { code, stderr, stdout } = await run(["drop", "-"], {}, JSON.stringify(text));
      assert.deepEqual([code, stdout], [1, ""]);
      assert.deepEqual(listNotes(stderr), [`note: ${note}`]);
      assert.match(stderr, refusal);
    }
  });
});

describe("a job of a session that is not there", () => {
  test("is taken, and told where its verdict can be read", async (t) => {
    const { run, home } = makeHome(t);
    const job = { hook: "h", transcript: "s.jsonl", prompt: "Answer {}.", on_hit: "Hm.", hit_if_all_true: ["late"] };
    const drop = async (change: object) => (await run(["drop", "-"], {}, JSON.stringify({ ...job, ...change }))).stderr;
    const note = `note: no file at ${join(home, "s.jsonl")}: no session will be told; read the verdict with: catstack verdicts a`;
    assert.ok((await drop({ id: "a" })).split("\n").includes(note));
    assert.doesNotMatch(await drop({ transcript_key: "0123456789abcdef" }), /no file at/, "it names its session");
    assert.doesNotMatch(
      await drop({ transcript: `s${"x".repeat(300)}` }),
      /no file at|catstack drop:/,
      "nobody can tell",
    );
    mkdirSync(join(home, "s.jsonl"));
    assert.match(await drop({}), /no file at/, "a folder is none");
    rmSync(join(home, "s.jsonl"), { recursive: true });
    writeFileSync(join(home, "s.jsonl"), "");
    assert.doesNotMatch(await drop({}), /no file at/);
  });
});

describe("broken settings", () => {
  test("are a problem of status, said once and with what they keep from working", async (t) => {
    const judge = makeHome(t, '{"judge": {"concurrency": 0}}');
    const { code, stdout } = await judge.run(["status"]);
    assert.equal(code, 1);
    assert.match(stdout, /config\.json\); correct the file: until then no watcher starts\n$/);
    assert.equal(stdout.split("concurrency").length, 2, stdout);

    const hooks = makeHome(t, "{");
    const both = await hooks.run(["status"]);
    assert.equal(both.code, 1);
    assert.match(both.stdout, /correct the file: until then no watcher starts, and hooks use their defaults\n$/);
    assert.doesNotMatch(both.stdout, /^fine$|^settings /m);
    const json: unknown = JSON.parse((await hooks.run(["status", "--json"])).stdout);
    assert.ok(typeof json === "object" && json !== null && "healthy" in json && "settings_warnings" in json);
    assert.equal(json.healthy, false);
    assert.match(JSON.stringify(json.settings_warnings), /^\["expected JSON /);
  });

  test("are told by doctor once, with one thing to do, and blamed on no hook", (t) => {
    const { env } = makeHome(t, "{");
    const check = checkSettings(readSettings(env));
    assert.equal(check.level, "fail");
    assert.match(check.says, /config\.json\)$/);
    assert.equal(check.mend, "correct it");

    const client: ClientFacts = {
      name: "codex",
      title: "Codex",
      isThere: true,
      files: [{ path: "/h/hooks.json", mentions: true, pending: [], refusal: null }],
      link: null,
      off: null,
      plugin: false,
      hook: null,
      notes: [],
    };
    const look = (problem: string) => checkClients([{ ...client, hook: { problem } }]).at(-1);
    const said = "expected no output, got: catstack-hook-error";
    const blamed = {
      name: "hook codex",
      level: "warn",
      says: "answers a made-up turn, and complains of the settings",
      mend: "mend what `settings` tells",
    };
    assert.deepEqual(look(`${said} settings: Error: expected JSON without comments, got a SyntaxError`), blamed);
    assert.deepEqual(look(`${said} diu-stop: Error: expected CATSTACK_HOOK_MODE_DIU_STOP to be off, got x`), blamed);
    assert.equal(look(`${said} diu-stop: TypeError: x is undefined`)?.level, "fail");
  });
});
