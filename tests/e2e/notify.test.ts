import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import { parse as parseToml } from "smol-toml";
import { addNotify } from "../../cli/setup/codex-notify.ts";
import { readRuns } from "../../lib/io/edge/run-log.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { getModeVariable } from "../../lib/settings.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { buildDir, buildHook, makeScene, nothing, removeBuild, type Scene } from "../helpers/hook-scene.ts";
import { runCommand } from "../helpers/run-command.ts";

// Codex's `notify` as the only sign of a turn's end: what is checked, what is written, what is known of it later.

const SILENT_REPLY = "Renamed. Everything is in place.";
const THREAD = "0199a213-81c0-7800-8aa1-bbab2a035a53"; // Of 2025-10-01, 23:20 UTC.
const UNDATED = "b5f6c1c2-1111-4222-8333-444455556666";
const rows = readFileSync(new URL("../../fixtures/transcripts/codex/flip.jsonl", import.meta.url), "utf8");
const observing = { [getModeVariable("verdict-flip-watch")]: "observe" };

before(buildHook);
after(removeBuild);

function notice(more: object = {}): string {
  return JSON.stringify({
    type: "agent-turn-complete",
    "thread-id": THREAD,
    "turn-id": "turn_2",
    cwd: "/home/user/project",
    client: "codex_exec",
    "input-messages": ["Now rename the settings file too."],
    "last-assistant-message": SILENT_REPLY,
    ...more,
  });
}

function makeNoticeScene(t: TestContext, day = "2025/10/01", thread = THREAD) {
  const scene = makeScene(t, undefined);
  const codexHome = join(scene.folder, "home/.codex");
  const rollout = join(codexHome, "sessions", day, `rollout-2025-10-01T23-20-12-${thread}.jsonl`);
  mkdirSync(dirname(rollout), { recursive: true });
  writeFileSync(rollout, rows);
  const run = (args: readonly string[], stdin: string, env = {}) =>
    scene.run(args, stdin, { CODEX_HOME: codexHome, ...env });
  const stop = {
    hook_event_name: "Stop",
    session_id: thread,
    turn_id: "turn_2",
    transcript_path: rollout,
    last_assistant_message: SILENT_REPLY,
  };
  return {
    ...scene,
    codexHome,
    rollout,
    notify: (more: object = {}, env = {}) => run(["codex", notice({ "thread-id": thread, ...more })], "", env),
    stop: (env = {}) => run(["codex"], JSON.stringify(stop), env),
  };
}

function countRuns({ paths }: Scene | ReturnType<typeof makeNoticeScene>): readonly string[] {
  return readRuns(paths).map(
    ({ harness, event, runs, errors }) => `${harness} ${event} ${runs}, ${errors} with an error`,
  );
}

describe("a turn that Codex tells by notify alone", () => {
  test("a flip becomes a job, once, and nothing is printed: nobody reads it", async (t) => {
    const scene = makeNoticeScene(t);
    assert.deepEqual(await scene.notify(), nothing);
    assert.deepEqual(await scene.notify(), nothing);
    const [job, ...more] = scene.jobs();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [job?.["hook"], job?.["transcript"], job?.["session_id"], job?.["turn_id"], job?.["harness"]],
      ["verdict-flip-watch", scene.rollout, THREAD, "turn_2", "codex"],
    );
    assert.equal(listDir(scene.flipDir).length, 1);
    assert.deepEqual(countRuns(scene), ["codex Notice 2, 0 with an error"]);
  });

  test("verdicts stay where `catstack verdicts` finds them", async (t) => {
    const scene = makeNoticeScene(t);
    scene.publish("a", { transcript_key: getTranscriptKey(scene.rollout) });
    await scene.notify();
    assert.equal(listDir(join(scene.paths.undelivered, getTranscriptKey(scene.rollout))).length, 1);
  });

  test("a hook that only observes counts it, and asks nothing", async (t) => {
    const scene = makeNoticeScene(t);
    assert.deepEqual(await scene.notify({}, observing), nothing);
    assert.deepEqual(scene.jobs(), []);
    assert.equal(readFileSync(scene.paths.observedLog, "utf8").trimEnd().split("\n").length, 1);
  });

  const silences = {
    "another thread": { "thread-id": "0199a213-81c0-7800-8aa1-000000000000" },
    "a thread that is the end of another's name": { "thread-id": "bbab2a035a53" },
    "a path for a thread": { "thread-id": `../../../2025/10/01/rollout-2025-10-01T23-20-12-${THREAD}` },
    "another kind of notice": { type: "approval-requested" },
    "a reply that owns it": {
      "last-assistant-message": "tests/test_loader.py passed before and fails now; I have not mended it.",
    },
  };
  for (const [name, more] of Object.entries(silences)) {
    test(`silent: ${name}`, async (t) => {
      const scene = makeNoticeScene(t);
      assert.deepEqual(await scene.notify(more), nothing);
      assert.deepEqual(scene.jobs(), []);
    });
  }

  test("silent: a sub-agent's thread, which only its rollout tells from a person's", async (t) => {
    const scene = makeNoticeScene(t);
    writeFileSync(scene.rollout, rows.replace('"thread_source":"user"', '"thread_source":"subagent"'));
    assert.deepEqual(await scene.notify(), nothing);
    assert.deepEqual(scene.jobs(), []);
  });

  test("a notice that is no JSON is one line, of a program that ends well", async (t) => {
    const { code, stdout, stderr } = await makeNoticeScene(t).run(["codex", "{nonsense"], "");
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
    assert.match(
      stderr,
      /^catstack-hook-error edge: .*expected a hook payload as JSON as last argument, got 9 characters/,
    );
  });

  for (const thread of [undefined, 7]) {
    test(`a notice with ${thread} for a thread is one line, and the run log tells of it: no turn can be checked`, async (t) => {
      const scene = makeNoticeScene(t);
      assert.deepEqual(await scene.notify({ "thread-id": thread }), {
        ...nothing,
        stderr: "catstack-hook-error edge: Error: expected thread-id in Codex's notice, got none; update Codex\n",
      });
      assert.deepEqual(scene.jobs(), []);
      assert.deepEqual(countRuns(scene), ["codex Notice 1, 1 with an error"]);
    });
  }

  test("sessions that cannot be read are one line, and the run log tells of them", async (t) => {
    const scene = makeNoticeScene(t);
    rmSync(join(scene.codexHome, "sessions"), { recursive: true });
    symlinkSync("sessions", join(scene.codexHome, "sessions"));
    const { code, stdout, stderr } = await scene.notify();
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
    assert.match(stderr, /^catstack-hook-error edge: Error: ELOOP.*\n$/);
    assert.deepEqual(countRuns(scene), ["codex Notice 1, 1 with an error"]);
  });
});

describe("the rollout of a thread", () => {
  const days = {
    "the day before, by local time": "2025/09/30",
    "the day after": "2025/10/02",
    "an odd day": "2026/02/28",
  };
  for (const [name, day] of Object.entries(days)) {
    test(`is found in the folder of ${name}`, async (t) => {
      const scene = makeNoticeScene(t, day);
      await scene.notify();
      assert.equal(scene.jobs().length, 1);
    });
  }

  /** Newer than the day of the rollout. */
  function addDays({ codexHome }: ReturnType<typeof makeNoticeScene>, count: number): void {
    for (let day = 0; day < count; day++) {
      const path = new Date(Date.UTC(2025, 10, 1 + day)).toISOString().slice(0, 10).replaceAll("-", "/");
      mkdirSync(join(codexHome, "sessions", path), { recursive: true });
    }
  }

  test("is found by the day in its id, however many days there have been since", async (t) => {
    const scene = makeNoticeScene(t);
    addDays(scene, 61);
    await scene.notify();
    assert.equal(scene.jobs().length, 1);
  });

  test("is looked for in the 60 newest days where its id tells none", async (t) => {
    const scene = makeNoticeScene(t, "2025/10/01", UNDATED);
    addDays(scene, 60);
    await scene.notify();
    assert.deepEqual(scene.jobs(), []);
    rmSync(join(scene.codexHome, "sessions/2025/11/01"), { recursive: true });
    await scene.notify();
    assert.equal(scene.jobs().length, 1);
  });
});

describe("a turn that Codex tells by a Stop hook and by notify", () => {
  test("is said, asked and marked once", async (t) => {
    const scene = makeNoticeScene(t);
    // Codex waits for its Stop hooks before it starts `notify`.
    assert.match((await scene.stop()).stdout, /^\{"systemMessage":"verdict-flip-watch: /);
    assert.deepEqual(await scene.notify(), nothing);
    assert.equal(scene.jobs().length, 1);
    assert.equal(listDir(scene.flipDir).length, 1);
    assert.deepEqual(countRuns(scene), ["codex Notice 1, 0 with an error", "codex Stop 1, 0 with an error"]);
  });

  test("is one job in whatever order they come", async (t) => {
    const scene = makeNoticeScene(t);
    await Promise.all([scene.notify(), scene.stop(), scene.notify()]);
    assert.equal(scene.jobs().length, 1);
    assert.equal(listDir(scene.flipDir).length, 1);
  });

  test("is observed once", async (t) => {
    const scene = makeNoticeScene(t);
    await scene.stop(observing);
    await scene.notify({}, observing);
    assert.equal(readFileSync(scene.paths.observedLog, "utf8").trimEnd().split("\n").length, 1);
  });
});

describe("the program in `notify`", () => {
  const launchers = {
    "is not there": undefined,
    fails: "exit 3",
    "is no shell script": "\0)",
    "ends the shell that runs it": "kill -9 $$",
  };
  for (const [name, launcher] of Object.entries(launchers)) {
    test(`the person's own runs with its own arguments where ours ${name}`, async (t) => {
      const home = makeTempDir(t);
      const launch = join(home, ".codex/hooks/catstack/launch");
      mkdirSync(dirname(launch), { recursive: true });
      if (launcher !== undefined) writeFileSync(launch, launcher);
      const told = join(home, "told");
      const own = ["/bin/sh", "-c", 'printf "%s|" "$@" >"$HOME/told"', "theirs", "it's mine", ""];
      const { text = "" } = addNotify(`notify = ${JSON.stringify(own)}\n`, "config.toml");
      const [file = "", ...args] = getTexts(parseToml(text)["notify"]);
      const run = await runCommand(file, [...args, notice()], { env: { HOME: home } });
      assert.deepEqual(run, nothing);
      assert.equal(readFileSync(told, "utf8"), `it's mine||${notice()}|`);
    });
  }

  test("alone it ends well whatever ours does", async (t) => {
    const home = makeTempDir(t);
    const [file = "", ...args] = getTexts(parseToml(addNotify("", "config.toml").text ?? "")["notify"]);
    assert.deepEqual(await runCommand(file, [...args, notice()], { env: { HOME: home } }), nothing);
  });
});

function getTexts(value: unknown): string[] {
  assert.ok(Array.isArray(value));
  return value.map(String);
}

describe("catstack doctor, of a Codex with notify alone", () => {
  function readCheck(value: unknown) {
    const check: Record<string, unknown> = typeof value === "object" ? { ...value } : {};
    const { name, level, says, mend } = check;
    return { name, level, says: String(says), mend: String(mend) };
  }

  function makeHome(t: TestContext, version: string, config: string) {
    const home = makeTempDir(t);
    const codexHome = join(home, ".codex");
    mkdirSync(codexHome);
    writeFileSync(join(codexHome, "config.toml"), config);
    const bin = join(home, "lib", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(home, "lib", "package.json"), JSON.stringify({ name: "@openai/codex", version }));
    writeFileSync(join(bin, "codex"), "#!/bin/sh\n", { mode: 0o755 });
    const env = { HOME: home, PATH: bin, TMPDIR: makeTempDir(t) };
    const node = (...args: readonly string[]) => runCommand(process.execPath, args, { env });
    const catstack = (...args: readonly string[]) => node(join(buildDir, "catstack.mjs"), ...args);
    return {
      codexHome,
      install: async () => assert.equal((await catstack("install", "--yes", "--no-service")).code, 0),
      notify: () => node(join(buildDir, "hook.mjs"), "codex", notice()),
      /** What it says of the hooks' runs. */
      async look() {
        const { stdout } = await catstack("doctor", "--json");
        const report: unknown = JSON.parse(stdout);
        assert.ok(typeof report === "object" && report !== null && "checks" in report && Array.isArray(report.checks));
        const found = report.checks.map(readCheck).find(({ name }) => name === "runs codex");
        assert.ok(found, stdout);
        return found;
      },
    };
  }
  const HOOKS_OFF = "[features]\nhooks = false\n";

  for (const [name, version, config] of [
    ["its hooks off", "0.171.0", HOOKS_OFF],
    ["too old for hooks", "0.123.0", ""],
  ] as const) {
    test(`${name}, never heard: it asks for a prompt and for no trust; then it says when it was heard`, async (t) => {
      const home = makeHome(t, version, config);
      await home.install();
      const never = await home.look();
      assert.deepEqual(
        [never.level, never.says, never.mend],
        ["warn", "installed, but never run so far", "begin a new session and send a prompt"],
      );
      assert.deepEqual(await home.notify(), nothing);
      const heard = await home.look();
      assert.equal(heard.level, "ok");
      assert.match(heard.says, /^notify \d+ s ago \(\d+ ms\), once$/);
    });
  }

  test("what was heard before hooks were switched on says nothing of the hooks, which still want trust", async (t) => {
    const home = makeHome(t, "0.171.0", HOOKS_OFF);
    await home.install();
    await home.notify();
    writeFileSync(join(home.codexHome, "config.toml"), "");
    await home.install();
    assert.equal(existsSync(join(home.codexHome, "hooks.json")), true);
    const { says, mend } = await home.look();
    assert.equal(says, "installed, but never run so far");
    assert.match(mend, /type \/hooks in Codex/);
  });
});
