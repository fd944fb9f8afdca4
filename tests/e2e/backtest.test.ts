import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { JudgeSettings } from "../../judge/settings.ts";
import { testHooks } from "../../cli/backtest.ts";
import { openResultCache } from "../../cli/backtest/cache.ts";
import { checkSession } from "../../cli/backtest/check-session.ts";
import { findTranscripts } from "../../cli/backtest/find-transcripts.ts";
import { openProgress } from "../../cli/backtest/progress.ts";
import { judgeQuestions } from "../../cli/backtest/judge.ts";
import { BACKTEST_KEY, findStanding, readQuestions } from "../../cli/backtest/questions.ts";
import { walkTranscripts } from "../../cli/backtest/walk.ts";
import { Failure, UsageError } from "../../cli/failure.ts";
import { main } from "../../hooks/main.ts";
import flipWatch from "../../hooks/verdict-flip-watch/rule.ts";
import type { Harness, Hook } from "../../lib/hook.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths, type Env, type StatePaths } from "../../lib/io/paths.ts";
import { isRow, parseRow } from "../../lib/transcript/row.ts";
import { transcript } from "../helpers/claude-transcript.ts";
import { rollout } from "../helpers/codex-rollout.ts";
import { installFakes, makeTempDir } from "../helpers/fake-clis.ts";
import { makeGate } from "../helpers/gate.ts";
import {
  assertAtRest,
  askFake,
  generous,
  getMode,
  getVerdicts,
  listUndelivered,
  watchInProcess,
} from "../helpers/queue.ts";
import { runCatstack } from "../helpers/run-command.ts";
import { surely } from "../helpers/surely.ts";
import { waitFor } from "../helpers/wait-for.ts";

const hooks = [surely, flipWatch];

interface Scene {
  readonly folder: string;
  readonly sessions: string;
  readonly paths: StatePaths;
  readonly env: Env;
  /** Puts a session there and gives its path. */
  readonly write: (name: string, text: string) => string;
  readonly run: Run;
  readonly runHooks: (hooks: readonly Hook[]) => Run;
}

type Run = (args: readonly string[], more?: Env) => Promise<{ code: number; out: string; err: string }>;

function makeScene(t: TestContext): Scene {
  const folder = makeTempDir(t);
  const sessions = join(folder, "sessions");
  mkdirSync(sessions);
  const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state") };
  const runHooks: Scene["runHooks"] =
    (tested) =>
    async (args, more = {}) => {
      const out: string[] = [];
      const err: string[] = [];
      const io = {
        env: { ...env, ...more },
        stdin: Readable.from([]),
        now: () => new Date(),
        out: (line: string) => void out.push(line),
        err: (line: string) => void err.push(line),
        color: false,
        cwd: folder,
      };
      return { code: await testHooks(args, io, tested), out: out.join("\n"), err: err.join("\n") };
    };
  return {
    folder,
    sessions,
    paths: getStatePaths(env),
    env,
    write(name, text) {
      const path = join(sessions, name);
      writeFileSync(path, text);
      return path;
    },
    run: runHooks(hooks),
    runHooks,
  };
}

function parseJson(text: string): Record<string, unknown> {
  const row = parseRow(text);
  assert.ok(row, `expected JSON, got ${text}`);
  return row;
}

/** What is told of one hook with `--json`. */
function getHook(out: string, id: string): Record<string, unknown> {
  const list = parseJson(out)["hooks"];
  assert.ok(Array.isArray(list));
  const found: unknown = list.find((each) => isRow(each) && each["hook"] === id);
  assert.ok(isRow(found), `expected ${id} in ${out}`);
  return found;
}

/** The turns of a written session: the lines up to each Stop, and the reply. */
type Ends = readonly (readonly [lines: number, reply: string])[];

interface Told {
  readonly turn: number;
  readonly says: readonly string[];
  readonly asks: number;
}

/** What the hook process itself says and asks when it is run at each of these moments. */
async function runTurns(
  scene: Scene,
  harness: Harness,
  lines: readonly string[],
  ends: Ends,
): Promise<readonly Told[]> {
  const { folder, paths } = scene;
  const path = join(folder, `live.${harness}.jsonl`);
  const env = { ...scene.env, CATSTACK_HOOK_MODE_SURELY: "advise" };
  const told: Told[] = [];
  for (const [index, [count, reply]] of ends.entries()) {
    writeFileSync(
      path,
      lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join(""),
    );
    const before = listQuestions(paths);
    const payload = { hook_event_name: "Stop", transcript_path: path, last_assistant_message: reply };
    writeFileSync(join(folder, "payload"), JSON.stringify(payload));
    const stdinFd = openSync(join(folder, "payload"), "r");
    const stdoutFd = openSync(join(folder, "stdout"), "w");
    const stderrFd = openSync(join(folder, "stderr"), "w");
    const getStdin = () => Readable.from([]);
    await main({ args: [harness], env, stdinFd, getStdin, stdoutFd, stderrFd, bundleHash: "test", hooks });
    for (const fd of [stdinFd, stdoutFd, stderrFd]) closeSync(fd);
    const says = readFileSync(join(folder, "stderr"), "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const asks = listQuestions(paths).length - before.length;
    if (says.length + asks > 0) told.push({ turn: index + 1, says, asks });
  }
  return told;
}

function listQuestions({ inbox }: StatePaths): readonly string[] {
  return listDir(inbox).filter((name) => name.startsWith("surely-"));
}

/** The same from a single reading of the whole file. */
async function backtestTurns(path: string): Promise<readonly Told[]> {
  const told = new Map<number, Told>();
  for (const { hook, turn, says, asks } of (await checkSession(path, hooks)).firings) {
    const { says: before = [], asks: asked = 0 } = told.get(turn) ?? {};
    told.set(turn, { turn, says: [...before, ...says.map((text) => `${hook}: ${text}`)], asks: asked + asks.length });
  }
  return [...told.values()];
}

test("what it reports of a session of Claude Code is what the hook says at the end of each turn", async (t) => {
  const scene = makeScene(t);
  const session = transcript();
  const ends: [number, string][] = [];
  const count = () => session.toJsonl().trimEnd().split("\n").length;
  const end = (reply: string) => {
    session.says(reply);
    ends.push([count(), reply]);
  };
  session.user("Test it.").ran("npm test", "# pass 3\n# fail 0\n");
  end("It surely works.");
  session
    .user("Lint it too.")
    .ran("npx eslint .", "")
    .says("Now the tests.")
    .ran("npm test", "# fail 1\n", { exitCode: 1 });
  end("Renamed. Everything is in place.");
  session.user("Anything else?");
  end("It surely works.");
  session.user("Check again.").says("Surely not: surely a pause.").user("[Request interrupted by user]");
  session.user("Go on.").ran("npx eslint .", "1 problem\n", { exitCode: 1 }).compaction();
  end("The linter fails now.");
  session.user("Well?");
  end("Done, surely.");
  const path = scene.write("claude.jsonl", session.toJsonl());
  const live = await runTurns(scene, "claude", session.toJsonl().trimEnd().split("\n"), ends);
  assert.deepEqual(
    live.map(({ turn, says, asks }) => [turn, says.length, asks]),
    [
      [1, 0, 1],
      [2, 1, 0],
      [5, 0, 1],
    ],
  );
  assert.match(live[1]?.says[0] ?? "", /^verdict-flip-watch: `npm test` passed \(turn 1/);
  assert.deepEqual(await backtestTurns(path), live);
});

test("what it reports of a session of Codex is what the hook says at the end of each turn", async (t) => {
  const scene = makeScene(t);
  const session = rollout();
  const ends: [number, string][] = [];
  const end = (reply: string) => {
    session.says(reply);
    ends.push([session.toJsonl().trimEnd().split("\n").length, reply]);
    session.raw({ type: "event_msg", payload: { type: "task_complete" } });
  };
  session.user("Test it.").ran("pytest", "3 passed in 0.1s\n");
  end("All is well.");
  session.user("Rename it.").says("Surely soon: surely.").user("Quickly.").ran("pytest", "1 failed, 2 passed\n", 1);
  end("Renamed, surely.");
  session.user("Fine.");
  end("Thank you.");
  const path = scene.write("rollout.jsonl", session.toJsonl());
  const live = await runTurns(scene, "codex", session.toJsonl().trimEnd().split("\n"), ends);
  assert.deepEqual(
    live.map(({ turn, says, asks }) => [turn, says.length, asks]),
    [[2, 1, 1]],
  );
  assert.deepEqual(await backtestTurns(path), live);
});

/** Three turns, a flip in the second and a question about the first and the last. */
function tellSession(): string {
  return transcript()
    .user("Test it.")
    .ran("npm test", "# pass 3\n# fail 0\n")
    .says("It surely works.")
    .user("Rename it.")
    .ran("npm test", "# fail 1\n", { exitCode: 1 })
    .says("Renamed. Everything is in place.")
    .user("Thanks. My key is sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz0123456789.")
    .says("You are surely welcome.")
    .toJsonl();
}

test("it tells of each hook how often it would speak, with examples, and what it did not read", async (t) => {
  const { write, run, sessions } = makeScene(t);
  write("one.jsonl", `${tellSession()}{ broken\n`);
  mkdirSync(join(sessions, "sub"));
  const aside = { type: "text", text: "Done." };
  write(
    "sub/agent-1.jsonl",
    transcript()
      .raw({ type: "assistant", isSidechain: true, message: { content: [aside] } })
      .toJsonl(),
  );
  write("sub/other.jsonl", '{"level":"info"}\n');
  write("sub/notes.txt", "no session");
  const { code, out, err } = await run(["sessions"]);
  assert.deepEqual([code, err], [0, ""]);
  const lines = out.split("\n");
  assert.match(
    lines[0] ?? "",
    /^1 session, 3 turns on 2026-01-01; 1 file of sub-agents left out; 1 file that is no session; 1 broken line$/,
  );
  assert.match(
    lines[2] ?? "",
    /^hook +sessions +turns +would fire +would ask +per 100 turns +distinct +a working day$/,
  );
  assert.match(lines[3] ?? "", /^surely +1 +3 +0 +2 +66\.67 +2 +2\.00$/);
  assert.match(lines[4] ?? "", /^verdict-flip-watch +1 +3 +1 +0 +33\.33 +1 +1\.00$/);
  assert.match(out, /sessions\/one\.jsonl turn 3: would ask about "You are surely welcome\."/);
  assert.match(out, /sessions\/one\.jsonl turn 2: `npm test` passed/);

  const json = await run(["sessions", "--json", "--hook", "surely"]);
  const { hooks: told, ...rest } = parseJson(json.out);
  assert.ok(Array.isArray(told) && told.length === 1);
  assert.deepEqual(
    [rest["sessions"], rest["turns"], rest["files"]],
    [1, 3, { found: 3, cursor: 0, subagents: 1, foreign: 1, broken_lines: 1, problems: [] }],
  );
  const hook = getHook(json.out, "surely");
  assert.deepEqual([hook["would_ask"], hook["active_turns"], hook["score"]], [2, 2, null]);
});

test("without a folder it reads the sessions of all clients of the last 14 days", async (t) => {
  const { run, folder } = makeScene(t);
  const now = Date.now();
  const at = (daysAgo: number) => new Date(now - daysAgo * 86_400_000).toISOString();
  const tell = (daysAgo: number, reply: string) =>
    [
      { type: "user", timestamp: at(daysAgo), message: { content: "Go on." } },
      { type: "assistant", timestamp: at(daysAgo), message: { content: [{ type: "text", text: reply }] } },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join("");
  const claudeDir = join(folder, ".claude", "projects", "-home-user-project");
  const codexDir = join(folder, "codex-home", "sessions", "2026", "01", "01");
  mkdirSync(claudeDir, { recursive: true });
  mkdirSync(codexDir, { recursive: true });
  writeFileSync(join(claudeDir, "new.jsonl"), tell(20, "Surely old: surely.") + tell(1, "Surely new: surely."));
  writeFileSync(join(claudeDir, "old.jsonl"), tell(1, "Of a file that nobody has touched, surely."));
  utimesSync(join(claudeDir, "old.jsonl"), new Date(at(15)), new Date(at(15)));
  writeFileSync(join(codexDir, "rollout-1.jsonl"), rollout().user("Go on.").says("Gone on, surely.").toJsonl());
  const cursorDir = join(folder, ".cursor", "projects", "p", "agent-transcripts", "a");
  mkdirSync(join(cursorDir, "subagents"), { recursive: true });
  const typed = { role: "user", message: { content: "<user_query>Go on.</user_query>" } };
  const replied = { role: "assistant", message: { content: [{ type: "text", text: "Surely done: surely." }] } };
  const said = [typed, replied, { type: "turn_ended", status: "success" }].map((row) => JSON.stringify(row)).join("\n");
  writeFileSync(join(cursorDir, "a.jsonl"), said);
  writeFileSync(join(cursorDir, "subagents", "b.jsonl"), said);
  const { out } = await run(["--json"], { CODEX_HOME: join(folder, "codex-home") });
  // The rollout is of 2026-01-01 by its own clock, long ago; its file is new.
  const isRecent = now - Date.UTC(2026, 0, 1) < 14 * 86_400_000;
  assert.equal(getHook(out, "surely")["would_ask"], isRecent ? 3 : 2);
  const all = await run(["--json", "--since", "400000h"], { CODEX_HOME: join(folder, "codex-home") });
  assert.equal(getHook(all.out, "surely")["would_ask"], 5);
  const table = await run([], { CODEX_HOME: join(folder, "codex-home") });
  assert.match(
    table.out,
    /; 1 session of Cursor, whose transcripts hold no command results; 1 file of sub-agents left out/,
  );
});

test("an example names its file as a shell takes it, and hits come first once a model was asked", async (t) => {
  const scene = makeScene(t);
  const { run, sessions, folder } = scene;
  const { env } = makeModel(scene);
  mkdirSync(join(sessions, "my work"));
  const surelyTwice = transcript().user("Go on.").says("Early, surely.").user("On.").says("Late, surely.").toJsonl();
  const path = scene.write("my work/it's.jsonl", surelyTwice);
  scene.write("old.jsonl", tellSession());
  const before = await run(["sessions", "--hook", "surely"]);
  assert.ok(before.out.includes(` '${folder}/sessions/my work/it'\\''s.jsonl' turn 2: would ask about "`), before.out);
  const { out } = await run(["sessions", "--hook", "surely", "--judge", "--yes"], env);
  const examples = out.split("\n").filter((line) => line.includes("would ask about"));
  assert.deepEqual(
    examples.map((line) => / turn \d+: (\w+: )?would/.exec(line)?.[1]),
    ["hit: ", "hit: ", "hit: "],
  );
  const told = getHook((await run(["sessions", "--json", "--judge", "--yes"], env)).out, "surely")["examples"];
  assert.ok(Array.isArray(told));
  assert.ok(told.some((each) => isRow(each) && each["transcript"] === path && each["outcome"] === "hit"));
});

test("two files whose turns have the same ids are named where labels are", async (t) => {
  const { run, write, sessions, folder } = makeScene(t);
  for (const name of ["one", "two"]) {
    mkdirSync(join(sessions, name, "project"), { recursive: true });
    write(`${name}/project/a.jsonl`, tellSession());
  }
  assert.equal((await run(["sessions"])).err, "");
  const { err } = await run(["sessions", "--export", "labels"]);
  const [one, two] = ["one", "two"].map((name) => `${folder}/sessions/${name}/project/a.jsonl`);
  assert.ok(
    err.includes(`turns of these 2 files have the same ids, and a label of one counts for all: ${one}, ${two}; `),
  );
});

test("a second run reads what has changed, and a cache that is broken or gone costs time alone", async (t) => {
  const { run, write, paths } = makeScene(t);
  const first = write("one.jsonl", tellSession());
  write("two.jsonl", tellSession());
  const before = await run(["sessions", "--json"]);
  const folder = join(paths.cache, "backtest");
  const names = readdirSync(folder);
  assert.equal(names.length, 2);
  assert.deepEqual([getMode(folder), ...names.map((name) => getMode(join(folder, name)))], ["700", "600", "600"]);
  const readInodes = () => new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]));
  const inodes = readInodes();
  assert.deepEqual(await run(["sessions", "--json"]), before);
  assert.deepEqual(readInodes(), inodes);

  appendFileSync(first, transcript().user("More.").says("There is surely more.").toJsonl());
  const after = await run(["sessions", "--json"]);
  assert.equal(getHook(after.out, "surely")["would_ask"], 5);
  const kept = [...readInodes()].filter(([name, inode]) => inodes.get(name) === inode);
  assert.equal(kept.length, 1);

  for (const name of names) writeFileSync(join(folder, name), '{"of":1');
  assert.deepEqual(await run(["sessions", "--json"]), after);
  rmSync(folder, { recursive: true });
  assert.deepEqual(await run(["sessions", "--json"]), after);
});

test("what was read before it was interrupted is kept", async (t) => {
  const { write, sessions, paths } = makeScene(t);
  for (const name of ["a.jsonl", "b.jsonl", "c.jsonl"]) write(name, tellSession());
  const { files } = findTranscripts([sessions]);
  const cache = openResultCache(paths, "code", ["surely"]);
  const controller = new AbortController();
  const keep = (...args: Parameters<typeof cache.keep>) => {
    cache.keep(...args);
    controller.abort();
  };
  const quiet = openProgress({ write: assert.fail });
  const options = { hooks: [surely], progress: quiet };
  const walk = await walkTranscripts(files, { ...options, cache: { ...cache, keep }, signal: controller.signal });
  assert.deepEqual([walk.read, walk.sessions.length, walk.left], [1, 1, 2]);
  const rest = await walkTranscripts(files, { ...options, cache, signal: new AbortController().signal });
  assert.deepEqual([rest.read, rest.sessions.length, rest.left], [2, 3, 0]);
});

test("a wrong call tells what was expected, and nothing to read is an error", async (t) => {
  const { run, write } = makeScene(t);
  await assert.rejects(
    run(["sessions"]),
    (error) => error instanceof Failure && /got no \.jsonl file; name/.test(error.message),
  );
  await assert.rejects(
    run([]),
    (error) => error instanceof UsageError && /expected sessions in .*got none there/.test(error.message),
  );
  write("other.jsonl", "{}\n");
  await assert.rejects(run(["sessions"]), /got 1 file, none of a session/);
  await assert.rejects(
    run(["sessions", "--hook", "surly"]),
    /expected --hook to be one of surely, verdict-flip-watch, got "surly"; did you mean surely\?/,
  );
  await assert.rejects(run(["sessions", "--since", "soon"]), /expected --since to be a time such as 14d/);
  await assert.rejects(
    run(["sessions", "--labels", "none.jsonl"]),
    /expected a file of labels at .*none\.jsonl, got nothing/,
  );
  write("one.jsonl", tellSession());
  const { code, err } = await run(["sessions", "gone"]);
  assert.equal(code, 0);
  assert.match(err, /^catstack backtest: expected to be able to read .*gone, got nothing; correct the path$/);
});

test("Ctrl-C is heard between the turns of one file", async (t) => {
  const { write, sessions, paths } = makeScene(t);
  // The second turn is longer than what is read in one go.
  const rest = "x".repeat(600_000);
  write(
    "a.jsonl",
    transcript().user("Go on.").says("surely").user("On.").says(rest).user("On.").says("Done.").toJsonl(),
  );
  const { files } = findTranscripts([sessions]);
  const controller = new AbortController();
  let turns = 0;
  const stopping: Hook = {
    ...surely,
    check(input) {
      turns += 1;
      controller.abort();
      return surely.check(input);
    },
  };
  const cache = openResultCache(paths, "code", ["surely"]);
  const progress = openProgress({ write: assert.fail });
  const walk = await walkTranscripts(files, { hooks: [stopping], cache, progress, signal: controller.signal });
  assert.deepEqual([turns, walk.left, walk.sessions, walk.problems], [1, 1, [], []]);
});

test("a session that goes away while others are read is named and left out", async (t) => {
  const scene = makeScene(t);
  const { write, folder } = scene;
  const gone = write("gone.jsonl", tellSession());
  write("stays.jsonl", tellSession());
  const removing: Hook = {
    ...surely,
    check(input) {
      rmSync(gone, { force: true });
      return surely.check(input);
    },
  };
  const run = scene.runHooks([removing]);
  const { code, out, err } = await run(
    ["sessions", "--judge", "--yes", "--export", "labels.jsonl"],
    makeModel(scene).env,
  );
  assert.equal(code, 0, err);
  assert.match(out, /^2 sessions/);
  const told = err.split("\n").filter((line) => line.includes("gone.jsonl"));
  assert.deepEqual(told, [
    `catstack backtest: expected a transcript at ${gone}, got nothing; correct the path`,
    `catstack backtest: expected a transcript at ${gone}, got nothing; correct the path`,
  ]);
  const cases = readFileSync(join(folder, "labels.jsonl"), "utf8").trimEnd().split("\n").map(parseJson);
  assert.deepEqual([...new Set(cases.map(({ transcript }) => transcript))], ["sessions/stays.jsonl"]);
});

test("what is no file holds nobody up, is never replaced, and is named before a model is asked", async (t) => {
  const scene = makeScene(t);
  const { run, write, folder } = scene;
  write("one.jsonl", tellSession());
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  const piped = await run(["sessions", "pipe"]);
  assert.match(piped.err, /^catstack backtest: expected a transcript at .*pipe, got no file; name a file or a folder$/);
  await assert.rejects(checkSession(pipe, hooks), /it is no file/);
  symlinkSync(pipe, join(folder, "link"));
  mkdirSync(join(folder, "labels"));
  writeFileSync(join(folder, "garbage"), "garbage\n");
  const model = makeModel(scene);
  for (const [name, problem] of [
    ["pipe", /expected a file, got something else \(.*pipe\); name another file/],
    ["link", /expected a file, got something else \(.*link\); name another file/],
    ["labels", /expected a file, got something else \(.*labels\); name another file/],
    ["garbage", /expected a JSON object in .*garbage:1/],
    ["no/labels", /expected to be able to write .*no\/labels, got nothing; correct the path/],
  ] as const) {
    await assert.rejects(run(["sessions", "--judge", "--yes", "--export", name], model.env), problem);
  }
  assert.equal(lstatSync(pipe).isFIFO(), true);
  assert.equal(model.countCalls(), 0);
});

test("the built command counts, and ends with the codes that it promises", async (t) => {
  const { write, sessions, env } = makeScene(t);
  const scene = { HOME: env["HOME"] ?? "", CATSTACK_LLM_JUDGE_STATE_DIR: env["CATSTACK_LLM_JUDGE_STATE_DIR"] ?? "" };
  const run = (...args: string[]) => runCatstack(["backtest", sessions, ...args], { env: scene });
  assert.equal((await run()).code, 1);
  write("one.jsonl", tellSession());
  const { code, stdout, stderr } = await run("--hook", "verdict-flip-watch");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /verdict-flip-watch +1 +3 +1 +0 +33\.33 /);
  const wrong = await run("--hook", "none");
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /^catstack backtest: expected --hook to be one of .*\n\nUsage: catstack backtest /);
});

/** A model that finds every reply too sure but one, and writes down each call. */
interface Model {
  readonly env: Env;
  readonly countCalls: () => number;
}

function makeModel({ folder }: Scene): Model {
  const calls = join(folder, "calls");
  const script = [
    `echo called >> '${calls}'`,
    `key=$(printf %s "$0" | grep -o 'sure_[0-9a-f]*' | head -n 1)`,
    `case "$0" in *"surely welcome"*) sure=false;; *) sure=true;; esac`,
    `echo "{\\"$key\\": $sure}"`,
  ].join("\n");
  return {
    env: {
      PATH: "/usr/bin:/bin",
      CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify([["model", ["sh", "-c", script, "{prompt}"]]]),
    },
    countCalls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n").length : 0),
  };
}

test("the judge is asked only by a person who has seen what it costs", async (t) => {
  const scene = makeScene(t);
  const { run, write, paths } = scene;
  const { env, countCalls } = makeModel(scene);
  write("one.jsonl", tellSession());
  await assert.rejects(
    run(["sessions", "--judge"], env),
    (error) => error instanceof UsageError && /--yes/.test(error.message),
  );
  assert.deepEqual([listDir(paths.inbox), countCalls()], [[], 0]);
});

test("verdicts come through the queue, are asked once, and are delivered to nobody", async (t) => {
  const scene = makeScene(t);
  const { run, write, paths } = scene;
  const { env, countCalls } = makeModel(scene);
  write("one.jsonl", tellSession());
  const { code, out, err } = await run(["sessions", "--judge", "--yes"], env);
  assert.equal(code, 0);
  assert.match(
    err,
    /^2 questions for a model\n {2}default: 2, about \d+ tokens of prompts; asks model\ncaps: .*no cap holds them up/,
  );
  assert.match(err, /no watcher runs, so they are judged here/);
  assert.match(out, /\nsurely: 1 hit, 1 clean, 0 unchecked, 0 not asked, 50 % of the answered questions are hits/);
  const verdicts = getVerdicts(paths);
  assert.equal(verdicts.length, 2);
  for (const { id, hook, transcript_key } of verdicts) {
    assert.match(id, /^backtest-[0-9a-f]{16}$/);
    assert.deepEqual([hook, transcript_key], ["backtest", BACKTEST_KEY]);
  }
  assert.deepEqual(listUndelivered(paths), []);
  assertAtRest(paths);
  assert.equal(countCalls(), 2);
  const again = await run(["sessions", "--judge"], env);
  assert.deepEqual([again.out, again.err], [out, ""]);
  assert.equal(countCalls(), 2);
});

test("a watcher that runs judges the questions", async (t) => {
  const scene = makeScene(t);
  const { run, write, paths, folder } = scene;
  const { env } = makeModel(scene);
  write("one.jsonl", tellSession());
  const watcher = await watchInProcess(paths, { env: { ...env, HOME: folder } });
  const { out, err } = await run(["sessions", "--judge", "--yes"], env);
  assert.match(err, /the watcher that runs judges them/);
  assert.match(out, /\nsurely: 1 hit, 1 clean/);
  assert.equal(watcher.events.filter(({ event }) => event === "job:judged").length, 2);
  watcher.stop("the test is over");
  await watcher.ended;
});

test("what a cap keeps back waits, and the next run goes on from there", async (t) => {
  const scene = makeScene(t);
  const { run, write, paths, folder } = scene;
  const { env, countCalls } = makeModel(scene);
  write("one.jsonl", tellSession());
  mkdirSync(join(folder, ".config", "catstack"), { recursive: true });
  const setCap = (jobs_per_hour: number) =>
    writeFileSync(join(folder, ".config", "catstack", "config.json"), JSON.stringify({ judge: { jobs_per_hour } }));
  setCap(1);
  const first = await run(["sessions", "--judge", "--yes"], env);
  assert.match(first.err, /1 can be asked now, the last one waits about 60 min/);
  assert.match(first.err, /1 left to ask: a cap is used up; the same command goes on from here/);
  assert.match(first.out, /surely: (?:1 hit, 0|0 hit, 1) clean, 0 unchecked, 1 not asked/);
  assert.equal(listDir(paths.inbox).length, 1);
  setCap(60);
  const second = await run(["sessions", "--judge", "--yes"], env);
  assert.match(second.err, /1 questions for a model; 1 more have a verdict from before/);
  assert.match(second.out, /surely: 1 hit, 1 clean/);
  assert.equal(countCalls(), 2);
  assertAtRest(paths);
});

/** Asks what the hooks would ask in one session, in this process. */
async function startJudging(scene: Scene, path: string, env: Env, settings: Partial<JudgeSettings>) {
  const { paths } = scene;
  const controller = new AbortController();
  const sessions = [{ path, result: await checkSession(path, hooks) }];
  const options = { tell: assert.fail, signal: controller.signal };
  const questions = await readQuestions(sessions, hooks, null, options);
  const judging = judgeQuestions(
    questions.map((each) => findStanding(each, paths)),
    {
      paths,
      env,
      settings: { ...generous, ...settings },
      now: () => new Date(),
      progress: openProgress({ write: assert.fail }),
      signal: controller.signal,
      report: (error) => assert.fail(String(error)),
    },
  );
  return { judging, controller };
}

test("who ends it while a question is asked pays for that one alone", async (t) => {
  const scene = makeScene(t);
  const gate = makeGate(t);
  const path = scene.write("one.jsonl", tellSession());
  const { judging, controller } = await startJudging(scene, path, gate.env, { concurrency: 1 });
  await gate.waitForRun();
  controller.abort();
  gate.open();
  const { verdicts, left, because } = await judging;
  assert.deepEqual([verdicts.length, left, because], [1, 1, "interrupted"]);
  assert.equal(gate.countRuns(), 1);
  assertAtRest(scene.paths);
});

test("questions come more slowly than the judge takes for a hook that runs away", async (t) => {
  const scene = makeScene(t);
  const model = makeModel(scene);
  const path = scene.write("one.jsonl", tellSession());
  const env = { ...model.env, HOME: scene.folder };
  const { judging, controller } = await startJudging(scene, path, env, { tripPerMinute: 2 });
  await waitFor("the first verdict", () => (listDir(scene.paths.outbox).length === 1 ? true : undefined));
  controller.abort();
  const { verdicts, left } = await judging;
  assert.deepEqual([verdicts.length, left, model.countCalls()], [1, 1, 1]);
  assert.equal(existsSync(scene.paths.tripped), false);
});

test("where nobody can answer, the rest is not asked", async (t) => {
  const { run, write } = makeScene(t);
  const session = transcript();
  for (let turn = 1; turn <= 30; turn++) session.user("Go on.").says(`It is surely step ${turn}.`);
  write("long.jsonl", session.toJsonl());
  const broken = installFakes(t, { model: "exits-3" });
  const { out, err } = await run(["sessions", "--judge", "--yes"], askFake(broken.path));
  assert.match(out, /surely: 0 hit, 0 clean, 20 unchecked, 10 not asked/);
  assert.match(err, /10 left to ask: nobody could answer the last 20: .*no such model; the same command goes on/);
});

test("Ctrl-C ends a process that waits for a model, and says how to go on", async (t) => {
  const { write, sessions, paths, env, folder } = makeScene(t);
  write("one.jsonl", tellSession());
  const gate = makeGate(t);
  const program = fileURLToPath(new URL("../helpers/surely.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, sessions, "--judge", "--yes"], {
    env: { ...env, ...gate.env, HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await gate.waitForRun();
  child.kill("SIGINT");
  await waitFor("the end to begin", () => (err.includes("ending; Ctrl-C once more") ? true : undefined));
  gate.open();
  assert.equal(await ended, 130, err);
  assert.equal(getVerdicts(paths).length + Number(/(\d) left to ask: interrupted/.exec(err)?.[1] ?? 0), 2, err);
  assertAtRest(paths);
});

test("what was asked when it was killed is taken over by the next run, and nothing is asked beside it", async (t) => {
  const scene = makeScene(t);
  const { write, sessions, paths, env, folder } = scene;
  write("one.jsonl", tellSession());
  const gate = makeGate(t);
  const program = fileURLToPath(new URL("../helpers/surely.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, sessions, "--judge", "--yes"], {
    env: { ...env, ...gate.env, HOME: folder },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await gate.waitForRun();
  child.kill("SIGKILL");
  await ended;
  gate.open();
  const { code } = await scene.run(["sessions", "--judge", "--yes"], makeModel(scene).env);
  assert.equal(code, 0);
  assert.equal(getVerdicts(paths).length, 2);
  assert.deepEqual(listDir(paths.dead), []);
  assertAtRest(paths);
});

test("a question that nobody could answer is asked anew by the next run", async (t) => {
  const scene = makeScene(t);
  const { run, write, paths } = scene;
  write("one.jsonl", tellSession());
  const broken = installFakes(t, { model: "exits-3" });
  const first = await run(["sessions", "--judge", "--yes"], askFake(broken.path));
  assert.match(
    first.out,
    /surely: 0 hit, 0 clean, 2 unchecked, 0 not asked\n {2}unchecked, such as: no runner answered/,
  );
  assert.deepEqual(listUndelivered(paths), []);
  const second = await run(["sessions", "--judge", "--yes"], makeModel(scene).env);
  assert.match(second.out, /surely: 1 hit, 1 clean, 0 unchecked, 0 not asked/);
  assert.equal(getVerdicts(paths).filter(({ id }) => id.endsWith("-2")).length, 2);
});

test("exported turns come back as labels, and the score says whether the hook is worth having", async (t) => {
  const scene = makeScene(t);
  const { run, write, folder } = scene;
  write("one.jsonl", tellSession());
  const exported = await run(["sessions", "--hook", "surely", "--export", "labels.jsonl"]);
  assert.match(exported.err, /^3 cases added to .*labels\.jsonl; put true or false behind "hit"/);
  const path = join(folder, "labels.jsonl");
  assert.equal(getMode(path), "600");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n").map(parseJson);
  const last = lines.find(({ turn }) => turn === 3);
  assert.deepEqual(
    [last?.["hit"], last?.["outcome"], last?.["reply"], last?.["id"], last?.["rule"]],
    [null, "asks", "You are surely welcome.", "surely/sessions/one#3", "surely.asked"],
  );
  assert.match(String(last?.["user"]), /^Thanks\. My key is \[redacted: /);
  const fires = new Map([
    [1, true],
    [2, false],
    [3, false],
  ]);
  const labelled = lines.map((line) => JSON.stringify({ ...line, hit: fires.get(Number(line["turn"])) ?? null }));
  writeFileSync(path, labelled.map((line) => `${line}\n`).join(""));
  const again = await run(["sessions", "--hook", "surely", "--export", "labels.jsonl", "--labels", "labels.jsonl"]);
  assert.match(again.err, /^0 cases added/);
  assert.equal(readFileSync(path, "utf8"), labelled.map((line) => `${line}\n`).join(""));
  // It asks in turns 1 and 3, rightly in 1; silence is right in 2. Never to fire is right in 2 and 3.
  assert.match(
    again.out,
    /surely: 3 labelled turns, precision 50 % \(1 of 2; 95 %: 9 % to 91 %\), recall 100 % \(1 of 1; 95 %: 21 % to 100 %\), F1 0\.67, accuracy 67 % \(always fire 33 %, never fire 67 %\)/,
  );
  assert.match(
    again.out,
    /surely, where it asks, does not beat "never fire": right on 2 of 3 labelled turns, "never fire" on 2/,
  );

  const judged = await run(
    ["sessions", "--judge", "--yes", "--labels", "labels.jsonl", "--json"],
    makeModel(scene).env,
  );
  const score = getHook(judged.out, "surely")["score"];
  assert.ok(isRow(score) && isRow(score["judge"]));
  // The judge says hit in turn 1 and clean in turn 3, rightly both times: too few to tell.
  assert.deepEqual([score["n"], score["f1"], score["beats_baseline"]], [3, 1, null]);
  assert.deepEqual([score["judge"]["n"], score["judge"]["f1"], score["judge"]["beats_baseline"]], [2, 1, null]);

  writeFileSync(path, `${labelled.join("\n")}\n{"hit":1}\n`);
  await assert.rejects(
    run(["sessions", "--labels", "labels.jsonl"]),
    /expected `id` to be a text in .*labels\.jsonl:4/,
  );
  await assert.rejects(run(["sessions", "--export", "labels.jsonl"]), Failure);
});
