import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, appendFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { parseCodexPayload } from "../../lib/harness/codex.ts";
import { readDigest } from "../../lib/io/transcript/read-transcript.ts";
import type { Adapter } from "../../lib/transcript/adapter.ts";
import { MAX_DIGEST_BYTES } from "../../lib/transcript/bounds.ts";
import { claude } from "../../lib/transcript/claude.ts";
import { codex, parseCodexLine } from "../../lib/transcript/codex.ts";
import { findScriptCalls } from "../../lib/transcript/codex-script.ts";
import { type Digest, isDigest } from "../../lib/transcript/digest.ts";
import type { Entry } from "../../lib/transcript/entry.ts";
import { createFold } from "../../lib/transcript/fold.ts";
import { exited, foldRollout, goesOn, type Rollout, rollout } from "../helpers/codex-rollout.ts";
import { mayHoldCheck, testDeps } from "../helpers/test-checks.ts";

const fold = createFold(testDeps);
const fixtures = new URL("../../fixtures/transcripts/codex/", import.meta.url);
const main = { sidechain: false };
const other = (type: string): Entry => ({ ...main, kind: "other", type });
const event = (payload: object) => ({ type: "event_msg", payload });
const item = (payload: object) => ({ type: "response_item", payload });
const itemOf = (it: object) => event({ type: "item_completed", item: it });
const functionCall = (name: string, args: unknown) =>
  item({
    type: "function_call",
    call_id: "c1",
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  });
const call = (command: string, more: object = {}): Entry => ({
  ...main,
  kind: "call",
  callId: "c1",
  command,
  background: false,
  ...more,
});
const result = (output: object, more: object = {}): Entry =>
  Object.assign({ ...main, kind: "result" as const, callId: "c1", output: { text: "", ...output } }, more);
const output = (text: unknown) => item({ type: "function_call_output", call_id: "c1", output: text });
const printed = (...texts: string[]) =>
  item({
    type: "custom_tool_call_output",
    call_id: "c1",
    output: ["Script completed\nWall time 0.1 seconds\nOutput:\n", ...texts].map((text) => ({
      type: "input_text",
      text,
    })),
  });
const execution = (more: object) =>
  itemOf({
    type: "CommandExecution",
    id: "c1",
    command: ["/bin/bash", "-lc", "npm test"],
    aggregated_output: "",
    ...more,
  });

describe("a row of a Codex rollout", () => {
  const cases: Readonly<Record<string, { row: object; gives: readonly Entry[] }>> = {
    "the session's folder is where commands start": {
      row: { timestamp: "2026-01-01T00:00:00.000Z", type: "session_meta", payload: { cwd: "/p", source: "cli" } },
      gives: [{ at: "2026-01-01T00:00:00.000Z", ...main, kind: "folder", cwd: "/p" }],
    },
    "a turn may move to another folder": {
      row: { type: "turn_context", payload: { cwd: "/q" } },
      gives: [{ ...main, kind: "folder", cwd: "/q" }],
    },
    "a sub-agent's session says so": {
      row: { type: "session_meta", payload: { cwd: "/p", source: { subagent: { thread_spawn: {} } } } },
      gives: [{ ...main, kind: "subagent" }],
    },
    "and so in newer words": {
      row: { type: "session_meta", payload: { cwd: "/p", source: "exec", thread_source: "subagent" } },
      gives: [{ ...main, kind: "subagent" }],
    },
    "a prompt is human": {
      row: event({ type: "user_message", message: "fix it" }),
      gives: [{ ...main, kind: "human", text: "fix it" }],
    },
    "an item of the user is human, its texts joined": {
      row: itemOf({
        type: "UserMessage",
        content: [
          { type: "text", text: "fix" },
          { type: "text", text: "it" },
        ],
      }),
      gives: [{ ...main, kind: "human", text: "fix\nit" }],
    },
    "a picture alone is a prompt without text": {
      row: itemOf({ type: "UserMessage", content: [{ type: "image", image_url: "data:" }] }),
      gives: [{ ...main, kind: "human", text: "" }],
    },
    "a blank prompt is none": { row: event({ type: "user_message", message: " " }), gives: [other("event_msg")] },
    "what stands in the model's input as a user's message is not typed": {
      row: item({ type: "message", role: "user", content: [{ type: "input_text", text: "fix it" }] }),
      gives: [other("response_item")],
    },
    "a hook's feedback is not typed": {
      row: event({ type: "user_message", message: '<hook_prompt hook_run_id="1">go on</hook_prompt>' }),
      gives: [other("event_msg")],
    },
    "a message of the agent is a reply": {
      row: event({ type: "agent_message", message: "Done." }),
      gives: [{ ...main, kind: "reply", text: "Done." }],
    },
    "so is an item of the agent": {
      row: itemOf({ type: "AgentMessage", content: [{ type: "Text", text: "Done." }] }),
      gives: [{ ...main, kind: "reply", text: "Done." }],
    },
    "its copy in the model's output is not a second one": {
      row: item({ type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] }),
      gives: [other("response_item")],
    },
    "a plain call": { row: functionCall("exec_command", { cmd: "npm test" }), gives: [call("npm test")] },
    "a plain call in a folder of its own": {
      row: functionCall("exec_command", { cmd: "npm test", workdir: "web" }),
      gives: [call("npm test", { cwd: "web" })],
    },
    "the older shell is given words": {
      row: functionCall("shell", { command: ["bash", "-lc", "npm test"], workdir: "/p" }),
      gives: [call("npm test", { cwd: "/p" })],
    },
    "words without a shell are a line": {
      row: functionCall("shell", { command: ["npm", "test", "--", "-t", "it's"] }),
      gives: [call(String.raw`npm test -- -t 'it'\''s'`)],
    },
    "the oldest form is a row of its own": {
      row: item({
        type: "local_shell_call",
        call_id: "c1",
        action: { type: "exec", command: ["bash", "-c", "npm test"], working_directory: "/p" },
      }),
      gives: [call("npm test", { cwd: "/p" })],
    },
    "arguments that are no JSON are none": { row: functionCall("exec_command", "{"), gives: [other("response_item")] },
    "a call of another tool is none": {
      row: functionCall("update_plan", { cmd: "npm test" }),
      gives: [other("response_item")],
    },
    "typing into a command asks for its output": {
      row: functionCall("write_stdin", { session_id: 7, chars: "" }),
      gives: [{ ...main, kind: "poll", callId: "c1", taskId: "session 7" }],
    },
    "waiting for a script does too": {
      row: functionCall("wait", { cell_id: "3" }),
      gives: [{ ...main, kind: "poll", callId: "c1", taskId: "cell 3" }],
    },
    "a patch is none": {
      row: item({
        type: "custom_tool_call",
        call_id: "c1",
        name: "apply_patch",
        input: 'tools.exec_command({cmd:"x"})',
      }),
      gives: [other("response_item")],
    },
    "a script with one command is its call": {
      row: item({
        type: "custom_tool_call",
        call_id: "c1",
        name: "exec",
        input: 'const r = await tools.exec_command({cmd:"npm test","workdir":"/p"}); text(r.output)',
      }),
      gives: [call("npm test", { cwd: "/p", source: "script" })],
    },
    "a script with a command and a question has two parts": {
      row: item({
        type: "custom_tool_call",
        call_id: "c1",
        name: "exec",
        input: 'text(await tools.write_stdin({session_id:7})); text(await tools.exec_command({cmd:"npm test"}))',
      }),
      gives: [
        { ...main, kind: "poll", callId: "c1", taskId: "session 7", part: { index: 0, count: 2, inOrder: false } },
        call("npm test", {
          callId: "c1#2",
          awaits: "c1",
          source: "script",
          part: { index: 1, count: 2, inOrder: false },
        }),
      ],
    },

    "the output of a plain call": {
      row: output(exited(1, "1 failed")),
      gives: [result({ text: "1 failed", exitCode: 1 }, { piece: true })],
    },
    "of one that goes on": {
      row: output(goesOn(7, "one")),
      gives: [result({ text: "one" }, { piece: true, taskId: "session 7" })],
    },
    "of the older shell": {
      row: output('{"output":"1 failed","metadata":{"exit_code":3}}'),
      gives: [result({ text: "1 failed", exitCode: 3 }, { piece: true })],
    },
    "of a call that was refused": {
      row: output("exec_command failed for `/bin/bash -lc 'npm test'`: Rejected(\"rejected by user\")"),
      gives: [
        result(
          {
            text: "exec_command failed for `/bin/bash -lc 'npm test'`: Rejected(\"rejected by user\")",
            interrupted: true,
          },
          { piece: true },
        ),
      ],
    },
    "of a command that was ended from outside": {
      row: output(exited(-1, "ok")),
      gives: [result({ text: "ok", interrupted: true }, { piece: true })],
    },
    "of a script that prints a record": {
      row: printed('{"chunk_id":"a","wall_time_seconds":0.1,"exit_code":1,"output":"1 failed"}'),
      gives: [
        result(
          { text: "1 failed", exitCode: 1 },
          { piece: true, parts: [{ output: { text: "1 failed", exitCode: 1 }, isRecord: true }] },
        ),
      ],
    },
    "of a script that prints a record with its middle cut out, lines and all": {
      row: printed(
        '{"chunk_id":"a","wall_time_seconds":1,"exit_code":1,"output":"one\\n\n…9 tokens truncated…\n\\"two\\"',
      ),
      gives: [
        result(
          { text: 'one\n\n…9 tokens truncated…\n"two"', exitCode: 1 },
          {
            piece: true,
            parts: [{ output: { text: 'one\n\n…9 tokens truncated…\n"two"', exitCode: 1 }, isRecord: true }],
          },
        ),
      ],
    },
    "of a script whose command goes on": {
      row: printed('{"chunk_id":"a","wall_time_seconds":1,"session_id":7,"output":"one"}'),
      gives: [
        result(
          { text: "one" },
          { piece: true, parts: [{ output: { text: "one" }, taskId: "session 7", isRecord: true }] },
        ),
      ],
    },
    "of a script that prints the session in words of its own": {
      row: printed("one", "SESSION_ID=7"),
      gives: [
        result(
          { text: "one" },
          {
            piece: true,
            parts: [
              { output: { text: "one" }, isRecord: false },
              { output: { text: "" }, taskId: "session 7", isRecord: false },
            ],
          },
        ),
      ],
    },
    "of a script that goes on": {
      row: output("Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n"),
      gives: [result({ text: "" }, { piece: true, taskId: "cell 3" })],
    },
    "of a script that failed": {
      row: output([
        { type: "input_text", text: "Script failed\nWall time 0.1 seconds\nOutput:\n" },
        { type: "input_text", text: "Script error:\nno" },
      ]),
      gives: [
        result(
          { text: "Script error:\nno", interrupted: true },
          { piece: true, parts: [{ output: { text: "Script error:\nno" }, isRecord: false }] },
        ),
      ],
    },
    "of a script that was ended": {
      row: output([{ type: "input_text", text: "Script terminated\nWall time 0.1 seconds\nOutput:\n" }]),
      gives: [result({ text: "Script terminated\n", interrupted: true }, { piece: true })],
    },
    "that names no call": { row: item({ type: "function_call_output", output: "x" }), gives: [other("response_item")] },

    "a record under a call's id is its result": {
      row: execution({ status: "failed", exit_code: 1, aggregated_output: "1 failed" }),
      gives: [result({ text: "1 failed", exitCode: 1 }, { whole: true })],
    },
    "a record of a script's command is call and result": {
      row: execution({ id: "exec-1", status: "completed", exit_code: 0, cwd: "file:///home/user/my%20p" }),
      gives: [
        call("npm test", { callId: "exec-1", source: "record", cwd: "/home/user/my p" }),
        result({ exitCode: 0 }, { callId: "exec-1", whole: true }),
      ],
    },
    "a record that was declined is no run": {
      row: execution({ status: "declined", exit_code: 1 }),
      gives: [result({ interrupted: true }, { whole: true })],
    },
    "a record without a status is no run": {
      row: execution({ status: "in_progress", exit_code: null }),
      gives: [result({ interrupted: true }, { whole: true })],
    },
    "a record of what was typed is none": {
      row: execution({ source: "unified_exec_interaction", exit_code: 0 }),
      gives: [other("event_msg")],
    },
    "the older record has the same fields": {
      row: event({
        type: "exec_command_end",
        call_id: "c1",
        command: ["bash", "-lc", "npm test"],
        cwd: "/p",
        exit_code: 0,
        aggregated_output: "ok",
      }),
      gives: [result({ text: "ok", exitCode: 0 }, { whole: true })],
    },
    "a compaction": { row: { type: "compacted", payload: { message: "" } }, gives: [{ ...main, kind: "compaction" }] },
    "a row of an unknown type is kept": { row: { type: "world_state", payload: {} }, gives: [other("world_state")] },
    "a row of no make is kept": { row: { payload: [] }, gives: [other("")] },
  };
  for (const [name, { row, gives }] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(parseCodexLine(JSON.stringify(row)), gives));
  }

  test("that is no JSON object is broken, an empty one is none", () => {
    for (const line of ['{"type":', "null", "[]", "12"]) assert.equal(parseCodexLine(line), undefined, line);
    for (const line of ["", "\r", "\uFEFF"]) assert.deepEqual(parseCodexLine(line), []);
  });

  test("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (line) => void parseCodexLine(line)));
    fc.assert(fc.property(anyRow, (row) => (parseCodexLine(JSON.stringify(row)) ?? []).length > 0));
  });
});

describe("the calls of a script", () => {
  const one = (command: string, more: object = {}) => [{ command, ...more }];
  const cases: Readonly<Record<string, { script: string; gives: readonly object[] }>> = {
    "every kind of quote": {
      script: "tools.exec_command({cmd: 'a'}); tools.exec_command({\"cmd\": `b`}); tools.exec_command({'cmd':\"c\"})",
      gives: ["a", "b", "c"].map((command, index) => ({ command, part: { index, count: 3, inOrder: false } })),
    },
    "escapes mean what they mean in JavaScript": {
      script: String.raw`tools.exec_command({cmd:"a \"b\" \n\t\x41\u0042\u{43}\q\\"})`,
      gives: one('a "b" \n\tABCq\\'),
    },
    "other fields stand in any order": {
      script:
        "tools.exec_command({yield_time_ms: 10000, tty: f({a:[1,2]}, '}'), workdir: '/p', cmd: 'a', login: true})",
      gives: one("a", { cwd: "/p" }),
    },
    "a template that is filled in is computed": { script: "tools.exec_command({cmd: `a ${b}`})", gives: [{}] },
    "a template with an escaped dollar is not": {
      script: "tools.exec_command({cmd: `a \\${b}`})",
      gives: one("a ${b}"),
    },
    "a sum is computed": { script: "tools.exec_command({cmd: 'a' + b})", gives: [{}] },
    "a name is computed": { script: "tools.exec_command({cmd, workdir: '/p'})", gives: [{}] },
    "an object from elsewhere is computed": { script: "tools.exec_command(options)", gives: [{}] },
    "a call in a string or in a comment is none": {
      script:
        "// tools.exec_command({cmd:'a'})\n/* tools.exec_command({cmd:'b'}) */ text(\"tools.exec_command({cmd:'c'})\")",
      gives: [],
    },
    "a session is a number": {
      script: "tools.write_stdin({session_id: 77, chars: '\\u0003'})",
      gives: [{ session: "77" }],
    },
    "results in a loop stand in order": {
      script:
        "const rs = await Promise.all([tools.exec_command({cmd:'a'}), tools.exec_command({cmd:'b'})]); for (const r of rs) text(r.output)",
      gives: ["a", "b"].map((command, index) => ({ command, part: { index, count: 2, inOrder: true } })),
    },
    "a string that is not closed ends with its line": {
      script: "const a = 'it\ntools.exec_command({cmd:'b'})",
      gives: one("b"),
    },
    "a call that is not closed": { script: "tools.exec_command({cmd:'a', x: (", gives: one("a") },
    "more than 16 calls are none": { script: "tools.exec_command({cmd:'a'});".repeat(17), gives: [] },
  };
  for (const [name, { script, gives }] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(findScriptCalls(script), gives));
  }

  test("are found in any text, in one pass", () => {
    const parts = fc.constantFrom(
      "tools.exec_command(",
      "{",
      "cmd:",
      "'",
      '"',
      "`",
      "\\",
      "${",
      "}",
      "/*",
      "//",
      "\n",
      ",",
      "a",
      ")",
    );
    fc.assert(fc.property(fc.array(parts), (texts) => void findScriptCalls(texts.join(""))));
    for (const part of [
      "`\\",
      '"\\',
      "/*",
      "tools.exec_command({cmd:",
      "tools.exec_command(",
      "{cmd:'",
      "'\\'",
      "(((",
    ]) {
      const script = part.repeat(Math.floor((256 * 1024) / part.length));
      const start = process.cpuUsage().user;
      findScriptCalls(script);
      // One pass takes some 30 ms; a pass for every character would take minutes.
      assert.ok(process.cpuUsage(undefined).user - start < 3_000_000, part);
    }
  });
});

/** Label, and the rows of the latest pass and fail, of every target. */
function stateOf({ targets }: Digest) {
  return targets.map(({ target, pass, fail }) => [target.label, pass?.row, fail?.row]);
}

function fold1(session: Rollout): Digest {
  return foldRollout(session.toJsonl(), fold);
}

describe("the fold of a Codex rollout", () => {
  test("reads a recorded session: five commands, each counted once", () => {
    const asked: string[] = [];
    const told: object[] = [];
    const noting = createFold({
      ...testDeps,
      findChecks: (command, cwd) => (
        asked.push(`${cwd}: ${command}`),
        testDeps.findChecks(command.replace("./check_", "check "))
      ),
      getVerdicts: (checks, out) => (told.push({ ...out }), testDeps.getVerdicts(checks, out)),
    });
    const digest = foldRollout(readFileSync(new URL("session.jsonl", fixtures), "utf8"), noting);
    assert.deepEqual(asked, [
      "/home/user/project: ./check_ok.sh",
      "/home/user/project: ./check_bad.sh",
      "/home/user/project: ./check_ok.sh",
      "/home/user/project: ./check_bad.sh",
      "/home/user/project: sleep 2; echo late; exit 4",
    ]);
    assert.deepEqual(told, [
      { text: "12 checks ok\n", exitCode: 0 },
      { text: "details on stderr\nFAIL: 1 of 12 checks\n", exitCode: 1 },
      { text: "FAIL: 1 of 12 checks\ndetails on stderr\n", exitCode: 1 },
      { text: "12 checks ok\n", exitCode: 0 },
    ]);
    assert.deepEqual(stateOf(digest), [
      ["bad.sh", undefined, 25],
      ["ok.sh", 26, undefined],
    ]);
    assert.deepEqual([digest.turns, digest.lastHuman, digest.pending], [1, "please finish the work", []]);
    assert.deepEqual(digest.replies, [
      "Running the verifier.",
      "Opened the PR; here is the link. https://example.invalid/pr/1",
    ]);
  });

  test("counts a run once when it is told by its record and by its output, in either order", () => {
    const recordFirst = rollout().call("c1", "exec_command", { cmd: "check a" }).record("c1", "check a", 0, "fine");
    assert.deepEqual(stateOf(fold1(recordFirst.output("c1", exited(1, "failed")))), [["a", 3, undefined]]);
    const outputFirst = rollout().call("c1", "exec_command", { cmd: "check a" }).output("c1", exited(0, "fine"));
    assert.deepEqual(stateOf(fold1(outputFirst.record("c1", "check a", 1, "failed"))), [["a", 3, undefined]]);
  });

  test("joins what a command prints bit by bit, and settles it when it ends", () => {
    const texts: string[] = [];
    const noting = createFold({
      ...testDeps,
      getVerdicts: (checks, out) => (texts.push(`${out.text}|${out.exitCode}`), testDeps.getVerdicts(checks, out)),
    });
    const session = rollout()
      .call("c1", "exec_command", { cmd: "check a" })
      .output("c1", goesOn(7, "one\n"))
      .call("c2", "exec_command", { cmd: "check b" })
      .output("c2", goesOn(8, "eins\n"))
      .call("c3", "write_stdin", { session_id: 7, chars: "" })
      .output("c3", goesOn(7, "two\n"))
      .call("c4", "write_stdin", { session_id: 8, chars: "" })
      .output("c4", exited(1, "zwei\n"));
    assert.deepEqual(stateOf(foldRollout(session.toJsonl(), noting)), [["b", undefined, 9]]);
    session.call("c5", "write_stdin", { session_id: 7, chars: "" }).output("c5", exited(0, "three\n"));
    texts.length = 0;
    assert.deepEqual(stateOf(foldRollout(session.toJsonl(), noting)), [
      ["b", undefined, 9],
      ["a", 11, undefined],
    ]);
    assert.deepEqual(texts, ["eins\nzwei\n|1", "one\ntwo\nthree\n|0"]);
  });

  test("takes a command that nobody has seen end for no run", () => {
    const digest = fold1(rollout().call("c1", "exec_command", { cmd: "check a" }).output("c1", goesOn(7, "1 failed")));
    assert.deepEqual(digest.targets, []);
    assert.deepEqual(
      digest.pending.map(({ command, taskId }) => [command, taskId]),
      [["check a", "session 7"]],
    );
  });

  test("knows the end of a session whose record comes before anybody asks", () => {
    const session = rollout()
      .call("c1", "exec_command", { cmd: "check a" })
      .output("c1", goesOn(7, ""))
      .record("c1", "check a", 1, "1 failed");
    assert.deepEqual(stateOf(fold1(session)), [["a", undefined, 4]]);
  });

  test("takes a question whose command is gone for the end of what is known", () => {
    const session = rollout()
      .call("c1", "exec_command", { cmd: "check a" })
      .output("c1", goesOn(7, "ok"))
      .call("c2", "write_stdin", { session_id: 7 })
      .output("c2", "write_stdin failed: Unknown process id 7");
    const digest = fold1(session);
    assert.deepEqual([digest.targets, digest.pending], [[], []]);
  });

  const record = (text: string, end: object) =>
    JSON.stringify({ chunk_id: "a", wall_time_seconds: 0.1, ...end, output: text });

  test("reads a script's one command from whatever it prints", () => {
    const script = 'const r = await tools.exec_command({cmd:"check a"}); text(r.output)';
    assert.deepEqual(stateOf(fold1(rollout().script("c1", script).output("c1", ["1 failed"]))), [["a", undefined, 3]]);
    const asRecord = rollout()
      .script("c1", script)
      .output("c1", [record("fine", { exit_code: 0 })]);
    assert.deepEqual(stateOf(fold1(asRecord)), [["a", 3, undefined]]);
  });

  test("follows a script's command through sessions and cells", () => {
    const session = rollout()
      .script("c1", 'text(await tools.exec_command({cmd:"check a"}))')
      .output("c1", [record("one\n", { session_id: 7 })])
      .script("c2", "text(await tools.write_stdin({session_id:7}))")
      .output("c2", "Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n")
      .call("c3", "wait", { cell_id: "3" })
      .output("c3", [record("two\n", { session_id: 7 })])
      .call("c4", "write_stdin", { session_id: 7 })
      .output("c4", exited(2, "three\n"));
    const digest = fold1(session);
    assert.deepEqual(stateOf(digest), [["a", undefined, 9]]);
    assert.equal(digest.targets[0]?.fail?.evidence, "one\ntwo\nthree\n");
  });

  const both = 'await Promise.all([tools.exec_command({cmd:"check a"}), tools.exec_command({cmd:"check b"})])';

  test("gives each command of a script its own record", () => {
    const session = rollout()
      .script("c1", `const [x, y] = ${both}; text(x); text(y)`)
      .output("c1", [record("", { exit_code: 1 }), record("", { exit_code: 0 })]);
    assert.deepEqual(stateOf(fold1(session)), [
      ["a", undefined, 3],
      ["b", 3, undefined],
    ]);
  });

  test("gives each command of a script that loops its own text", () => {
    const session = rollout()
      .script("c1", `for (const r of ${both}) text(r.output)`)
      .output("c1", ["1 failed", "2 passed"]);
    assert.deepEqual(stateOf(fold1(session)), [
      ["a", undefined, 3],
      ["b", 3, undefined],
    ]);
  });

  for (const [name, script, texts] of [
    ["in an order nobody knows", `const [x, y] = ${both}; text(y.output); text(x.output)`, ["1 failed", "2 passed"]],
    ["in one text", `const rs = ${both}; text(rs.map((r) => r.output).join())`, ["1 failed,2 passed"]],
    [
      "in more texts",
      `for (const r of ${both}) { text(r.output); text("---") }`,
      ["1 failed", "---", "2 passed", "---"],
    ],
  ] as const) {
    test(`knows nothing of two commands whose outputs a script prints ${name}`, () => {
      const digest = fold1(rollout().script("c1", script).output("c1", texts));
      assert.deepEqual([digest.targets, digest.pending], [[], []]);
    });
  }

  test("follows two commands of one script, one of which goes on", () => {
    const session = rollout()
      .script("c1", `(${both}).forEach(text)`)
      .output("c1", [record("", { session_id: 7 }), record("", { exit_code: 0 })])
      .call("c2", "write_stdin", { session_id: 7 })
      .output("c2", exited(1, ""));
    assert.deepEqual(stateOf(fold1(session)), [
      ["b", 3, undefined],
      ["a", undefined, 5],
    ]);
  });

  test("waits for all commands of a script that goes on", () => {
    const session = rollout()
      .script("c1", `(${both}).forEach(text)`)
      .output("c1", "Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n")
      .call("c2", "wait", { cell_id: "3" })
      .output("c2", [record("", { exit_code: 1 }), record("", { exit_code: 0 })]);
    assert.deepEqual(stateOf(fold1(session)), [
      ["a", undefined, 5],
      ["b", 5, undefined],
    ]);
  });

  test("counts the record of a script's command instead of what the script prints", () => {
    const session = rollout()
      .script("c1", 'text((await tools.exec_command({cmd:"check a"})).output)')
      .record("exec-1", "check a", 0, "0 failed")
      .output("c1", ["0 failed"]);
    assert.deepEqual(stateOf(fold1(session)), [["a", 3, undefined]]);
    // From then on the client is known to record: the order of the rows does not matter.
    session
      .script("c2", 'text((await tools.exec_command({cmd:"check b"})).output)')
      .output("c2", ["0 failed"])
      .record("exec-2", "check b", 0, "0 failed");
    assert.deepEqual(stateOf(fold1(session)), [
      ["a", 3, undefined],
      ["b", 7, undefined],
    ]);
  });

  test("starts commands in the folder of the turn", () => {
    const folders: (string | undefined)[] = [];
    const noting = createFold({ ...testDeps, findChecks: (_, cwd) => (folders.push(cwd), []) });
    const session = rollout()
      .call("c1", "exec_command", { cmd: "x" })
      .turn("/elsewhere")
      .call("c2", "exec_command", { cmd: "x" })
      .call("c3", "exec_command", { cmd: "x", workdir: "web" })
      .call("c4", "exec_command", { cmd: "x", workdir: "/abs" })
      .turn(`/${"a".repeat(5000)}`)
      .call("c5", "exec_command", { cmd: "x" });
    foldRollout(session.toJsonl(), noting);
    assert.deepEqual(folders, ["/home/user/project", "/elsewhere", "/elsewhere/web", "/abs", undefined]);
  });

  test("ignores a sub-agent's rollout", () => {
    const session = rollout({ source: { subagent: "review" } })
      .user("go")
      .ran("check a", "1 failed", 1)
      .says("Done.");
    const digest = fold1(session);
    assert.deepEqual([digest.turns, digest.targets, digest.replies], [0, [], []]);
    assert.equal(digest.rows, 7);
  });

  test("stays bounded, whatever commands that never end print", () => {
    const session = rollout();
    for (let i = 0; i < 80; i++) {
      session.call(`c${i}`, "exec_command", { cmd: `check ${i}` }).output(`c${i}`, goesOn(i, "\u0001".repeat(20_000)));
    }
    const json = JSON.stringify(fold1(session));
    assert.ok(isDigest(JSON.parse(json)));
    assert.ok(Buffer.byteLength(json) < MAX_DIGEST_BYTES / 3, `${Buffer.byteLength(json)} bytes`);
  });
});

const text = fc.oneof(
  fc.constantFrom(
    "ok",
    "1 failed",
    "SESSION_ID=7",
    '"function_call"',
    "Script failed",
    exited(1, "1 failed"),
    goesOn(7, "o"),
  ),
  fc.constantFrom(
    '{"chunk_id":"a","exit_code":1,"output":"1 failed"}',
    '{"chunk_id":"a","session_id":7,"output":""}',
    "Script running with cell ID 3\nWall time 1.0 seconds\nOutput:\n",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const callId = fc.constantFrom("c1", "c2", "c3");
const command = fc.constantFrom("check a", "check b", "check a; check b", "ls");
const script = fc
  .array(
    fc.oneof(
      command.map((cmd) => `tools.exec_command({cmd:"${cmd}"})`),
      fc.constant("tools.write_stdin({session_id:7})"),
    ),
    {
      maxLength: 3,
    },
  )
  .chain((calls) => fc.constantFrom(`(await Promise.all([${calls.join()}])).forEach(text)`, `[${calls.join()}]`));
const optional = { requiredKeys: [] };
const payload = fc.oneof(
  fc.record({
    type: fc.constant("function_call"),
    call_id: callId,
    name: fc.constantFrom("exec_command", "shell", "x"),
    arguments: command.map((cmd) => JSON.stringify({ cmd })),
  }),
  fc.record({
    type: fc.constant("function_call"),
    call_id: callId,
    name: fc.constant("write_stdin"),
    arguments: fc.constant('{"session_id":7}'),
  }),
  fc.record({
    type: fc.constant("function_call"),
    call_id: callId,
    name: fc.constant("wait"),
    arguments: fc.constant('{"cell_id":"3"}'),
  }),
  fc.record({ type: fc.constant("custom_tool_call"), call_id: callId, name: fc.constant("exec"), input: script }),
  fc.record({
    type: fc.constantFrom("function_call_output", "custom_tool_call_output"),
    output: text,
    call_id: callId,
  }),
  fc.record({
    type: fc.constant("custom_tool_call_output"),
    call_id: callId,
    output: fc.array(text, { maxLength: 3 }).map((texts) =>
      ["Script completed\nWall time 1.0 seconds\nOutput:\n", ...texts].map((each) => ({
        type: "input_text",
        text: each,
      })),
    ),
  }),
  fc.record({ type: fc.constantFrom("user_message", "agent_message"), message: text }),
  fc.record(
    {
      type: fc.constant("exec_command_end"),
      exit_code: fc.constantFrom(0, 1),
      call_id: callId,
      aggregated_output: text,
      command: fc.constant(["bash", "-lc", "check a"]),
    },
    optional,
  ),
  fc.record({
    type: fc.constant("item_completed"),
    item: fc.oneof(
      fc.record({
        type: fc.constantFrom("UserMessage", "AgentMessage"),
        content: fc.array(fc.record({ type: fc.constant("text"), text }), { maxLength: 2 }),
      }),
      fc.record(
        {
          id: fc.oneof(callId, fc.constantFrom("exec-1", "exec-2")),
          type: fc.constant("CommandExecution"),
          command: command.map((line) => ["/bin/bash", "-lc", line]),
          exit_code: fc.constantFrom(0, 1, null),
          aggregated_output: text,
          status: fc.constantFrom("completed", "failed", "declined"),
        },
        optional,
      ),
    ),
  }),
  fc.record({ cwd: fc.constantFrom("/p", "/q"), source: fc.constant("cli") }, optional),
  fc.dictionary(fc.constantFrom("type", "call_id", "name", "item", "id", "cwd"), text, { maxKeys: 4 }),
);

/** A row of any make, most of them close to what the client writes. A sub-agent's meta row is rare: nothing counts behind it. */
const anyRow: fc.Arbitrary<object> = fc.oneof(
  { arbitrary: fc.record({ type: fc.constantFrom("response_item", "event_msg"), payload }), weight: 30 },
  {
    arbitrary: fc.record({ type: fc.constantFrom("turn_context", "session_meta", "compacted", "x"), payload }),
    weight: 3,
  },
  { arbitrary: fc.constant({ type: "session_meta", payload: { thread_source: "subagent" } }), weight: 1 },
);
const anyRollout = fc
  .array(anyRow, { maxLength: 25 })
  .map((rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""));

describe("reading a Codex rollout", () => {
  let root = "";
  let count = 0;
  before(() => {
    root = mkdtempSync(join(tmpdir(), "catstack-codex-"));
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  const newPath = () => join(root, `${++count}.jsonl`);

  function read(path: string, adapter: Adapter = codex): Digest {
    const reading = readDigest({
      path,
      adapter,
      fold,
      cacheDir: `${path}.cache`,
      bundleHash: "one",
      mayMatter: mayHoldCheck,
    });
    assert.ok(reading.ok, JSON.stringify(reading));
    return reading.digest;
  }

  test("gives the digest of parsing every line, for every fixture", () => {
    const names = readdirSync(fixtures);
    assert.ok(names.length >= 2);
    for (const name of names) {
      const content = readFileSync(new URL(name, fixtures), "utf8");
      const path = newPath();
      writeFileSync(path, content);
      assert.deepEqual(read(path), foldRollout(content, fold), name);
    }
  });

  test("gives the digest of parsing every line, for rows of any make and any cuts", () => {
    const cut = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyRollout, cut, (content, at) => {
        const path = newPath();
        const end = Math.floor(content.length * at);
        writeFileSync(path, content.slice(0, end));
        read(path);
        appendFileSync(path, content.slice(end));
        assert.deepEqual(read(path), foldRollout(content, fold));
      }),
      { numRuns: 300 },
    );
  });

  test("parses few of the lines", () => {
    let parsed = 0;
    const counting: Adapter = { ...codex, parseLine: (line) => (parsed++, parseCodexLine(line)) };
    const session = rollout().user("go");
    for (let i = 0; i < 50; i++) session.ran("cat file", "check a").record("call_x", "cat file", 0, "x");
    const path = newPath();
    writeFileSync(path, session.ran("check a", "ok").says("Green.").toJsonl());
    read(path, counting);
    // The folder, the prompt, the check and its result; then back from the end: the one reply.
    assert.equal(parsed, 5);
  });

  test("tells a check from a call that changes nothing however the command is spelled", () => {
    const calls: readonly ((session: Rollout) => Rollout)[] = [
      (session) => session.ran("true\ncheck a", "ok"),
      (session) => session.ran('echo "\\n"\tcheck a', "ok"),
      (session) => session.ran("\u001bcheck a", "ok"),
      ...[
        "const r = await tools.exec_command({cmd:'true\\ncheck a'})",
        "tools.exec_command({cmd:'\\x63heck a'})",
        "tools.exec_command({cmd:'\\u0063heck a'})",
        "tools.exec_command({cmd:'che\\\nck a'})",
        "tools.exec_command({cmd:'che\\ck a'})",
        'tools.exec_command({cmd:"echo \\"x\\"; check a"})',
      ].map((input) => (session: Rollout) => session.script("call_1", input).output("call_1", ["ok"])),
    ];
    for (const call of calls) {
      const path = newPath();
      const content = call(rollout()).toJsonl();
      writeFileSync(path, content);
      assert.deepEqual(stateOf(read(path)), [["a", 3, undefined]], content);
      assert.deepEqual(read(path), foldRollout(content, fold));
    }
  });

  test("does not take what another adapter has folded", () => {
    const path = newPath();
    writeFileSync(path, rollout().ran("check a", "ok").toJsonl());
    assert.deepEqual(read(path, claude).targets, []);
    assert.deepEqual(stateOf(read(path)), [["a", 3, undefined]]);
    assert.deepEqual(read(path, claude).targets, []);
  });
});

describe("what Codex sends a hook", () => {
  const payloads = readFileSync(new URL("../../fixtures/payloads/codex.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const session = "01a22ce2-26be-7d91-aa9d-bd19734fd198";

  test("is read as it was recorded", () => {
    const parsed = payloads.map((value) => parseCodexPayload(value));
    assert.deepEqual(
      parsed.map((each) => each.ok && each.payload.event),
      [undefined, "UserPromptSubmit", undefined, undefined, "Stop", undefined],
    );
    assert.deepEqual(parsed[4], {
      ok: true,
      payload: {
        harness: "codex",
        event: "Stop",
        sessionId: session,
        turnId: "01a22ce2-2716-7020-86cc-261aea3814d7",
        transcriptPath: `/home/user/.codex/sessions/2026/11/30/rollout-2026-11-30T14-35-48-${session}.jsonl`,
        cwd: "/home/user/project",
        reply: "Opened the PR; here is the link. https://example.invalid/pr/1",
        stopHookActive: false,
        subagent: false,
      },
    });
  });

  test("may have no transcript and no reply", () => {
    const parsed = parseCodexPayload({
      hook_event_name: "Stop",
      transcript_path: null,
      last_assistant_message: null,
      stop_hook_active: true,
    });
    assert.deepEqual(parsed, {
      ok: true,
      payload: { harness: "codex", event: "Stop", reply: "", stopHookActive: true, subagent: false },
    });
  });

  test("of a sub-agent says so", () => {
    const parsed = parseCodexPayload({ hook_event_name: "SubagentStop", agent_id: "a" });
    assert.deepEqual(parsed, {
      ok: true,
      payload: { harness: "codex", event: undefined, stopHookActive: false, subagent: true },
    });
  });

  test("may be anything", () => {
    assert.deepEqual(parseCodexPayload([]), { ok: false, reason: "expected a JSON object, got an array" });
    fc.assert(fc.property(fc.anything(), (value) => typeof parseCodexPayload(value).ok === "boolean"));
  });
});
