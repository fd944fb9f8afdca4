import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createInstance, writeInstance } from "../../judge/state/instance.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { claudeRows } from "../helpers/claude-rows.ts";
import { distDir, runCatstack, runCommand } from "../helpers/run-command.ts";
import type { CommandResult } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";

interface Scratch {
  readonly folder: string;
  readonly inbox: string;
  readonly run: (args: readonly string[], stdin?: string) => Promise<CommandResult>;
  readonly write: (name: string, text: string) => void;
}

function makeScratch(t: TestContext): Scratch {
  const folder = mkdtempSync(join(tmpdir(), "catstack-cli-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state") };
  return {
    folder,
    inbox: join(folder, "state", "inbox"),
    run: (args, stdin = "") => runCatstack(args, { env, cwd: folder, stdin }),
    write: (name, text) => writeFileSync(join(folder, name), text),
  };
}

function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  assert.ok(typeof value === "object" && value !== null, "expected a JSON object");
  return Object.fromEntries(Object.entries(value));
}

const job = { hook: "by-hand", transcript: "session.jsonl", prompt: 'Answer {"late": true}.', on_hit: "Be on time." };

test("the help lists each verb once, and each verb tells its own usage", async (t) => {
  const { run } = makeScratch(t);
  const help = await run(["--help"]);
  assert.equal(help.code, 0);
  const names = [...help.stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name]) => name ?? "");
  assert.ok(names.length >= 9, help.stdout);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) {
    const own = await run([name, "--help"]);
    assert.equal(own.code, 0, name);
    assert.match(own.stdout, new RegExp(`^Usage: catstack ${name}\\b`));
    assert.equal(own.stderr, "");
    assert.deepEqual(await run(["help", name]), own);
  }
  assert.deepEqual(await run(["help"]), help);
  for (const code of [0, 1, 2, 75, 77, 78]) assert.match(help.stdout, new RegExp(` ${code} [a-z]`));
  const version = await run(["version"]);
  assert.match(version.stdout, /^catstack \d+\.\d+\.\d+\n$/);
  assert.deepEqual(await run(["--version"]), version);
  assert.ok(help.stdout.split("\n").every((line) => line.length <= 120));
});

test("a wrong call names the nearest verb or the fault, on stderr, with exit 2", async (t) => {
  const { run } = makeScratch(t);
  const calls: readonly (readonly [args: string[], expected: RegExp])[] = [
    [[], /^catstack \d+\.\d+\.\d+: /],
    [["stauts"], /expected a verb, got `stauts`; did you mean `status`\?/],
    [["frobnicate"], /expected a verb, got `frobnicate`\n/],
    [["drop"], /expected one job file, or - for stdin, got 0 arguments/],
    [["drop", "a", "b"], /got 2 arguments/],
    [["replay"], /expected one transcript, got 0 arguments/],
    [["install", "--force"], /^catstack install: expected one of the options below, got --force; leave it out/],
    [
      ["status", "--josn"],
      /^catstack status: expected one of the options below, got --josn; .*; did you mean --json\?\n/,
    ],
    [["logs", "--line=3"], /, got --line; .*; did you mean --lines\?\n/],
    [["install", "--zzz"], /, got --zzz; leave it out or correct it\n/],
    [["status", "now"], /^catstack status: expected no argument, got now; leave it out/],
    [["verdicts", "--limit"], /^catstack verdicts: expected options as below, got --limit/],
    [["help", "stauts"], /did you mean `status`\?/],
  ];
  for (const [args, expected] of calls) {
    const result = await run(args);
    assert.equal(result.code, 2, args.join(" "));
    assert.equal(result.stdout, "");
    assert.match(result.stderr, expected);
    assert.match(result.stderr, /Usage: catstack /);
    assert.doesNotMatch(result.stderr, / {4}at /);
  }
});

test("scenarios says which stories it plays without a file", async (t) => {
  const { stdout } = await makeScratch(t).run(["scenarios", "--help"]);
  assert.match(stdout, /^ {2}FILE +.*; without one, all of \.\/tests\/scenarios\/\*\.json$/m);
});

test("drop stamps what is missing, keeps unknown keys and says where the verdict will be", async (t) => {
  const { run, write, inbox, folder } = makeScratch(t);
  const real = join(folder, "real");
  mkdirSync(real);
  symlinkSync(real, join(folder, "link"));
  write("job.json", JSON.stringify({ ...job, transcript: "link/session.jsonl", cwd: "real", note: [1] }));
  const before = Date.now();
  const result = await run(["drop", "job.json", "--json"]);
  assert.equal(result.code, 0, result.stderr);
  const told = parseObject(result.stdout);
  assert.match(String(told["id"]), /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.equal(told["verdict"], join(folder, "state", "outbox", `${String(told["id"])}.json`));
  assert.equal(told["watched"], false);
  assert.match(result.stderr, /^$/);

  assert.deepEqual(readdirSync(inbox), [`${String(told["id"])}.json`]);
  const stored = parseObject(readFileSync(join(inbox, `${String(told["id"])}.json`), "utf8"));
  const { created_at, expires_at, ...rest } = stored;
  assert.deepEqual(rest, {
    ...job,
    schema: 1,
    id: told["id"],
    hit_if_all_true: [],
    transcript: join(folder, "link", "session.jsonl"),
    transcript_key: getTranscriptKey(join(real, "session.jsonl")),
    cwd: "real",
    note: [1],
  });
  const created = Date.parse(String(created_at));
  assert.ok(created >= before && created <= Date.now());
  assert.equal(Date.parse(String(expires_at)) - created, 24 * 60 * 60 * 1000);
});

test("drop passes a cwd on as it is: only the judge may refuse one, and says so", async (t) => {
  const { run, inbox } = makeScratch(t);
  for (const [id, cwd] of Object.entries({ empty: "", relative: "sub/../other", absolute: "/nowhere/./x" })) {
    const result = await run(["drop", "-"], JSON.stringify({ ...job, id, mode: "investigate", cwd }));
    assert.equal(result.code, 0, result.stderr);
    assert.equal(parseObject(readFileSync(join(inbox, `${id}.json`), "utf8"))["cwd"], cwd);
    assert.match(
      result.stderr,
      /^note: refused cwd ".*": (is empty|is not an absolute path|does not exist); the question/m,
    );
  }
  const ignored = await run(["drop", "-"], JSON.stringify({ ...job, timeout_seconds: 90, cwd: "/" }));
  assert.match(ignored.stderr, /^note: timeout_seconds and cwd will be ignored: for investigate jobs only$/m);
});

test("drop reads stdin, and tells a person that nobody watches", async (t) => {
  const { run, inbox } = makeScratch(t);
  const result = await run(["drop", "-"], JSON.stringify({ ...job, id: "mine" }));
  assert.equal(result.code, 0);
  assert.match(result.stdout, /^dropped mine\nverdict .*\/outbox\/mine\.json\n$/);
  assert.match(result.stderr, /no watcher is running/);
  assert.deepEqual(readdirSync(inbox), ["mine.json"]);
});

test("drop says of a question that any answer is a hit, unless the job names what must be true", async (t) => {
  const { run } = makeScratch(t);
  const { prompt, ...rest } = job;
  const note = /^note: without `hit_if_all_true` any answer counts as a hit/m;
  assert.match((await run(["drop", "-"], JSON.stringify(job))).stderr, note);
  for (const other of [
    { ...rest, prompt, hit_if_all_true: ["late"] },
    { ...rest, answer: { late: true } },
  ]) {
    assert.doesNotMatch((await run(["drop", "-"], JSON.stringify(other))).stderr, note);
  }
});

test("the READMEs' example jobs are taken, and an answer of no is no hit", async (t) => {
  const { run } = makeScratch(t);
  for (const name of ["README.md", "inbox-schema/README.md"]) {
    const readme = readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
    const example = /```json\n(\{\n {2}"hook": [\s\S]*?)```/.exec(readme)?.[1] ?? assert.fail(`no job in ${name}`);
    const result = await run(["drop", "-"], example);
    assert.equal(result.code, 0, result.stderr);
    assert.doesNotMatch(result.stderr, /any answer/);
    assert.deepEqual(parseObject(example)["hit_if_all_true"], ["claims"]);
  }
});

test("drop keeps a given time and warns when the job has expired", async (t) => {
  const { run, inbox } = makeScratch(t);
  const result = await run(["drop", "-"], JSON.stringify({ ...job, id: "old", created_at: "2020-01-01T00:00:00Z" }));
  assert.equal(result.code, 0);
  assert.match(result.stderr, /it expired at 2020-01-02T00:00:00\.000Z/);
  assert.equal(parseObject(readFileSync(join(inbox, "old.json"), "utf8"))["created_at"], "2020-01-01T00:00:00Z");
});

test("drop refuses a time whose next day no file can name", async (t) => {
  const { run, inbox } = makeScratch(t);
  const result = await run(["drop", "-"], JSON.stringify({ ...job, created_at: "9999-12-31T23:59:59Z" }));
  assert.equal(result.code, 1);
  assert.match(
    result.stderr,
    /expected `created_at` to be a day or more before the year 10000, got 9999-12-31T23:59:59Z/,
  );
  assert.deepEqual(existsSync(inbox) ? readdirSync(inbox) : [], []);
  const last = await run(["drop", "-"], JSON.stringify({ ...job, id: "last", created_at: "9999-12-30T23:59:59Z" }));
  assert.equal(last.code, 0);
  assert.equal(parseObject(readFileSync(join(inbox, "last.json"), "utf8"))["expires_at"], "9999-12-31T23:59:59.000Z");
});

test("drop refuses a bad job with a reason, exit 1, and writes nothing", async (t) => {
  const { run, folder } = makeScratch(t);
  writeFileSync(join(folder, "latin1.json"), Buffer.from('{"hook":"\xe9"}', "latin1"));
  const { on_hit, ...withoutOnHit } = job;
  const bad: readonly (readonly [args: string[], stdin: string, expected: RegExp])[] = [
    [["-"], '{"hook": "h",}', /stdin: expected .* at line 1, column 14/],
    [["-"], "", /stdin: expected JSON, got nothing/],
    [["-"], "[]", /stdin: expected the file to hold one JSON object, got/],
    [["-"], JSON.stringify(withoutOnHit), /`on_hit`.*; add it, then drop it again$/m],
    [["-"], JSON.stringify({ ...job, answer: {} }), /either `prompt` or `answer`, got both/],
    [["-"], JSON.stringify({ ...job, mode: "deep" }), /`mode`/],
    [["-"], JSON.stringify({ ...job, id: "../up" }), /`id`/],
    [["-"], JSON.stringify({ ...job, id: 7 }), /`id`/],
    [["latin1.json"], "", /latin1\.json: expected UTF-8 text/],
    [["absent.json"], "", /expected a job file at .*absent\.json, got nothing; correct the path/],
    [["."], "", /expected a job file at .*, got a folder; name a file/],
  ];
  assert.equal(typeof on_hit, "string");
  for (const [args, stdin, expected] of bad) {
    const result = await run(["drop", ...args], stdin);
    assert.equal(result.code, 1, stdin);
    assert.match(result.stderr, expected);
    assert.doesNotMatch(result.stderr, / {4}at /);
    assert.equal(existsSync(join(folder, "state")), false, stdin);
  }
});

test("drop refuses an id that waits or was judged already", async (t) => {
  const { run, folder, inbox } = makeScratch(t);
  const text = JSON.stringify({ ...job, id: "twice" });
  assert.equal((await run(["drop", "-"], text)).code, 0);
  const waiting = readFileSync(join(inbox, "twice.json"), "utf8");
  const again = await run(["drop", "-"], text);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /expected a new id, got twice, which is taken by .*inbox\/twice\.json/);
  assert.equal(readFileSync(join(inbox, "twice.json"), "utf8"), waiting);

  rmSync(join(inbox, "twice.json"));
  for (const place of ["claimed/instance", "outbox"]) {
    mkdirSync(join(folder, "state", place), { recursive: true });
    writeFileSync(join(folder, "state", place, "twice.json"), "{}");
    assert.equal((await run(["drop", "-"], text)).code, 1, place);
    rmSync(join(folder, "state", place, "twice.json"));
  }
  assert.deepEqual(readdirSync(inbox), []);
});

/** A prompt of a person, or a command with what it printed and how it ended. */
type Step = string | readonly [command: string, output: string, exitCode: 0 | 1];

/** One line a prompt, two a command: the call and its result. */
function renderSession(steps: readonly Step[]): string {
  const rows = claudeRows();
  const lines = steps.flatMap((step, index) => {
    if (typeof step === "string") return [rows.prompt(step)];
    const [command, content, exitCode] = step;
    const id = `toolu_${index}`;
    const failure = `Exit code 1\n${content}`;
    return [
      rows.block(`msg_${id}`, { type: "tool_use", id, name: "Bash", input: { command } }),
      exitCode === 1
        ? rows.result(id, { content: failure, isError: true, toolUseResult: `Error: ${failure}` })
        : rows.result(id, {
            content,
            isError: false,
            toolUseResult: { stdout: content, stderr: "", interrupted: false },
          }),
    ];
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** `npm test` passes, fails and passes again; `tsc` passes and fails. The last line is half written. */
const session = `${renderSession([
  "Go.", // line 1
  ["npm test", "# pass 12\n# fail 0", 0], // result on line 3
  ["npx tsc --noEmit", "", 0], // 5
  "On.", // 6
  ["npm test", "# pass 11\n# fail 1", 1], // 8
  ["npx tsc --noEmit", "a.ts(1,1): error TS2322: no", 1], // 10
  ["npm test", "# pass 12\n# fail 0", 0], // 12
  ["ls", "a.ts", 0], // 14
])}{"half": `;

test("replay lists every run with its place, and which flips are open", async (t) => {
  const { run, write } = makeScratch(t);
  write("session.jsonl", session);
  const result = await run(["replay", "session.jsonl", "--json"]);
  assert.equal(result.code, 1, result.stderr);
  const { rows, broken, turns, runs, flips } = parseObject(result.stdout);
  assert.deepEqual({ rows, broken, turns }, { rows: 15, broken: 1, turns: 2 });
  assert.ok(Array.isArray(runs) && Array.isArray(flips));
  assert.deepEqual(
    runs.map((each: unknown) => {
      const { row, turn, at, call_id, command, verdict } = parseObject(JSON.stringify(each));
      return [row, turn, at, call_id, command, verdict];
    }),
    [
      [3, 1, "2026-01-01T00:00:02.000Z", "toolu_1", "npm test", "pass"],
      [5, 1, "2026-01-01T00:00:04.000Z", "toolu_2", "npx tsc --noEmit", "pass"],
      [8, 2, "2026-01-01T00:00:07.000Z", "toolu_4", "npm test", "fail"],
      [10, 2, "2026-01-01T00:00:09.000Z", "toolu_5", "npx tsc --noEmit", "fail"],
      [12, 2, "2026-01-01T00:00:11.000Z", "toolu_6", "npm test", "pass"],
    ],
  );
  assert.deepEqual(
    flips.map((each: unknown) => {
      const { target, open } = parseObject(JSON.stringify(each));
      return [/test/.test(String(target)), open];
    }),
    [
      [true, false],
      [false, true],
    ],
  );
});

test("replay --json spells every key with underscores, and marks what was cut", async (t) => {
  const { run, write } = makeScratch(t);
  const long = `# fail 1 ${"x".repeat(300)}`;
  write("session.jsonl", renderSession(["Go.", ["npm test", "# pass 1\n# fail 0", 0], ["npm test", long, 1]]));
  const { stdout } = await run(["replay", "session.jsonl", "--json"]);
  const keys = [...stdout.matchAll(/"(\w+)":/g)].map(([, key]) => key ?? "");
  assert.deepEqual(
    keys.filter((key) => /[A-Z]/.test(key)),
    [],
  );
  const { runs, flips } = parseObject(stdout);
  assert.ok(Array.isArray(runs) && Array.isArray(flips));
  const [, failed] = runs.map((each: unknown) => parseObject(JSON.stringify(each)));
  const { passed, failed: failing, ...flip } = parseObject(JSON.stringify(flips[0]));
  const { evidence, verdict, target, key, ...place } = failed ?? {};
  assert.deepEqual({ verdict, target }, { verdict: "fail", target: "npm test" });
  assert.equal(evidence, `${long.slice(0, 199)}…`);
  assert.deepEqual(flip, { target, key, open: true });
  assert.deepEqual(failing, { ...place, evidence });
  assert.equal(parseObject(JSON.stringify(passed))["call_id"], "toolu_1");
});

test("replay shows a table to a person, without colour codes in a pipe", async (t) => {
  const { run, write } = makeScratch(t);
  write("session.jsonl", session);
  const { code, stdout } = await run(["replay", "session.jsonl"]);
  assert.equal(code, 1);
  assert.ok(!stdout.includes("\u001B"));
  assert.match(stdout, /^2026-01-01T00:00:07Z +2 {2}fail +.*test /m);
  assert.match(stdout, /^flip: .*tsc.* passed in turn 1 \(row 5\), failed in turn 2 \(row 10\): open$/m);
  assert.match(stdout, /15 rows \(1 broken\), 2 turns, 5 runs of checks; 2 flips, 1 open\n$/);
});

test("replay tells two targets of one label apart by their folder, and by their whole key where that is not enough", async (t) => {
  const { run, write } = makeScratch(t);
  const passes = "# pass 12\n# fail 0";
  write(
    "session.jsonl",
    renderSession([
      ["npm --prefix /p/web test", passes, 0],
      ["npm --prefix /p/api test", passes, 0],
      ["npm --prefix /p/api test", "# pass 11\n# fail 1", 1],
      ["npx eslint --max-warnings 0 /p/web/a.js", "", 0],
      ["npx eslint /p/web/a.js", "", 0],
      ["npx tsc --noEmit", "", 0],
    ]),
  );
  const { stdout } = await run(["replay", "session.jsonl", "--json"]);
  const { runs } = parseObject(stdout);
  assert.ok(Array.isArray(runs));
  const found = runs.map((each: unknown) => parseObject(JSON.stringify(each)));
  const names = found.map(({ target }) => target);
  assert.deepEqual(names.slice(0, 3), ["npm test in /p/web", "npm test in /p/api", "npm test in /p/api"]);
  assert.deepEqual([names[3], names[4]], [found[3]?.["key"], found[4]?.["key"]]);
  assert.notEqual(names[3], names[4]);
  const table = (await run(["replay", "session.jsonl"])).stdout;
  assert.match(table, /^flip: npm test in \/p\/api passed in turn 0 \(row 4\), failed in turn 0 \(row 6\): open$/m);
});

test("replay sees a part fail after the whole passed, and counts a flip once until it is repaired", async (t) => {
  const { run, write } = makeScratch(t);
  write(
    "session.jsonl",
    renderSession([
      ["pytest", "3 passed", 0], // line 2
      ["pytest tests/a.py", "1 failed", 1], // 4
      ["pytest tests/a.py", "1 failed", 1], // 6
      ["pytest", "3 passed", 0], // 8
      ["pytest tests/a.py", "1 failed", 1], // 10
    ]),
  );
  const { code, stdout } = await run(["replay", "session.jsonl"]);
  assert.equal(code, 1);
  assert.deepEqual(stdout.match(/^flip: .*$/gm), [
    "flip: pytest tests/a.py passed as part of pytest in turn 0 (row 2), failed in turn 0 (row 4): repaired later",
    "flip: pytest tests/a.py passed as part of pytest in turn 0 (row 8), failed in turn 0 (row 10): open",
  ]);
});

test("replay knows a rollout of Codex by its first row", async (t) => {
  const { run, write } = makeScratch(t);
  const name = "../../fixtures/transcripts/codex/flip.jsonl";
  write("rollout.jsonl", `\n${readFileSync(new URL(name, import.meta.url), "utf8")}`);
  const { code, stdout } = await run(["replay", "rollout.jsonl"]);
  assert.equal(code, 1);
  assert.deepEqual(stdout.match(/^flip: .*$/gm), [
    "flip: pytest tests/test_loader.py passed in turn 1 (row 8), failed in turn 2 (row 20): open",
  ]);
  assert.match(stdout, /24 rows, 2 turns, 2 runs of checks; 1 flip, 1 open\n$/);
});

test("replay lists what a script of Codex ran under the command of the record", async (t) => {
  const { run, write } = makeScratch(t);
  const item = { type: "CommandExecution", id: "exec-1", command: ["bash", "-lc", "npm test"], cwd: "file:///p" };
  const record = { ...item, status: "failed", exit_code: 1, aggregated_output: "# fail 1" };
  write("rollout.jsonl", JSON.stringify({ type: "event_msg", payload: { type: "item_completed", item: record } }));
  const { runs } = parseObject((await run(["replay", "rollout.jsonl", "--json"])).stdout);
  assert.ok(Array.isArray(runs));
  const { call_id, command, verdict } = parseObject(JSON.stringify(runs[0]));
  assert.deepEqual({ call_id, command, verdict }, { call_id: "exec-1", command: "npm test", verdict: "fail" });
});

test("replay calls nothing clean that is no session of Claude Code or Codex", async (t) => {
  const { run, write } = makeScratch(t);
  const rollout = { timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "a" } };
  const review = { type: "session_meta", payload: { id: "a", source: { subagent: "review" } } };
  const typed = { type: "event_msg", payload: { type: "user_message", message: "go" } };
  const files: Readonly<Record<string, readonly [text: string, expected: string]>> = {
    "broken.jsonl": ["not json\nnor this\n", "no JSON object in any of 2 lines; "],
    "empty.jsonl": ["", "an empty file; "],
    "blank.jsonl": ["\n\n", "an empty file; "],
    "other.jsonl": ['{"a":1}\n{"b":', "rows in which nobody says or runs anything; "],
    "rollout.jsonl": [`${JSON.stringify(rollout)}\n`, "rows in which nobody says or runs anything; "],
    "review.jsonl": [`${JSON.stringify(review)}\n${JSON.stringify(typed)}\n`, "the file of a sub-agent, "],
    "cursor.jsonl": [
      readFileSync(new URL("../../fixtures/transcripts/cursor/session.jsonl", import.meta.url), "utf8"),
      "one of Cursor, whose transcripts hold no command results: nothing tells whether a check passed; ",
    ],
    "agent.jsonl": [
      readFileSync(new URL("../../fixtures/transcripts/claude/subagent.jsonl", import.meta.url), "utf8"),
      "the file of a sub-agent, ",
    ],
  };
  for (const [name, [text, expected]] of Object.entries(files)) {
    write(name, text);
    const { code, stdout, stderr } = await run(["replay", name]);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" }, name);
    assert.ok(stderr.includes(`${name}: expected a session of Claude Code or Codex, got ${expected}`), stderr);
  }
});

test("replay ends in exit 1 for what is no transcript file, and in 0 for one without checks", async (t) => {
  const { run, folder, write } = makeScratch(t);
  for (const path of ["absent.jsonl", folder]) {
    const result = await run(["replay", path]);
    assert.equal(result.code, 1);
    assert.match(result.stderr, /^catstack replay: expected a transcript at .+, got .+\n$/);
  }
  const { stderr } = await run(["replay", folder]);
  const advice = `got a folder; name a file, or use: catstack backtest ${folder}`;
  assert.equal(stderr, `catstack replay: expected a transcript at ${folder}, ${advice}\n`);
  write("quiet.jsonl", renderSession(["Go."]));
  const quiet = await run(["replay", "quiet.jsonl"]);
  assert.deepEqual([quiet.code, quiet.stdout], [0, "1 row, 1 turn, 0 runs of checks; 0 flips\n"]);
});

test("status answers a program, and ends in exit 1 once a job waits and nobody watches", async (t) => {
  const { run } = makeScratch(t);
  const idle = await run(["status", "--json"]);
  assert.equal(idle.code, 0, idle.stderr);
  const { healthy, problem, watchers } = parseObject(idle.stdout);
  assert.deepEqual({ healthy, problem, watchers }, { healthy: true, problem: null, watchers: [] });

  assert.equal((await run(["drop", "-"], JSON.stringify({ ...job, id: "waits" }))).code, 0);
  const waiting = await run(["status", "--json"]);
  assert.equal(waiting.code, 1);
  assert.equal(parseObject(waiting.stdout)["healthy"], false);
});

test("a state directory that is none is said to be so, by every verb that looks into it", async (t) => {
  const { folder, write } = makeScratch(t);
  write("file", "");
  for (const place of ["file", "file/below"]) {
    const root = join(folder, place);
    const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: root };
    for (const args of [["status"], ["verdicts"], ["drop", "-"]]) {
      const { code, stdout, stderr } = await runCatstack(args, { env, stdin: JSON.stringify(job) });
      assert.deepEqual({ code, stdout }, { code: 1, stdout: "" }, args.join(" "));
      const expected = `expected a state directory at ${root}, got a file, or a path that leads through one; name another`;
      assert.ok(stderr.startsWith(`catstack ${args[0] ?? ""}: ${expected}`), stderr);
    }
  }
});

test("a relative state directory is refused by every verb that looks into it, and ignored by what runs in every folder", async (t) => {
  const { folder } = makeScratch(t);
  const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: "rel" };
  for (const args of [["status"], ["drop", "-"], ["dead", "list"], ["service", "print", "pm2"]]) {
    const { code, stdout, stderr } = await runCatstack(args, { env, stdin: JSON.stringify(job) });
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" }, args.join(" "));
    const expected = `catstack ${args[0] ?? ""}: expected CATSTACK_LLM_JUDGE_STATE_DIR to be an absolute path, got rel\n`;
    assert.ok(stderr.startsWith(expected), stderr);
  }
  assert.equal(getStatePaths(env).root, join(folder, ".local/state/catstack"));
});

test("verdicts lists what the watcher decided", async (t) => {
  const { run } = makeScratch(t);
  const evidence = { hook: "by-hand", transcript: "session.jsonl", answer: { late: true }, on_hit: "Be on time." };
  assert.equal((await run(["drop", "-"], JSON.stringify({ ...evidence, id: "proven" }))).code, 0);
  assert.match((await run(["watch", "--once"])).stdout, /^judged 1 \(1 hit, 0 clean, 0 unchecked\)/);
  const listed: unknown = JSON.parse((await run(["verdicts", "--json"])).stdout);
  assert.ok(Array.isArray(listed));
  assert.deepEqual(
    listed.map((each: unknown) => {
      const { id, outcome, runner } = parseObject(JSON.stringify(each));
      return { id, outcome, runner };
    }),
    [{ id: "proven", outcome: "hit", runner: "evidence" }],
  );
});

test("a watcher that starts beside another says so once, and one that is alone says nothing", async (t) => {
  const { folder, run } = makeScratch(t);
  assert.equal((await run(["watch", "--once"])).stderr, "");
  const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state") });
  writeInstance(paths, createInstance(new Date(), "aa"));
  const { code, stderr } = await run(["watch", "--once"]);
  assert.deepEqual(
    { code, stderr },
    { code: 0, stderr: `catstack watch: another watcher runs (pid ${process.pid}); both take jobs\n` },
  );
});

test("what cannot be printed on a full disk is told of and ends in exit 1, but ends no watcher", async (t) => {
  if (lacks(t, existsSync("/dev/full"), "/dev/full")) return;
  const { folder } = makeScratch(t);
  const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state") };
  const program = [process.execPath, `${distDir}/catstack.mjs`, "watch", "--idle-exit", "1"];
  const { code, stderr } = await runCommand("sh", ["-c", 'exec "$0" "$@" >/dev/full', ...program], { env });
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^catstack: expected to print all of it, got .*ENOSPC/m);
  assert.match(stderr, /"event":"watcher:stop",.*"code":0,"reason":"nothing to do for 1 s"/);
});

test("classify answers line by line, and says which line is no question", async (t) => {
  const { run } = makeScratch(t);
  const lines = [
    { id: 1, command: "npm test", output: "# pass 12\n# fail 0", isError: false, exitCode: 0 },
    { id: 2, command: "pytest tests/a.py", output: "1 failed, 3 passed", isError: true, exitCode: 1 },
    { id: 3, command: "git status", output: "clean", isError: false, exitCode: 0 },
  ];
  const good = await run(["classify"], lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  assert.equal(good.code, 0, good.stderr);
  const answers = good.stdout.trim().split("\n").map(parseObject);
  assert.deepEqual(
    answers.map(({ id, verifier, verdict }) => [id, verifier, verdict]),
    [
      [1, true, "pass"],
      [2, true, "fail"],
      [3, false, "unknown"],
    ],
  );
  assert.equal(answers[2]?.["target"], null);

  for (const [got, expected] of [
    ["exit_code", "exitCode"],
    ["is_error", "isError"],
  ] as const) {
    const line = { id: 4, command: "npm test", output: "", [got]: 1 };
    const other = await run(["classify"], `${JSON.stringify(line)}\n${JSON.stringify(lines[0])}\n`);
    assert.equal(other.code, 1);
    const [refused, answered] = other.stdout.trim().split("\n").map(parseObject);
    assert.equal(refused?.["error"], `expected ${expected} in 4, got ${got}; rename the key`);
    assert.equal(answered?.["verdict"], "pass");
  }
  const help = (await run(["classify", "--help"])).stdout;
  for (const key of ["id", "command", "output", "exitCode", "isError", "agent", "cwd"])
    assert.match(help, new RegExp(`^  ${key} {2,}\\S`, "m"));

  for (const nothing of ["", "\n \n"]) {
    const { code, stdout, stderr } = await run(["classify"], nothing);
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /^note: no question came on stdin, expected JSON lines; see: catstack classify --help\n$/);
  }
  const bad = await run(["classify"], "not json\n");
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /"id":null,"error":/);
});
