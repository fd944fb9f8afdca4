import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { parseVerdict } from "../../inbox-schema/parse-verdict.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { distDir, runCatstack } from "../helpers/run-command.ts";
import { waitFor } from "../helpers/wait-for.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Runs the demo in a world without any other program: no model CLI, an empty home, its own folder for temporary files. */
async function runDemo(t: TestContext, args: readonly string[] = [], env: Record<string, string> = {}) {
  const folder = makeTempDir(t);
  const [home, temporary, bin] = ["home", "tmp", "bin"].map((name) => join(folder, name));
  assert.ok(home !== undefined && temporary !== undefined && bin !== undefined);
  for (const path of [home, temporary, bin]) mkdirSync(path);
  const result = await runCatstack(["demo", ...args], {
    env: { HOME: home, TMPDIR: temporary, PATH: bin, ...env },
  });
  return { ...result, home, temporary };
}

/** Times, ids and the scratch folder differ from run to run. */
function mask(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "TIME")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]*/g, "TIME")
    .replaceAll(/-[0-9a-f]{16}\b/g, "-ID")
    .replaceAll(/"[^"\n]*catstack-demo-\w+/g, '"SCRATCH');
}

test("the demo shows the warning, the verdict and the delivered message without any model, and leaves nothing", async (t) => {
  const { code, stdout, stderr, home, temporary } = await runDemo(t);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  assert.match(stdout, /verdict-flip-watch: .* passed \(turn 1, [^)]+\), then failed \(turn 2,/);
  assert.match(stdout, /verdict {2}hit, by evidence \(no model was asked\)/);
  assert.match(stdout, /asks a stand-in for a model CLI/);
  assert.match(stdout, /verdict {2}hit, by stand-in: config\/retry\.json exists; line 3 reads "max_attempts": 5/);
  assert.equal(stdout.match(/Findings of catstack/g)?.length, 2);
  assert.match(stdout, /\[verdict-flip-watch, /);
  assert.match(stdout, /\[demo, /);
  assert.deepEqual(readdirSync(home), []);
  assert.deepEqual(readdirSync(temporary), []);
});

test("the README shows what the demo really prints", async (t) => {
  const { stdout } = await runDemo(t);
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const shown = /```text\n(catstack demo: [\s\S]*?)```/.exec(readme)?.[1] ?? assert.fail("no output in the README");
  assert.equal(mask(stdout).slice(0, mask(shown).length), mask(shown));
});

test("--keep keeps the scratch folder and says where it is", async (t) => {
  const { code, stdout, temporary } = await runDemo(t, ["--keep"]);
  assert.equal(code, 0);
  const kept = /^kept (.+)$/m.exec(stdout)?.[1] ?? assert.fail(stdout);
  assert.deepEqual(readdirSync(temporary), [kept.slice(temporary.length + 1)]);
  assert.equal(readdirSync(join(kept, "state", "outbox")).length, 2);
});

test("--real asks the person's own runners, and fails where there is none", async (t) => {
  const mine = JSON.stringify([["mine", [process.execPath, join(distDir, "stand-in.mjs"), "{prompt}"]]]);
  const asked = await runDemo(t, ["--real"], { CATSTACK_LLM_JUDGE_RUNNERS: mine });
  assert.equal(asked.code, 0, asked.stderr);
  assert.match(asked.stdout, /The judge asks your own codex or claude\.\n {3}verdict {2}hit, by mine: /);

  const alone = await runDemo(t, ["--real"]);
  assert.equal(alone.code, 1);
  assert.match(alone.stderr, /^catstack demo: expected a hit, got unchecked: .*codex/);
  assert.deepEqual(readdirSync(alone.temporary), []);
});

const job = {
  hook: "by-hand",
  transcript: "/nowhere/session.jsonl",
  prompt: 'Answer {"hit": true}.',
  on_hit: "Be on time.",
};

/** A watcher with one fake runner, and its state directory. */
interface Watched {
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

async function startWatcher(t: TestContext): Promise<Watched> {
  const folder = makeTempDir(t);
  const state = join(folder, "state");
  const answers = JSON.stringify([["fake", [process.execPath, join(root, "fixtures", "bin", "answers.mjs")]]]);
  const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: state, CATSTACK_LLM_JUDGE_RUNNERS: answers };
  const watcher = spawn(process.execPath, [join(distDir, "catstack.mjs"), "watch"], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: "ignore",
  });
  const ended = once(watcher, "exit");
  await waitFor("the inbox", () => (existsSync(join(state, "inbox")) ? true : undefined));
  return {
    state,
    env,
    async stop() {
      watcher.kill("SIGTERM");
      assert.deepEqual(await ended, [0, null]);
    },
  };
}

function waitForVerdict(state: string, id: string): Promise<Verdict> {
  const path = join(state, "outbox", `${id}.json`);
  return waitFor(path, () => {
    if (!existsSync(path)) return undefined;
    const parsed = parseVerdict(readFileSync(path, "utf8"));
    return parsed.ok ? parsed.verdict : undefined;
  });
}

test("a job of four keys gets its verdict however it comes: drop, cp, or an editor that writes in place", async (t) => {
  const { state, env, stop } = await startWatcher(t);
  try {
    const inbox = join(state, "inbox");
    const text = `${JSON.stringify(job, undefined, 2)}\n`;

    // An editor that has written half of the file so far; the watcher sees it, as it judges jobs that come later.
    writeFileSync(join(inbox, "edited.json"), text.slice(0, 40));

    const dropped = await runCatstack(["drop", "-", "--json"], { env, stdin: text });
    assert.equal(dropped.code, 0, dropped.stderr);
    const id = /"id":"([^"]+)"/.exec(dropped.stdout)?.[1] ?? assert.fail(dropped.stdout);
    assert.match(dropped.stdout, /"watched":true/);

    const source = join(state, "..", "copied.json");
    writeFileSync(source, text);
    cpSync(source, join(inbox, "copied.json"));

    for (const each of [id, "copied"]) {
      const { outcome, runner, on_hit, report } = await waitForVerdict(state, each);
      assert.deepEqual(
        { outcome, runner, on_hit, report },
        { outcome: "hit", runner: "fake", on_hit: "Be on time.", report: "seen in a.txt" },
      );
    }
    assert.deepEqual(readdirSync(inbox), ["edited.json"]);
    appendFileSync(join(inbox, "edited.json"), text.slice(40));
    assert.equal((await waitForVerdict(state, "edited")).outcome, "hit");
    assert.deepEqual(readdirSync(join(state, "dead")), []);
  } finally {
    await stop();
  }
});
