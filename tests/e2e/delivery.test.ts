import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { getLauncher } from "../../cli/setup/launcher.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { getModeVariable } from "../../lib/settings.ts";
import { transcript } from "../helpers/claude-transcript.ts";
import { buildHook, type HookRun, makeScene, nothing, removeBuild, type Scene } from "../helpers/hook-scene.ts";

// What reaches the agent and what the person, harness by harness: the README's table, a test for each cell. Codex's `notify` has its own: notify.test.ts.

const root = fileURLToPath(new URL("../..", import.meta.url));
const SILENT_REPLY = "Renamed. Everything is in place.";

before(buildHook);
after(removeBuild);

/** What a hook printed, as an object; undefined for nothing. */
function readOutput({ code, stdout }: HookRun): Record<string, unknown> | undefined {
  assert.equal(code, 0);
  if (stdout === "") return undefined;
  const value: unknown = JSON.parse(stdout);
  assert.ok(typeof value === "object" && value !== null);
  return { ...value };
}

function findUndelivered(scene: Scene): readonly string[] {
  return listDir(join(scene.paths.undelivered, getTranscriptKey(scene.transcript)));
}

/** The whole of what a prompt's hook may print: any other key would be an error to Codex, and a decision keeps the prompt back. */
function assertPromptReply(output: Record<string, unknown> | undefined, finding: string): void {
  const { systemMessage, hookSpecificOutput, ...others } = output ?? {};
  assert.deepEqual(others, {});
  assert.equal(systemMessage, `catstack verdict-flip-watch told the agent: ${finding}`);
  assert.ok(typeof hookSpecificOutput === "object" && hookSpecificOutput !== null);
  const { hookEventName, additionalContext, ...more }: Record<string, unknown> = { ...hookSpecificOutput };
  assert.deepEqual([hookEventName, more], ["UserPromptSubmit", {}]);
  assert.match(String(additionalContext), new RegExp(`\\] ${finding}$`));
}

describe("Claude Code", () => {
  test("at a turn's end the person hears what the record shows, and the agent nothing that would make it go on", async (t) => {
    const output = readOutput(await makeScene(t, "flip").stop(SILENT_REPLY));
    assert.deepEqual(Object.keys(output ?? {}), ["systemMessage"]);
  });

  test("at the next prompt the agent reads the verdict and the person a line, once", async (t) => {
    const scene = makeScene(t, "flip");
    scene.publish("a", { on_hit: "The check fails." });
    assertPromptReply(readOutput(await scene.prompt()), "The check fails.");
    assert.deepEqual(await scene.prompt(), nothing);
  });

  test("at a sub-agent's end and at its prompts nobody hears anything, and nothing is taken from the session", async (t) => {
    const scene = makeScene(t, "flip");
    scene.publish("a");
    const child = { agent_id: "a2590bb534f4925be", agent_type: "general-purpose" };
    const path = join(scene.folder, "session", "subagents", "agent-a2590bb534f4925be.jsonl");
    const ended = { hook_event_name: "SubagentStop", agent_transcript_path: path, ...child };
    assert.deepEqual(await scene.stop(SILENT_REPLY, ended), nothing);
    assert.deepEqual(await scene.stop(SILENT_REPLY, child), nothing);
    assert.deepEqual(await scene.prompt(child), nothing);
    assert.equal(findUndelivered(scene).length, 1);
    assert.deepEqual(Object.keys(readOutput(await scene.stop(SILENT_REPLY)) ?? {}), ["systemMessage"]);
  });

  test("a background command's end is no prompt: the verdict waits for the person's", async (t) => {
    const scene = makeScene(t, "flip");
    scene.publish("a", { on_hit: "The check fails." });
    const prompt =
      '<task-notification>\n<task-id>b7</task-id>\n<tool-use-id>toolu_1</tool-use-id>\n<output-file>/tmp/b7</output-file>\n<status>failed</status>\n<summary>Background command "x" failed with exit code 3</summary>\n</task-notification>';
    assert.deepEqual(await scene.prompt({ prompt }), nothing);
    assertPromptReply(readOutput(await scene.prompt()), "The check fails.");
  });

  test("a run with -p writes the same; its verdict waits for the session to be continued", async (t) => {
    const scene = makeScene(t, "flip");
    const printing = { CLAUDE_CODE_ENTRYPOINT: "sdk-cli", CLAUDECODE: "1" };
    const output = readOutput(await scene.stop(SILENT_REPLY, { permission_mode: "bypassPermissions" }, printing));
    assert.deepEqual(Object.keys(output ?? {}), ["systemMessage"]);
    assert.equal(scene.jobs().length, 1);
    scene.publish("a", { on_hit: "The check fails." });
    assertPromptReply(readOutput(await scene.prompt()), "The check fails.");
  });

  test("a session that is resumed under another id gets what belongs to its transcript", async (t) => {
    const scene = makeScene(t, "flip");
    scene.publish("a", { on_hit: "The check fails." });
    const output = await scene.prompt({ session_id: "99999999-2222-4333-8444-555555555555" });
    assertPromptReply(readOutput(output), "The check fails.");
  });

  test("a session that is forked into another file gets nothing of what the old one asked", async (t) => {
    const scene = makeScene(t, "flip");
    scene.publish("a", { on_hit: "The check fails." });
    const fork = join(scene.folder, "fork.jsonl");
    copyFileSync(scene.transcript, fork);
    assert.deepEqual(await scene.prompt({ transcript_path: fork }), nothing);
    assertPromptReply(readOutput(await scene.prompt()), "The check fails.");
  });

  test("a session that is compacted between a pass and a fail is told of both", async (t) => {
    const scene = makeScene(t, undefined);
    const story = transcript()
      .user("Rename the field.")
      .ran("pytest tests/test_loader.py", "3 passed in 0.10s")
      .says("The loader works.")
      .compaction()
      .user("And the settings.")
      .ran("pytest tests/test_loader.py", "1 failed, 2 passed in 0.10s", { exitCode: 1 })
      .says(SILENT_REPLY);
    writeFileSync(scene.transcript, story.toJsonl());
    assert.match(String(readOutput(await scene.stop(SILENT_REPLY))?.["systemMessage"]), /passed .* then failed/);
    scene.publish("a", { on_hit: "The check fails." });
    assertPromptReply(readOutput(await scene.prompt()), "The check fails.");
  });

  test("two sessions at once hear each its own", async (t) => {
    const scene = makeScene(t, "flip");
    const other = join(scene.folder, "other.jsonl");
    copyFileSync(scene.transcript, other);
    scene.publish("a", { on_hit: "One fails." });
    scene.publish("b", { on_hit: "The other fails.", transcript: other, transcript_key: getTranscriptKey(other) });
    const runs = await Promise.all([scene.prompt(), scene.prompt({ transcript_path: other })]);
    assertPromptReply(readOutput(runs[0]), "One fails.");
    assertPromptReply(readOutput(runs[1]), "The other fails.");
    const stops = await Promise.all([
      scene.stop(SILENT_REPLY),
      scene.stop(SILENT_REPLY, { transcript_path: other, session_id: "other" }),
    ]);
    for (const run of stops) assert.deepEqual(Object.keys(readOutput(run) ?? {}), ["systemMessage"]);
    assert.deepEqual(
      scene
        .jobs()
        .map((job) => String(job["transcript"]))
        .toSorted((a, b) => a.localeCompare(b)),
      [other, scene.transcript],
    );
  });
});

describe("Claude Code with the plugin beside what the settings name", () => {
  /** As its hooks.json starts it. */
  function stopAsPlugin(scene: Scene, env: Readonly<Record<string, string>> = {}): Promise<HookRun> {
    const stop = { hook_event_name: "Stop", last_assistant_message: SILENT_REPLY };
    const payload = { ...stop, session_id: "s", transcript_path: scene.transcript };
    return scene.run(["claude", "plugin"], JSON.stringify(payload), env);
  }

  /** As `catstack install` leaves Claude Code's folder, but for `events`. */
  function install({ folder }: Scene, events = ["Stop", "UserPromptSubmit"], dir = join(folder, "home", ".claude")) {
    mkdirSync(join(dir, "hooks", "catstack"), { recursive: true });
    writeFileSync(join(dir, "hooks", "catstack", "launch"), "");
    const group = [{ hooks: [{ type: "command", command: getLauncher("claude"), timeout: 10 }] }];
    const settings = { hooks: Object.fromEntries(events.map((event) => [event, group])) };
    writeFileSync(join(dir, "settings.json"), JSON.stringify(settings, undefined, 2));
    return dir;
  }

  test("one of the two steps back, at every event, whichever comes first", async (t) => {
    const scene = makeScene(t, "flip");
    install(scene);
    const [own, spare] = await Promise.all([scene.stop(SILENT_REPLY), stopAsPlugin(scene)]);
    assert.deepEqual(Object.keys(readOutput(own) ?? {}), ["systemMessage"]);
    assert.deepEqual(spare, nothing);
    assert.equal(scene.jobs().length, 1);
    scene.publish("a", { on_hit: "The check fails." });
    const prompt = JSON.stringify({
      hook_event_name: "UserPromptSubmit",
      transcript_path: scene.transcript,
      prompt: "x",
    });
    assert.deepEqual(await scene.run(["claude", "plugin"], prompt), nothing);
    assertPromptReply(readOutput(await scene.prompt()), "The check fails.");
  });

  test("no other steps back for a plugin that has started its client", async (t) => {
    const scene = makeScene(t, "flip");
    install(scene);
    const inherited = { CLAUDE_PLUGIN_ROOT: join(scene.folder, "another-plugin") };
    assert.deepEqual(Object.keys(readOutput(await scene.stop(SILENT_REPLY, {}, inherited)) ?? {}), ["systemMessage"]);
  });

  test("none steps back for a variable that a project sets", async (t) => {
    const scene = makeScene(t, "flip");
    install(scene);
    const own = await scene.stop(SILENT_REPLY, {}, { CATSTACK_PLUGIN: "1" });
    assert.deepEqual(Object.keys(readOutput(own) ?? {}), ["systemMessage"]);
  });

  test("in a folder that CLAUDE_CONFIG_DIR names", async (t) => {
    const scene = makeScene(t, "flip");
    const dir = install(scene, ["Stop"], join(scene.folder, "config"));
    assert.deepEqual(await stopAsPlugin(scene, { CLAUDE_CONFIG_DIR: dir }), nothing);
  });

  test("the plugin alone answers: with no installation, one that is half gone, one for another event, or settings that are broken", async (t) => {
    const change: Readonly<Record<string, (dir: string) => void>> = {
      "no settings": (dir) => renameSync(join(dir, "settings.json"), join(dir, "settings.bak")),
      "no launcher": (dir) => renameSync(join(dir, "hooks"), join(dir, "gone")),
      "broken settings": (dir) => appendFileSync(join(dir, "settings.json"), "}"),
      "a folder in their place": (dir) => {
        renameSync(join(dir, "settings.json"), join(dir, "settings.bak"));
        mkdirSync(join(dir, "settings.json"));
      },
    };
    for (const [what, damage] of Object.entries(change)) {
      const scene = makeScene(t, "flip");
      damage(install(scene));
      assert.deepEqual(Object.keys(readOutput(await stopAsPlugin(scene)) ?? {}), ["systemMessage"], what);
    }
    const scene = makeScene(t, "flip");
    install(scene, ["UserPromptSubmit"]);
    assert.deepEqual(Object.keys(readOutput(await stopAsPlugin(scene)) ?? {}), ["systemMessage"]);
  });
});

describe("Claude Code, whose last rows are late", () => {
  test("a failing result that is written after the hook has read is still told", { timeout: 60_000 }, async (t) => {
    // The writer is as quick as it can be; a machine that stops it for a quarter of a second gets another try.
    for (let tries = 0; tries < 5; tries++) {
      const { scene, rest } = makeLateScene(t);
      const writer = startWriter(scene, rest);
      const { code, stdout } = await scene.stop(SILENT_REPLY);
      assert.equal(code, 0);
      await writer;
      if (stdout !== "") {
        assert.match(stdout, /passed .* then failed/);
        // What was folded of it serves the turn that follows.
        assert.deepEqual(await scene.stop(SILENT_REPLY), nothing);
        return;
      }
    }
    assert.fail("expected the late result to be told in one of 5 turns");
  });

  /** A transcript without its last row, the failing result. */
  function makeLateScene(t: TestContext) {
    const scene = makeScene(t, undefined);
    const rows = transcript()
      .user("Rename the field.")
      .ran("pytest tests/test_loader.py", "3 passed in 0.10s")
      .says("The loader works.")
      .user("And the settings.")
      .ran("pytest tests/test_loader.py", "1 failed, 2 passed in 0.10s", { exitCode: 1 })
      .toJsonl()
      .split(/(?<=\n)/);
    writeFileSync(scene.transcript, rows.slice(0, -1).join(""));
    return { scene, rest: rows.at(-1) ?? "" };
  }

  /** A process that adds the rest once the hook has written down what it has read. */
  function startWriter(scene: Scene, rest: string): Promise<void> {
    const code = `const { appendFileSync, readdirSync } = require("node:fs");
      const [cache, path, rest] = process.argv.slice(1);
      const has = () => { try { return readdirSync(cache).some((name) => !name.endsWith(".tmp") && name !== "replies"); } catch { return false; } };
      for (const end = Date.now() + 20000; !has() && Date.now() < end; );
      appendFileSync(path, rest);`;
    const child = spawn(process.execPath, ["-e", code, scene.paths.cache, scene.transcript, rest]);
    return new Promise((resolve) => child.once("close", () => resolve()));
  }
});

describe("Codex", () => {
  function makeCodexScene(t: TestContext) {
    const scene = makeScene(t, undefined);
    copyFileSync(join(root, "fixtures/transcripts/codex/flip.jsonl"), scene.transcript);
    const common = { session_id: "s", turn_id: "turn_2", transcript_path: scene.transcript, cwd: scene.folder };
    const send = (more: object) => scene.run(["codex"], JSON.stringify({ ...common, ...more }));
    return { ...scene, send };
  }

  test("at a turn's end the person hears what the record shows, by the one key that it takes there", async (t) => {
    const scene = makeCodexScene(t);
    const stop = { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: SILENT_REPLY };
    const run = await scene.send(stop);
    assert.equal(run.stdout, `${JSON.stringify({ systemMessage: run.stderr.trimEnd() })}\n`);
    assert.match(run.stderr, /^verdict-flip-watch: /);
    assert.deepEqual(await scene.send(stop), nothing);
  });

  test("at the next prompt the agent reads the verdict and the person a line, once", async (t) => {
    const scene = makeCodexScene(t);
    scene.publish("a", { on_hit: "The check fails." });
    const prompt = { hook_event_name: "UserPromptSubmit", prompt: "go on" };
    assertPromptReply(readOutput(await scene.send(prompt)), "The check fails.");
    assert.deepEqual(await scene.send(prompt), nothing);
  });

  test("in a sub-agent nobody hears anything", async (t) => {
    const scene = makeCodexScene(t);
    scene.publish("a");
    const child = { agent_id: "child", agent_type: "worker" };
    assert.deepEqual(
      await scene.send({ hook_event_name: "SubagentStop", last_assistant_message: SILENT_REPLY, ...child }),
      nothing,
    );
    assert.deepEqual(await scene.send({ hook_event_name: "UserPromptSubmit", prompt: "go", ...child }), nothing);
    assert.equal(findUndelivered(scene).length, 1);
  });

  test("without a rollout nothing is judged", async (t) => {
    const scene = makeCodexScene(t);
    const stop = { hook_event_name: "Stop", last_assistant_message: SILENT_REPLY, transcript_path: null };
    assert.deepEqual(await scene.send(stop), nothing);
  });
});

describe("Cursor", () => {
  const answered: HookRun = { code: 0, stdout: "{}\n", stderr: "" };
  const REPLY = "Done. {{CAT-UNVERIFIED: the option is kept on reload -- cannot verify: no browser here}}";
  const asking = { [getModeVariable("unverified-tag-check")]: "advise" };

  function makeCursorScene(t: TestContext) {
    const scene = makeScene(t, undefined);
    copyFileSync(join(root, "fixtures/transcripts/cursor/session.jsonl"), scene.transcript);
    const common = {
      conversation_id: "c",
      generation_id: "g",
      session_id: "c",
      cursor_version: "3.8.24",
      workspace_roots: [scene.folder],
      transcript_path: scene.transcript,
      cwd: "",
    };
    const send = (more: object, harness = "cursor") =>
      scene.run([harness], `\uFEFF${JSON.stringify({ ...common, ...more })}`, asking);
    return { ...scene, send };
  }

  const spoke = { hook_event_name: "afterAgentResponse", text: REPLY };
  const stopped = { hook_event_name: "stop", status: "completed", loop_count: 0 };

  test("a reply and its turn's end ask once, and every answer is an empty object", async (t) => {
    const scene = makeCursorScene(t);
    assert.deepEqual(await scene.send(spoke), answered);
    assert.deepEqual(scene.jobs(), []);
    assert.deepEqual(await scene.send(stopped), answered);
    const [job, ...others] = scene.jobs();
    assert.deepEqual(others, []);
    const { harness, session_id, turn_id, transcript_key, cwd, hook } = job ?? {};
    assert.deepEqual(
      { harness, session_id, turn_id, transcript_key, cwd, hook },
      {
        harness: "cursor",
        session_id: "c",
        turn_id: "g",
        transcript_key: getTranscriptKey(scene.transcript),
        cwd: scene.folder,
        hook: "unverified-tag-check",
      },
    );
  });

  test("each event counts once where Cursor runs the hooks of Claude Code's settings too, whichever comes first and all at once", async (t) => {
    const orders = [
      ["cursor", "claude"],
      ["claude", "cursor"],
    ];
    for (const order of orders) {
      const scene = makeCursorScene(t);
      assert.deepEqual(await scene.send(spoke), answered);
      for (const harness of order) assert.deepEqual(await scene.send(stopped, harness), answered, harness);
      assert.equal(scene.jobs().length, 1);
    }
    const scene = makeCursorScene(t);
    const both = ["cursor", "claude"].flatMap((harness) => [scene.send(spoke, harness), scene.send(stopped, harness)]);
    const again = ["cursor", "claude"].map((harness) => scene.send(stopped, harness));
    for (const run of await Promise.all([...both, ...again])) assert.deepEqual(run, answered);
    assert.equal(scene.jobs().length, 1);
  });

  test("of 30 events of a turn at once one asks, and no reply stays on disk", async (t) => {
    const scene = makeCursorScene(t);
    const all = Array.from({ length: 30 }, (_, index) => scene.send(index % 2 === 0 ? spoke : stopped));
    for (const run of await Promise.all(all)) assert.deepEqual(run, answered);
    assert.equal(scene.jobs().length, 1);
    assert.deepEqual(
      listDir(scene.paths.replies).map((name) => name.replace(/^[0-9a-f]+/, "")),
      [".joined"],
    );
  });

  test("a reply of 50 MB asks like any other, and one that cannot be kept is one line of an error", async (t) => {
    const scene = makeCursorScene(t);
    await scene.send({ ...spoke, text: `${"x".repeat(50_000_000)}\n\n${REPLY}` });
    assert.deepEqual(await scene.send(stopped), answered);
    assert.equal(scene.jobs().length, 1);
    const full = makeCursorScene(t);
    mkdirSync(dirname(full.paths.replies), { recursive: true, mode: 0o700 });
    writeFileSync(full.paths.replies, "");
    for (const event of [spoke, stopped]) {
      const { code, stdout, stderr } = await full.send(event);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: "{}\n" });
      assert.match(stderr, /^catstack-hook-error edge: .*E(?:EXIST|NOTDIR).*\n$/);
    }
  });

  test("a turn whose end comes first, whose reply never comes, or that the person stopped says nothing, and the next is as ever", async (t) => {
    const scene = makeCursorScene(t);
    assert.deepEqual(await scene.send({ ...stopped, generation_id: "1" }), answered);
    assert.deepEqual(await scene.send({ ...spoke, generation_id: "2" }), answered);
    assert.deepEqual(await scene.send({ ...stopped, generation_id: "2", status: "aborted" }), answered);
    assert.deepEqual(scene.jobs(), []);
    await scene.send({ ...spoke, generation_id: "3" });
    await scene.send({ ...stopped, generation_id: "3" });
    assert.deepEqual(
      scene.jobs().map((job) => job["turn_id"]),
      ["3"],
    );
  });

  test("at a prompt nothing is taken: no answer is documented to reach the agent, and the verdict stays for `catstack verdicts`", async (t) => {
    const scene = makeCursorScene(t);
    scene.publish("a");
    for (const harness of ["cursor", "claude"]) {
      assert.deepEqual(await scene.send({ hook_event_name: "beforeSubmitPrompt", prompt: "go on" }, harness), answered);
    }
    assert.equal(findUndelivered(scene).length, 1);
    assert.ok(existsSync(join(scene.paths.outbox, "a.json")));
  });

  test("in a sub-agent nothing is asked", async (t) => {
    const scene = makeCursorScene(t);
    const path = join(scene.folder, "subagents", "child.jsonl");
    mkdirSync(join(scene.folder, "subagents"));
    copyFileSync(scene.transcript, path);
    await scene.send({ ...spoke, transcript_path: path });
    await scene.send({ ...stopped, transcript_path: path });
    assert.deepEqual(scene.jobs(), []);
  });

  test("whatever it is sent, and however it is switched off, it reads JSON", async (t) => {
    const scene = makeCursorScene(t);
    for (const input of ["", "{", "[]", "null", '{"hook_event_name":"preToolUse"}', "[".repeat(100_000)]) {
      const { code, stdout } = await scene.run(["cursor", "stop"], input);
      assert.deepEqual([code, stdout], [0, "{}\n"], input.slice(0, 40));
    }
    for (const env of [{ CATSTACK: "off" }, { CATSTACK_LLM_JUDGE_CHILD: "1" }])
      assert.deepEqual(await scene.run(["cursor"], JSON.stringify(stopped), env), answered);
    const other = makeCursorScene(t);
    writeFileSync(join(other.folder, "state"), "a file in the folder's place");
    const { code, stdout, stderr } = await other.send(spoke);
    assert.deepEqual([code, stdout], [0, "{}\n"]);
    assert.match(stderr, /^catstack-hook-error .*\n$/);
  });
});
