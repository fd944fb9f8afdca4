import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { Check } from "../../lib/commands/check.ts";
import { findChecks } from "../../lib/commands/find-checks.ts";
import type { Reading } from "../../lib/commands/get-verdicts.ts";
import { getVerdicts } from "../../lib/commands/get-verdicts.ts";
import { findTreeMoves } from "../../lib/commands/tree-moves.ts";
import { MAX_DIGEST_BYTES } from "../../lib/transcript/bounds.ts";
import { parseClaudeLine } from "../../lib/transcript/claude.ts";
import { type Digest, emptyDigest, isDigest } from "../../lib/transcript/digest.ts";
import type { CommandOutput, Entry } from "../../lib/transcript/entry.ts";
import { createFold, foldRow } from "../../lib/transcript/fold.ts";
import { buildTranscript, foldJsonl, getDigest, type Transcript, transcript } from "../helpers/claude-transcript.ts";
import { anyRow, storySteps } from "../helpers/arbitrary-transcript.ts";
import { makeCheck, testDeps } from "../helpers/test-checks.ts";

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/transcripts/claude/${name}`, import.meta.url), "utf8");

/** The entries of one row, without what the table does not look at. */
function parse(row: object): readonly Entry[] | undefined {
  return parseClaudeLine(JSON.stringify(row));
}

const main = { sidechain: false };
const user = (content: unknown, rest: object = {}) => ({ type: "user", message: { role: "user", content }, ...rest });
const assistant = (...content: unknown[]) => ({ type: "assistant", message: { role: "assistant", content } });
const toolResult = (rest: object) => ({ type: "tool_result", tool_use_id: "c1", ...rest });
const result = (output: CommandOutput, rest: object = {}): Entry => ({
  ...main,
  kind: "result",
  callId: "c1",
  output,
  ...rest,
});
const other = (type: string): Entry => ({ ...main, kind: "other", type });
const human = (text: string): Entry => ({ ...main, kind: "human", text });

const notice = (inner: string) => `<task-notification>\n${inner}\n</task-notification>`;
const ended = "<task-id>t1</task-id>\n<tool-use-id>c1</tool-use-id>\n<status>completed</status>\n";
const end = { ...main, kind: "task-end", taskId: "t1", callId: "c1", status: "completed" } as const;

describe("a row of a Claude Code transcript", () => {
  const cases: Readonly<Record<string, { row: object; gives: readonly Entry[] }>> = {
    "a typed prompt is human": { row: user("fix it"), gives: [human("fix it")] },
    "a prompt of blocks is human, its texts joined": {
      row: user([
        { type: "text", text: "fix" },
        { type: "image", source: {} },
        { type: "text", text: "it" },
      ]),
      gives: [human("fix\nit")],
    },
    "a pasted picture alone is a prompt without text": {
      row: user([{ type: "image", source: {} }]),
      gives: [human("")],
    },
    "a prompt without anything is none": { row: user([]), gives: [other("user")] },
    "a row known by its role alone counts": { row: { message: { role: "user", content: "hi" } }, gives: [human("hi")] },
    "a role in a row of another type does not count": {
      row: { type: "progress", message: { role: "user", content: "hi" } },
      gives: [other("progress")],
    },
    "a typed slash command is human": {
      row: user("<command-message>reflect</command-message>\n<command-name>/reflect</command-name>"),
      gives: [{ ...main, kind: "human", text: "/reflect", command: "reflect" }],
    },
    "a typed slash command with words behind it is human": {
      row: user(
        "<command-name>/fix</command-name>\n  <command-message>fix</command-message>\n  <command-args>the tests\nnow</command-args>",
      ),
      gives: [{ ...main, kind: "human", text: "/fix the tests\nnow", command: "fix" }],
    },
    "prose that names a command invokes none": {
      row: user("Is <command-name>/reflect</command-name> the tag?"),
      gives: [human("Is <command-name>/reflect</command-name> the tag?")],
    },
    "a prompt typed while the turn runs is human": {
      row: {
        type: "attachment",
        attachment: { type: "queued_command", commandMode: "prompt", prompt: "wait", origin: { kind: "human" } },
      },
      gives: [{ ...main, kind: "human", text: "wait", queued: true }],
    },
    "a queued prompt of blocks is human": {
      row: {
        type: "attachment",
        attachment: { type: "queued_command", commandMode: "prompt", prompt: [{ type: "text", text: "wait" }] },
      },
      gives: [{ ...main, kind: "human", text: "wait", queued: true }],
    },
    "a queued message of another session is not human": {
      row: {
        type: "attachment",
        attachment: { type: "queued_command", commandMode: "prompt", prompt: "hi", isMeta: true },
      },
      gives: [other("attachment")],
    },
    "a queued prompt in the queue's own row waits for its attachment or user row": {
      row: { type: "queue-operation", operation: "enqueue", content: "please finish the work" },
      gives: [other("queue-operation")],
    },
    "a meta row is not human": {
      row: user("Base directory for this skill: /x", { isMeta: true }),
      gives: [other("user")],
    },
    "output of a local command is not human": {
      row: user("<local-command-stdout>ok</local-command-stdout>"),
      gives: [other("user")],
    },
    "a system reminder is not human": { row: user("<system-reminder>note</system-reminder>"), gives: [other("user")] },
    "feedback of a Stop hook is not human": {
      row: user("Stop hook feedback:\nthe tests fail"),
      gives: [other("user")],
    },
    "an interruption is not human": {
      row: user([{ type: "text", text: "[Request interrupted by user]" }]),
      gives: [other("user")],
    },
    "a message whose origin is no person is not human": {
      row: user("hi", { origin: { kind: "peer" } }),
      gives: [other("user")],
    },
    "a compaction summary is a compaction": {
      row: user("Summary: ...", { isCompactSummary: true }),
      gives: [{ ...main, kind: "compaction" }],
    },
    "a summary without the flag is known by its first words": {
      row: user("This session is being continued from a previous conversation that ran out of context."),
      gives: [{ ...main, kind: "compaction" }],
    },
    "a compaction boundary is a compaction": {
      row: { type: "system", subtype: "compact_boundary" },
      gives: [{ ...main, kind: "compaction" }],
    },

    "texts of the assistant are replies, thinking is not": {
      row: assistant(
        { type: "thinking", thinking: "hm" },
        { type: "text", text: "Done." },
        { type: "text", text: "Really." },
      ),
      gives: [
        { ...main, kind: "reply", text: "Done." },
        { ...main, kind: "reply", text: "Really." },
      ],
    },
    "a bare string of the assistant is a reply": {
      row: { type: "assistant", message: { role: "assistant", content: "Done." } },
      gives: [{ ...main, kind: "reply", text: "Done." }],
    },
    "a blank text is no reply": { row: assistant({ type: "text", text: "\n" }), gives: [other("assistant")] },
    "an API error is no reply": {
      row: { ...assistant({ type: "text", text: "API Error: 529" }), isApiErrorMessage: true },
      gives: [other("assistant")],
    },
    "a placeholder of the client is no reply": {
      row: {
        type: "assistant",
        message: { model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] },
      },
      gives: [other("assistant")],
    },
    "a Bash call is a call, in the folder of its row": {
      row: { ...assistant({ type: "tool_use", id: "c1", name: "Bash", input: { command: "npm test" } }), cwd: "/p" },
      gives: [{ ...main, kind: "call", callId: "c1", command: "npm test", cwd: "/p", background: false }],
    },
    "a background call says so": {
      row: assistant({
        type: "tool_use",
        id: "c1",
        name: "Bash",
        input: { command: "npm test", run_in_background: true },
      }),
      gives: [{ ...main, kind: "call", callId: "c1", command: "npm test", background: true }],
    },
    "text and call of one row are two entries": {
      row: assistant(
        { type: "text", text: "Testing." },
        { type: "tool_use", id: "c1", name: "Bash", input: { command: "npm test" } },
      ),
      gives: [
        { ...main, kind: "reply", text: "Testing." },
        { ...main, kind: "call", callId: "c1", command: "npm test", background: false },
      ],
    },
    "a call of another tool is none, though it has a command": {
      row: assistant({ type: "tool_use", id: "c1", name: "Task", input: { command: "npm test" } }),
      gives: [other("assistant")],
    },
    "a call without a command is none": {
      row: assistant({ type: "tool_use", id: "c1", name: "Bash", input: {} }),
      gives: [other("assistant")],
    },

    "a result may be a string": {
      row: user([toolResult({ content: "ok", is_error: false })]),
      gives: [result({ text: "ok", isError: false })],
    },
    "a result may be a list": {
      row: user([
        toolResult({ content: [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }] }),
      ]),
      gives: [result({ text: "a\nb" })],
    },
    "a result may have no content": {
      row: user([toolResult({ is_error: false })]),
      gives: [result({ text: "", isError: false })],
    },
    "two results of one row stay two": {
      row: user([toolResult({ content: "1 failed" }), { type: "tool_result", tool_use_id: "c2", content: "ok" }]),
      gives: [result({ text: "1 failed" }), { ...main, kind: "result", callId: "c2", output: { text: "ok" } }],
    },
    "text beside a result is not typed": {
      row: user([toolResult({ content: "ok" }), { type: "text", text: "hi" }]),
      gives: [result({ text: "ok" })],
    },
    "a result that names no call is none": {
      row: user([{ type: "tool_result", content: "ok" }]),
      gives: [other("user")],
    },
    "the exit code is the first line of a failing result": {
      row: user([toolResult({ content: "Exit code 1\nFAIL", is_error: true })], {
        toolUseResult: "Error: Exit code 1\nFAIL",
      }),
      gives: [result({ text: "FAIL", isError: true, exitCode: 1 })],
    },
    "an exit code may have three digits and nothing after it": {
      row: user([toolResult({ content: "Exit code 127", is_error: true })]),
      gives: [result({ text: "", isError: true, exitCode: 127 })],
    },
    "an exit code line in a good result is output": {
      row: user([toolResult({ content: "Exit code 3\nok", is_error: false })]),
      gives: [result({ text: "Exit code 3\nok", isError: false })],
    },
    "an exit code line without the failure bit is output": {
      row: user([toolResult({ content: "Exit code 3\nok" })]),
      gives: [result({ text: "Exit code 3\nok" })],
    },
    "an exit code beyond all numbers is none": {
      row: user([toolResult({ content: `Exit code ${"9".repeat(400)}\nx`, is_error: true })]),
      gives: [result({ text: "x", isError: true })],
    },
    "an interrupted command is not run to its end": {
      row: user([toolResult({ content: "3 passed", is_error: false })], {
        toolUseResult: { stdout: "3 passed", interrupted: true },
      }),
      gives: [result({ text: "3 passed", isError: false, interrupted: true })],
    },
    "a command interrupted by a key is not run to its end": {
      row: user([toolResult({ content: "Exit code 137\n[Request interrupted by user for tool use]", is_error: true })]),
      gives: [
        result({ text: "[Request interrupted by user for tool use]", isError: true, exitCode: 137, interrupted: true }),
      ],
    },
    "a command that timed out has run": {
      row: user([toolResult({ content: "Exit code 143\nCommand timed out after 1s", is_error: true })], {
        toolUseResult: "Error: Exit code 143\nCommand timed out after 1s",
      }),
      gives: [result({ text: "Command timed out after 1s", isError: true, exitCode: 143 })],
    },
    "a refusal whose words are not known is known by its missing exit code": {
      row: user([toolResult({ content: "Ask with the search tool instead", is_error: true })], {
        toolUseResult: "Error: Ask with the search tool instead",
      }),
      gives: [result({ text: "Ask with the search tool instead", isError: true, interrupted: true })],
    },
    "a failing result with nothing beside it is left to its text": {
      row: user([toolResult({ content: "1 failed", is_error: true })]),
      gives: [result({ text: "1 failed", isError: true })],
    },
    "words of a refusal in a good result are output": {
      row: user([toolResult({ content: "This command requires approval", is_error: false })]),
      gives: [result({ text: "This command requires approval", isError: false })],
    },

    "a command in the background names its task": {
      row: user(
        [toolResult({ content: "Command running in background with ID: t1. Output is ...", is_error: false })],
        { toolUseResult: { stdout: "", backgroundTaskId: "t1" } },
      ),
      gives: [
        result({ text: "Command running in background with ID: t1. Output is ...", isError: false }, { taskId: "t1" }),
      ],
    },
    "a command that says it runs in the background is not believed against toolUseResult": {
      row: user([toolResult({ content: "Command running in background with ID: t1", is_error: false })], {
        toolUseResult: { stdout: "..." },
      }),
      gives: [result({ text: "Command running in background with ID: t1", isError: false })],
    },
    "the end of a background command is in the queue": {
      row: {
        type: "queue-operation",
        operation: "enqueue",
        content: notice(`${ended}<summary>Background command "x" completed (exit code 0)</summary>`),
      },
      gives: [{ ...end, exitCode: 0 }],
    },
    "and in an attachment": {
      row: {
        type: "attachment",
        attachment: {
          type: "queued_command",
          commandMode: "task-notification",
          prompt: notice(`${ended}<summary>Background command "x" failed with exit code 101</summary>`),
        },
      },
      gives: [{ ...end, exitCode: 101 }],
    },
    "and in a prompt of its own": {
      row: user(notice(`${ended}<summary>Background command "x" completed (exit code 0)</summary>`), {
        origin: { kind: "task-notification" },
      }),
      gives: [{ ...end, exitCode: 0 }],
    },
    "a notice in a user row is known without its origin": { row: user(notice(ended)), gives: [end] },
    "an exit code in the description is not the command's": {
      row: user(notice(`${ended}<summary>Background command "completed (exit code 0)" was stopped</summary>`)),
      gives: [end],
    },
    "a killed command was stopped": {
      row: user(notice("<task-id>t1</task-id><status>killed</status>")),
      gives: [{ ...main, kind: "task-end", taskId: "t1", status: "stopped" }],
    },
    "two notices in one text are two ends": {
      row: user(
        notice("<task-id>t1</task-id><status>completed</status>") +
          notice("<task-id>t2</task-id><status>failed</status>"),
      ),
      gives: [
        { ...main, kind: "task-end", taskId: "t1", status: "completed" },
        { ...main, kind: "task-end", taskId: "t2", status: "failed" },
      ],
    },
    "a notice that ends nothing is none": {
      row: user(notice("<task-id>t1</task-id><event>line</event>")),
      gives: [other("user")],
    },

    "output of a hook is not looked into": {
      row: { type: "attachment", attachment: { type: "hook_success", stdout: "1 failed", hookEvent: "Stop" } },
      gives: [other("attachment")],
    },
    "a summary of hooks is not looked into": {
      row: { type: "system", subtype: "stop_hook_summary", hookErrors: ["1 failed"] },
      gives: [other("system")],
    },
    "a row of an unknown type is kept": { row: { type: "atis-latch", x: 1 }, gives: [other("atis-latch")] },
    "a row of no type is kept": { row: {}, gives: [other("")] },
    "a row of a side chain says so": {
      row: user("hi", { isSidechain: true }),
      gives: [{ sidechain: true, kind: "human", text: "hi" }],
    },
    "so does a row of an agent": {
      row: user("hi", { agentId: "a1" }),
      gives: [{ sidechain: true, kind: "human", text: "hi" }],
    },
    "and the other spelling": {
      row: user("hi", { is_sidechain: true }),
      gives: [{ sidechain: true, kind: "human", text: "hi" }],
    },
    "id and time of a row are kept": {
      row: user("hi", { uuid: "u1", timestamp: "2026-01-01T00:00:00.000Z" }),
      gives: [{ rowId: "u1", at: "2026-01-01T00:00:00.000Z", sidechain: false, kind: "human", text: "hi" }],
    },
  };
  for (const [name, { row, gives }] of Object.entries(cases)) test(name, () => assert.deepEqual(parse(row), gives));

  const notRun = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "<tool_use_error>Sibling tool call errored</tool_use_error>",
    "<tool_use_error>Cancelled: parallel tool call Bash(mise run lint) errored</tool_use_error>",
    "[Request interrupted by user for tool use]",
    "This command requires approval",
    "This Bash command contains multiple operations. The following part requires approval: npm test",
    "Permission to use Bash has been denied.",
    "Permission to use Bash with command rm -rf / has been denied.",
    "claude-opus-4-5 is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.",
    "This session is isolated in the worktree /w, but this command runs env with -q.",
  ];
  for (const content of notRun) {
    test(`is no run when its result begins: ${content.slice(0, 45)}`, () => {
      assert.deepEqual(parse(user([toolResult({ content, is_error: true })])), [
        result({ text: content, isError: true, interrupted: true }),
      ]);
    });
  }

  const moved = [
    "Command running in background with ID: bq7zk02dm. Output is being written to: /tmp/bq7zk02dm.output.",
    "Command running in background with ID: bq7zk02dm",
    "Command was manually backgrounded by user with ID: bq7zk02dm. Output is being written to: /tmp/x",
    "Command did not complete within its 120s timeout and was moved to the background (ID: bq7zk02dm). Output is",
    "Command moved to the background with ID: bq7zk02dm.",
  ];
  for (const content of moved) {
    test(`names its task by text alone: ${content.slice(0, 60)}`, () => {
      assert.deepEqual(parse(user([toolResult({ content })])), [result({ text: content }, { taskId: "bq7zk02dm" })]);
    });
  }

  test("that is no JSON object is broken", () => {
    for (const line of ['{"type":', "null", "[]", '"x"', "12", "{}{}", "\u0000\u0001"])
      assert.equal(parseClaudeLine(line), undefined, line);
  });

  test("may be empty, may end in a carriage return, may begin with a byte order mark", () => {
    for (const line of ["", "\r", " ", "\uFEFF"]) assert.deepEqual(parseClaudeLine(line), [], JSON.stringify(line));
    assert.deepEqual(parseClaudeLine('\uFEFF{"type":"user","message":{"content":"hi"}}\r'), [human("hi")]);
  });

  test("never throws, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (line) => void parseClaudeLine(line)));
    fc.assert(fc.property(anyRow, (row) => (parseClaudeLine(JSON.stringify(row)) ?? []).length > 0));
  });

  test("of more than 64 KiB is broken when it is nested too deep", () => {
    const nested = (depth: number, text: string) =>
      `{"type":"other","text":${JSON.stringify(text)},"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    const large = `${'"[{\\'.repeat(40_000)}\\`;
    assert.deepEqual(parseClaudeLine(nested(1000, large)), [other("other")]);
    assert.equal(parseClaudeLine(nested(1001, large)), undefined);
    assert.deepEqual(parseClaudeLine(nested(1001, "")), [other("other")]);
    const wide = JSON.stringify({ type: "other", list: Array.from({ length: 5000 }, () => ({ a: [["["]] })) });
    assert.deepEqual(parseClaudeLine(wide), [other("other")]);
    assert.equal(parseClaudeLine(`{"type":"other","a":"${"x".repeat(70_000)}`), undefined);
  });
});

describe("a recorded session", () => {
  const rows = (name: string) =>
    fixture(name)
      .trimEnd()
      .split("\n")
      .map((line) => parseClaudeLine(line) ?? []);

  test("gives every call, result, text and end of a task", () => {
    const entries = rows("session.jsonl").flat();
    const told = entries.flatMap((entry) => {
      if (entry.kind === "human") return [entry.text];
      if (entry.kind === "call") return [entry.callId.replace("toolu_lab00", "call ")];
      if (entry.kind === "result" && entry.taskId !== undefined) return [`${entry.taskId} starts`];
      if (entry.kind === "result" && entry.output.exitCode !== undefined) return [`exit ${entry.output.exitCode}`];
      return entry.kind === "task-end" ? [`${entry.taskId} ${entry.status} ${entry.exitCode}`] : [];
    });
    // Read line by line from the file; calls 4 and 9 to 13 are of other tools or of the sub-agent.
    assert.deepEqual(told, [
      "please finish the work",
      "call 01",
      "call 02",
      "exit 1",
      "call 03",
      "call 05",
      "exit 1",
      "call 06",
      "bh8uk81p9 starts",
      "call 07",
      "bai54ie23 starts",
      "call 08",
      "bh8uk81p9 failed 3",
      "bai54ie23 completed 0",
      "bh8uk81p9 failed 3",
      "bai54ie23 completed 0",
      "call 14",
      "exit 1",
      "call 15",
      "exit 143",
      "call 16",
      "call 17",
      "exit 127",
      "call 18",
      "b7485uean starts",
      "b7485uean completed 0",
      "b7485uean completed 0",
    ]);
  });

  test("of a sub-agent is a side chain in every row", () => {
    const entries = rows("subagent.jsonl").flat();
    assert.equal(entries.length, 8);
    assert.ok(entries.every(({ sidechain }) => sidechain));
    assert.deepEqual(foldJsonl(fixture("subagent.jsonl"), createFold(testDeps)), { ...emptyDigest, rows: 8 });
  });
});

describe("the fold", () => {
  const fold = createFold(testDeps);
  const digestOf = (session: Transcript): Digest => foldJsonl(session.toJsonl(), fold);
  /** Each target's label with the lines of its latest pass and fail. */
  const targets = ({ targets }: Digest) =>
    targets.map(({ target, pass, fail }) => [target.label, pass?.row, fail?.row]);

  test("books a pass and a later fail of one target with where they stand", () => {
    const digest = digestOf(
      transcript().user("go").ran("check a", "2 passed").user("again").ran("check a", "1 failed", { exitCode: 1 }),
    );
    assert.deepEqual(digest.targets, [
      {
        target: makeCheck("a").target,
        pass: {
          row: 3,
          turn: 1,
          at: "2026-01-01T00:00:02.000Z",
          callId: "toolu_0001",
          command: "check a",
          evidence: "2 passed",
        },
        fail: {
          row: 6,
          turn: 2,
          at: "2026-01-01T00:00:05.000Z",
          callId: "toolu_0002",
          command: "check a",
          evidence: "1 failed",
        },
      },
    ]);
    assert.deepEqual(digest.settled, ["toolu_0001", "toolu_0002"]);
    assert.deepEqual(digest.pending, []);
  });

  test("keeps the latest pass and the latest fail, targets ordered by their latest run", () => {
    const session = transcript()
      .ran("check a", "ok")
      .ran("check b", "ok")
      .ran("check a", "1 failed", { exitCode: 1 })
      .ran("check a", "ok");
    assert.deepEqual(targets(digestOf(session)), [
      ["b", 4, undefined],
      ["a", 8, 6],
    ]);
  });

  test("pairs results with calls by id, in any order and however many stand in a row", () => {
    const call = (id: string, command: string) => assistant({ type: "tool_use", id, name: "Bash", input: { command } });
    const session = transcript()
      .raw(call("c1", "check a"))
      .raw(call("c2", "ls"))
      .raw(call("c3", "check b"))
      .raw(user([{ type: "tool_result", tool_use_id: "c2", content: "1 failed" }]))
      .raw(
        user([
          { type: "tool_result", tool_use_id: "c3", content: "1 failed", is_error: true },
          { type: "tool_result", tool_use_id: "c1", content: "ok", is_error: false },
        ]),
      );
    assert.deepEqual(targets(digestOf(session)), [
      ["b", undefined, 5],
      ["a", 5, undefined],
    ]);
  });

  test("keeps a parallel call that checks nothing out of the way", () => {
    const session = transcript().parallel([
      { ran: "ls", output: "1 failed" },
      { ran: "check a", output: "ok" },
    ]);
    assert.deepEqual(targets(digestOf(session)), [["a", 4, undefined]]);
  });

  test("reads the result of a silent verifier, though it has no content", () => {
    const session = transcript()
      .raw(assistant({ type: "tool_use", id: "c1", name: "Bash", input: { command: "check a" } }))
      .raw(user([toolResult({ is_error: false })]));
    assert.deepEqual(targets(digestOf(session)), [["a", 2, undefined]]);
  });

  test("leaves results of other tools alone while a check's own has not arrived", () => {
    const session = transcript().ran("check a", "", { noResult: true }).tool("Read", "1 failed");
    const digest = digestOf(session);
    assert.deepEqual(targets(digest), []);
    assert.deepEqual(digest.pending, [{ callId: "toolu_0001", command: "check a", checks: [makeCheck("a")] }]);
  });

  test("books nothing for a verdict it cannot read, and settles the call", () => {
    const digest = digestOf(transcript().ran("check a", "???"));
    assert.deepEqual([digest.targets, digest.pending, digest.settled], [[], [], ["toolu_0001"]]);
  });

  test("takes the last run that shows anything when one line runs a check several times", () => {
    const twice = createFold({
      ...testDeps,
      findChecks: () => [makeCheck("a"), makeCheck("a"), makeCheck("a")],
      getVerdicts: (): Reading[] => [
        { verdict: "fail", evidence: "1" },
        { verdict: "pass", evidence: "2" },
        { verdict: "unknown", evidence: "3" },
      ],
    });
    const digest = foldJsonl(transcript().ran("check a; check a; check a", "").toJsonl(), twice);
    assert.deepEqual(targets(digest), [["a", 2, undefined]]);
    assert.equal(digest.targets[0]?.pass?.evidence, "2");
  });

  test("hands the command and its folder to the verifier library", () => {
    const seen: unknown[] = [];
    const spy = createFold({ ...testDeps, findChecks: (...call) => (seen.push(call), []) });
    foldJsonl(transcript().ran("make check", "", { cwd: "/w" }).toJsonl(), spy);
    assert.deepEqual(seen, [["make check", "/w"]]);
  });

  test("waits for the end of a background command, and takes its exit code", () => {
    const started = transcript().background("check a");
    const digest = digestOf(started);
    assert.deepEqual(digest.pending, [
      { callId: "toolu_0001", command: "check a", checks: [makeCheck("a")], taskId: "task_0001", began: 2 },
    ]);
    assert.deepEqual(targets(digest), []);
    assert.deepEqual(targets(digestOf(started.taskEnds("check a", 3))), [["a", undefined, 3]]);
    assert.deepEqual(targets(digestOf(transcript().background("check a").taskEnds("check a", 0, ["prompt"]))), [
      ["a", 3, undefined],
    ]);
  });

  test("counts an end that is told three times once, and not as a prompt", () => {
    const digest = digestOf(
      transcript().user("go").background("check a").taskEnds("check a", 1, ["queue", "attachment", "prompt"]),
    );
    assert.deepEqual(targets(digest), [["a", undefined, 4]]);
    assert.deepEqual([digest.turns, digest.lastHuman, digest.pending], [1, "go", []]);
  });

  test("takes a stopped background command for no run", () => {
    const killed = `<task-notification><task-id>task_0001</task-id><status>killed</status><summary>x was stopped</summary></task-notification>`;
    const digest = digestOf(transcript().background("check a").user(killed));
    assert.deepEqual([digest.targets, digest.pending], [[], []]);
  });

  test("takes a stopped background command for no run, though it left an exit code", () => {
    const summary = `<summary>Background command "x" failed with exit code 143</summary>`;
    const killed = notice(`<task-id>task_0001</task-id><status>killed</status>${summary}`);
    assert.deepEqual(targets(digestOf(transcript().background("check a").user(killed))), []);
  });

  test("knows an end by its call when the task was never named", () => {
    const session = transcript()
      .ran("check a", "", { noResult: true })
      .user(
        notice(
          "<task-id>t9</task-id><tool-use-id>toolu_0001</tool-use-id><status>completed</status><summary>x completed (exit code 0)</summary>",
        ),
      );
    assert.deepEqual(targets(digestOf(session)), [["a", 2, undefined]]);
  });

  test("ignores ends of tasks that are no checks", () => {
    const digest = digestOf(transcript().user(notice("<task-id>agent1</task-id><status>completed</status>")));
    assert.deepEqual(digest, { ...emptyDigest, rows: 1 });
  });

  test("takes a resumed copy of call and result for the same run", () => {
    const session = transcript().ran("check a", "1 failed", { exitCode: 1 }).ran("check a", "ok");
    const copied = session.toJsonl() + session.toJsonl();
    assert.deepEqual(targets(foldJsonl(copied, fold)), [["a", 4, 2]]);
    assert.deepEqual(foldJsonl(copied, fold).settled, ["toolu_0001", "toolu_0002"]);
  });

  test("knows an old copy by its time when its id is long forgotten", () => {
    const old = transcript().ran("check a", "1 failed", { exitCode: 1 }).toJsonl();
    const session = transcript().ran("check b", "ok");
    for (let i = 0; i < 300; i++) session.ran("check a", "ok");
    const digest = foldJsonl(session.toJsonl() + old.replaceAll("toolu_0001", "toolu_9999"), fold);
    assert.deepEqual(targets(digest), [
      ["b", 2, undefined],
      ["a", 602, undefined],
    ]);
  });

  test("does not take a result that is a few milliseconds out of order for an old copy", () => {
    const at = (time: string) => ({ timestamp: `2026-01-01T00:00:${time}Z` });
    const both = transcript()
      .parallel([
        { ran: "check a", noResult: true },
        { ran: "check a", noResult: true },
      ])
      .raw(user([{ type: "tool_result", tool_use_id: "toolu_0001", content: "ok" }], at("07.020")))
      .raw(user([{ type: "tool_result", tool_use_id: "toolu_0002", content: "1 failed" }], at("07.010")));
    assert.deepEqual(targets(digestOf(both)), [["a", 3, 4]]);
  });

  test("keeps no time that is too long for one", () => {
    const result = user([{ type: "tool_result", tool_use_id: "toolu_0001", content: "ok" }], {
      timestamp: "2".repeat(41),
    });
    const digest = digestOf(transcript().ran("check a", "", { noResult: true }).raw(result));
    assert.equal(digest.targets.length, 1);
    assert.equal(digest.targets[0]?.pass?.at, undefined);
  });

  test("follows no call or task whose id is not plain", () => {
    const call = (id: string) => assistant({ type: "tool_use", id, name: "Bash", input: { command: "check a" } });
    for (const id of ['a"b', "a\\b", "é", "x".repeat(101)])
      assert.deepEqual(digestOf(transcript().raw(call(id))).pending, []);
    const { pending } = digestOf(
      transcript()
        .raw(call("c1"))
        .raw(user([toolResult({ content: "" })], { toolUseResult: { backgroundTaskId: "x".repeat(101) } })),
    );
    assert.deepEqual(pending, [{ callId: "c1", command: "check a", checks: [makeCheck("a")] }]);
  });

  test("follows no check whose description is longer than a command line ever is", () => {
    const pending = (length: number) =>
      digestOf(transcript().ran(`check ${"x".repeat(length)}`, "", { noResult: true })).pending.length;
    assert.deepEqual([pending(1000), pending(4000)], [1, 0]);
  });

  test("takes a call row that stands twice for one call", () => {
    const row = assistant({ type: "tool_use", id: "c1", name: "Bash", input: { command: "check a" } });
    assert.equal(digestOf(transcript().raw(row).raw(row)).pending.length, 1);
  });

  test("takes a row that stands twice for one move of the tree", () => {
    const row = assistant({ type: "tool_use", id: "c1", name: "Bash", input: { command: "git stash" } });
    const moving = createFold({ ...testDeps, findTreeMoves });
    assert.equal(foldJsonl(transcript().raw(row).raw(row).toJsonl(), moving).tree?.stashed, 1);
  });

  test("changes nothing for rows of sub-agents but counts them", () => {
    const session = transcript().user("go").ran("check a", "ok");
    const copy = session
      .toJsonl()
      .replaceAll('"isSidechain":false', '"isSidechain":true')
      .replaceAll("toolu_0001", "toolu_sub");
    const digest = digestOf(session);
    assert.deepEqual(foldJsonl(session.toJsonl() + copy, fold), { ...digest, rows: 6 });
  });

  test("forgets nothing at a compaction", () => {
    const session = transcript().user("go").ran("check a", "ok");
    const before = digestOf(session);
    assert.deepEqual(digestOf(session.compaction()), { ...before, rows: before.rows + 2 });
  });

  test("keeps the last prompt and the last two texts, the last 4,000 characters of each", () => {
    const long = `${"a".repeat(3)}${"b".repeat(4000)}`;
    const digest = digestOf(transcript().user(long).says("one").says("two").says(long));
    assert.equal(digest.lastHuman, "b".repeat(4000));
    assert.deepEqual(digest.replies, ["two", "b".repeat(4000)]);
  });

  describe("knows the commands that were invoked in the current turn", () => {
    const minute = (minutes: number, seconds = 0): string =>
      new Date(Date.UTC(2026, 0, 1, 0, minutes, seconds)).toISOString();
    const typed = (content: string, timestamp: string, more: object = {}): object => ({
      type: "user",
      message: { role: "user", content },
      timestamp,
      ...more,
    });
    const invokes = (name: string, timestamp: string, more: object = {}): object =>
      typed(`<command-message>${name}</command-message>\n<command-name>/${name}</command-name>`, timestamp, more);
    const queued = (prompt: string): object => ({
      type: "attachment",
      attachment: { type: "queued_command", commandMode: "prompt", prompt },
      timestamp: minute(1),
    });
    const says = (text: string, timestamp: string): object => ({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text }] },
      timestamp,
    });
    const cases: Record<string, { rows: readonly object[]; invoked: readonly string[] | undefined }> = {
      "one, whatever the assistant says meanwhile": {
        rows: [invokes("reflect", minute(0)), says("Looking.", minute(1)), says("I was wrong.", minute(2))],
        invoked: ["reflect"],
      },
      "none in the turn after it": {
        rows: [invokes("reflect", minute(0)), says("Done.", minute(1)), typed("go on", minute(2))],
        invoked: undefined,
      },
      "not the earlier one where another is invoked a turn later": {
        rows: [invokes("reflect", minute(0)), says("Done.", minute(1)), invokes("fix", minute(2))],
        invoked: ["fix"],
      },
      "both that were typed in one line": {
        rows: [invokes("reflect", minute(0)), invokes("fix", minute(0)), says("Done.", minute(1))],
        invoked: ["reflect", "fix"],
      },
      "one, where the person adds something while the turn runs": {
        rows: [invokes("reflect", minute(0)), queued("and be quick"), says("Done.", minute(1))],
        invoked: ["reflect"],
      },
      "none that a sub-agent was given": {
        rows: [typed("go", minute(0)), invokes("reflect", minute(0), { isSidechain: true })],
        invoked: undefined,
      },
      "none that a result quotes": {
        rows: [
          typed("go", minute(0)),
          {
            type: "user",
            message: {
              role: "user",
              content: [
                { type: "tool_result", tool_use_id: "toolu_1", content: "<command-name>/reflect</command-name>" },
              ],
            },
          },
        ],
        invoked: undefined,
      },
      "none that the body of a skill names": {
        rows: [typed("go", minute(0)), typed("Base directory: x. Use /reflect.", minute(0), { isMeta: true })],
        invoked: undefined,
      },
      "none that prose names": { rows: [typed("run /reflect when you are done", minute(0))], invoked: undefined },
    };
    for (const [name, { rows, invoked }] of Object.entries(cases)) {
      test(name, () => {
        const jsonl = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
        assert.deepEqual(foldJsonl(jsonl, fold).invoked, invoked);
      });
    }

    test("the last eight of them", () => {
      const rows = Array.from({ length: 20 }, (_, index) => invokes(`c${index}`, minute(0)));
      const { invoked } = foldJsonl(rows.map((row) => `${JSON.stringify(row)}\n`).join(""), fold);
      assert.deepEqual(invoked, ["c12", "c13", "c14", "c15", "c16", "c17", "c18", "c19"]);
    });
  });

  test("cuts no character in half", () => {
    const digest = digestOf(
      transcript()
        .user(`😀${"b".repeat(3999)}`)
        .ran(`check ${"x".repeat(193)}😀`, "ok"),
    );
    assert.equal(digest.lastHuman, "b".repeat(3999));
    assert.equal(digest.targets[0]?.pass?.command, `check ${"x".repeat(193)}`);
  });

  test("counts lines, and broken ones apart", () => {
    const digest = foldJsonl(`${transcript().user("go").toJsonl()}{"type":\n\n`, fold);
    assert.deepEqual([digest.rows, digest.broken, digest.turns], [3, 1, 1]);
  });

  test("asks for no checks of a command above 16 KiB", () => {
    const lengths: number[] = [];
    const spy = createFold({ ...testDeps, findChecks: (command) => (lengths.push(command.length), []) });
    foldJsonl(
      transcript()
        .ran("x".repeat(16 * 1024), "")
        .ran("x".repeat(16 * 1024 + 1), "")
        .toJsonl(),
      spy,
    );
    assert.deepEqual(lengths, [16 * 1024]);
  });

  test("follows no line with more than 16 checks", () => {
    const many = createFold({
      ...testDeps,
      findChecks: (command) => Array.from({ length: Number(command) }, (_, i) => makeCheck(`t${i}`)),
    });
    const pending = (command: string) =>
      foldJsonl(transcript().ran(command, "", { noResult: true }).toJsonl(), many).pending.length;
    assert.deepEqual([pending("16"), pending("17")], [1, 0]);
  });

  test("drops the oldest pending calls above 64, or above 256 checks", () => {
    const start = (deps: Partial<typeof testDeps>, calls: number) => {
      const session = transcript();
      for (let i = 0; i < calls; i++) session.ran(`check t${i}`, "", { noResult: true });
      return foldJsonl(session.toJsonl(), createFold({ ...testDeps, ...deps })).pending;
    };
    const single = start({}, 70);
    assert.deepEqual([single.length, single[0]?.command], [64, "check t6"]);
    const findChecks = (): Check[] => Array.from({ length: 10 }, (_, i) => makeCheck(`t${i}`));
    const tenfold = start({ findChecks }, 40);
    assert.deepEqual([tenfold.length, tenfold[0]?.command], [25, "check t15"]);
  });

  test("drops the target that ran least recently above 200", () => {
    const session = transcript().ran("check t0", "ok").ran("check t1", "ok").ran("check t0", "ok");
    for (let i = 2; i <= 200; i++) session.ran(`check t${i}`, "ok");
    const { targets } = digestOf(session);
    assert.deepEqual([targets.length, targets[0]?.target.label], [200, "t0"]);
  });

  test("stays under its bound in bytes, however hostile the session", () => {
    const wide = "\u0001".repeat(300); // a control character takes six bytes of JSON
    let passes = false;
    const hostile = createFold({
      findTreeMoves: (command) => [{ kind: "switch", to: `${command}${wide}`, after: 3 }],
      findChecks: (command) =>
        Array.from({ length: 16 }, (_, i) => makeWideCheck(`${(parseInt(command, 10) >> 1) % 14}.${i}`)),
      getVerdicts(checks) {
        passes = !passes;
        return checks.map(() => ({ verdict: passes ? "pass" : "fail", evidence: wide }));
      },
    });
    let digest = emptyDigest;
    for (let i = 0; i < 600; i++) {
      const callId = `${i}`.padStart(100, "x");
      const call: Entry = { ...main, kind: "call", callId, command: `${i}${wide}`, background: true };
      const rest: Entry[] =
        i % 2 === 0
          ? [result({ text: wide.repeat(99) }, { callId, taskId: callId, piece: true })]
          : [result({ text: wide }, { callId, at: "9".repeat(40) })];
      digest = foldRow(hostile, digest, [
        call,
        ...rest,
        human(wide.repeat(99)),
        { ...main, kind: "reply", text: wide.repeat(99) },
        { ...main, kind: "folder", cwd: wide.repeat(9) },
      ]);
    }
    const bytes = Buffer.byteLength(JSON.stringify(digest));
    assert.equal(digest.targets.length, 200);
    assert.equal(digest.settled.length, 256);
    assert.ok(bytes > MAX_DIGEST_BYTES / 2, `the session should press against the bound, got ${bytes}`);
    assert.ok(bytes <= MAX_DIGEST_BYTES, `expected at most ${MAX_DIGEST_BYTES} bytes, got ${bytes}`);
  });

  test("never changes a digest it is given", () => {
    fc.assert(
      fc.property(storySteps, (steps) => {
        let digest = emptyDigest;
        for (const entries of buildTranscript(steps).rows()) digest = freeze(foldRow(fold, freeze(digest), entries));
      }),
    );
  });

  test("gives a digest that JSON does not change", () => {
    fc.assert(
      fc.property(storySteps, (steps) => {
        const digest = foldJsonl(buildTranscript(steps).toJsonl(), fold);
        const copy: unknown = JSON.parse(JSON.stringify(digest));
        assert.deepEqual(copy, digest);
        assert.ok(isDigest(copy));
      }),
    );
  });

  test("takes any entries of any rows", () => {
    fc.assert(
      fc.property(fc.array(anyRow), (rows) => {
        const digest = foldJsonl(rows.map((row) => JSON.stringify(row)).join("\n"), fold);
        assert.ok(isDigest(JSON.parse(JSON.stringify(digest))));
      }),
    );
  });

  test("works with the real verifier library", () => {
    const digest = getDigest([
      { user: "fix it" },
      { ran: "pytest tests/a.py", output: "==== 2 passed in 0.41s ====" },
      { says: "Green." },
      {
        ran: "pytest tests/a.py",
        output: "FAILED tests/a.py::test_b\n==== 1 failed, 1 passed in 0.43s ====",
        exitCode: 1,
      },
    ]);
    assert.equal(digest.targets.length, 1);
    assert.deepEqual([digest.targets[0]?.pass?.row, digest.targets[0]?.fail?.row], [3, 6]);
    assert.deepEqual(
      digest,
      foldJsonl(
        buildTranscript([
          { user: "fix it" },
          { ran: "pytest tests/a.py", output: "==== 2 passed in 0.41s ====" },
          { says: "Green." },
          {
            ran: "pytest tests/a.py",
            output: "FAILED tests/a.py::test_b\n==== 1 failed, 1 passed in 0.43s ====",
            exitCode: 1,
          },
        ]).toJsonl(),
        createFold({ findChecks, getVerdicts, findTreeMoves }),
      ),
    );
  });
});

describe("the check of a stored digest", () => {
  const good = digestOfOneRun();
  test("accepts digests", () => {
    for (const digest of [emptyDigest, good]) assert.ok(isDigest(JSON.parse(JSON.stringify(digest))));
  });

  test("refuses what reading could trip over", () => {
    const bad: unknown[] = [
      undefined,
      null,
      1,
      [],
      {},
      { ...good, rows: "1" },
      { ...good, rows: -1 },
      { ...good, pending: {} },
    ];
    bad.push(
      { ...good, targets: [{}] },
      { ...good, targets: [{ target: { key: "k", label: "l" } }] },
      { ...good, settled: [1] },
    );
    bad.push(
      { ...good, pending: [{ callId: "c", command: "x" }] },
      { ...good, replies: [null] },
      { ...good, lastHuman: 1 },
      { ...good, invoked: "reflect" },
      { ...good, promptedAt: 1 },
    );
    bad.push({ ...good, targets: [{ ...good.targets[0], pass: {} }] });
    for (const value of bad) assert.equal(isDigest(value), false, JSON.stringify(value));
  });

  function digestOfOneRun(): Digest {
    return foldJsonl(
      transcript().ran("check a", "ok").ran("check b", "", { noResult: true }).toJsonl(),
      createFold(testDeps),
    );
  }
});

/** A check as long as the fold follows, in characters of three bytes. */
function makeWideCheck(name: string): Check {
  const check = makeCheck(name);
  return { ...check, target: { ...check.target, label: "\u4e2d".repeat(3750) } };
}

/** Freezes a value and all it holds. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
