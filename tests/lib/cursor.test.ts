import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { anything, assert as assertProperty, property, string } from "fast-check";
import { parsePayload } from "../../lib/harness/parse-payload.ts";
import type { Payload } from "../../lib/harness/payload.ts";
import { joinReply } from "../../lib/io/edge/join-reply.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { readDigest } from "../../lib/io/transcript/read-transcript.ts";
import { cursor, parseCursorLine } from "../../lib/transcript/cursor.ts";
import { parseRow } from "../../lib/transcript/row.ts";
import { createFold, foldRow } from "../../lib/transcript/fold.ts";
import { type Digest, emptyDigest } from "../../lib/transcript/digest.ts";

const fixture = (path: string): string => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), "utf8");
const [promptSent, replySent, stopSent] = fixture("payloads/cursor.jsonl")
  .trimEnd()
  .split("\n")
  .map((line) => parseRow(line));

const conversation = "0c0ffee0-1111-4222-8333-444444444444";
const transcriptPath = `/home/user/.cursor/projects/home-user-project/agent-transcripts/${conversation}/${conversation}.jsonl`;

function parse(value: unknown, eventName?: string): Payload {
  const parsed = parsePayload("cursor", value, eventName);
  assert.ok(parsed.ok);
  return parsed.payload;
}

describe("a payload of Cursor's", () => {
  const common = {
    harness: "cursor",
    sessionId: conversation,
    turnId: "9e000001-1111-4222-8333-444444444444",
    cwd: "/home/user/project",
    stopHookActive: false,
    subagent: false,
  };

  test("is read as documented; a path that is null and an empty folder are absent", () => {
    const prompt = "Add a --quiet option to the exporter.";
    assert.deepEqual(parse(promptSent), { ...common, event: "UserPromptSubmit", prompt });
    assert.deepEqual(parse(stopSent), { ...common, event: "Stop", transcriptPath });
    const reply = "The exporter has a --quiet option now.";
    assert.deepEqual(parse(replySent), { ...common, event: "Reply", transcriptPath, reply });
    assert.equal(parse({ ...stopSent, cwd: "" }).cwd, "/home/user/project");
    assert.equal(parse({ ...stopSent, cwd: "/home/user/other" }).cwd, "/home/user/other");
    assert.equal(parse({ ...stopSent, workspace_roots: [] }).cwd, undefined);
  });

  test("is known by its version or its conversation where a hook of Claude Code's is sent it", () => {
    assert.deepEqual(parsePayload("claude", stopSent), { ok: true, payload: parse(stopSent) });
    assert.deepEqual(parsePayload("claude", { cursor_version: "3.8.24" }, "Stop"), {
      ok: true,
      payload: { harness: "cursor", event: "Stop", stopHookActive: false, subagent: false },
    });
    const claudes = parsePayload("claude", { session_id: "s", hook_event_name: "Stop" });
    assert.equal(claudes.ok && claudes.payload.harness, "claude");
  });

  test("takes the event from the argument where it names none, and knows Claude Code's names", () => {
    assert.equal(parse({}, "stop").event, "Stop");
    assert.equal(parse({}, "afterAgentResponse").event, "Reply");
    assert.equal(parse({ hook_event_name: "UserPromptSubmit" }).event, "UserPromptSubmit");
    assert.equal(parse({ hook_event_name: "sessionStart" }, "stop").event, undefined);
  });

  test("a turn that the person stopped or that failed is no event", () => {
    assert.equal(parse({ ...stopSent, status: "aborted" }).event, undefined);
    assert.equal(parse({ ...stopSent, status: "error" }).event, undefined);
  });

  test("a message that a hook of others has sent ends in a turn like any other", () => {
    assert.equal(parse({ ...stopSent, loop_count: 3 }).stopHookActive, false);
  });

  test("of a sub-agent is told by where its transcript lies", () => {
    const path = `/home/user/.cursor/projects/p/agent-transcripts/${conversation}/subagents/child.jsonl`;
    assert.equal(parse({ ...stopSent, transcript_path: path }).subagent, true);
    assert.equal(parse({ ...stopSent, transcript_path: path.replaceAll("/", "\\") }).subagent, true);
  });

  test("any value is a payload or a reason", () => {
    assertProperty(
      property(anything(), (value) => {
        const parsed = parsePayload("cursor", value);
        assert.equal(typeof (parsed.ok ? parsed.payload.harness : parsed.reason), "string");
      }),
    );
  });
});

describe("a transcript of Cursor's", () => {
  const fold = createFold({ findChecks: () => [], getVerdicts: () => [], findTreeMoves: () => [] });

  function foldAll(text: string): Digest {
    const lines = text.split("\n").slice(0, -1);
    return lines.reduce((digest, line) => foldRow(fold, digest, parseCursorLine(line)), emptyDigest);
  }

  test("holds what the person typed and what the agent wrote, without the marks around them", () => {
    const { rows, broken, turns, lastHuman, replies, pending, targets } = foldAll(
      fixture("transcripts/cursor/session.jsonl"),
    );
    assert.deepEqual(
      { rows, broken, turns, lastHuman },
      { rows: 10, broken: 0, turns: 2, lastHuman: "Does it still write the log?" },
    );
    assert.deepEqual(replies, ["The exporter has a --quiet option now.", "Yes, the log is written as before."]);
    assert.deepEqual([pending, targets], [[], []], "calls have no ids and results are not kept: nothing is waited for");
  });

  test("is read from disk as it is folded in one pass", (t) => {
    const folder = makeFolder(t);
    const path = join(folder, "session.jsonl");
    writeFileSync(path, fixture("transcripts/cursor/session.jsonl"));
    const reading = readDigest({ path, adapter: cursor, fold, cacheDir: join(folder, "cache"), bundleHash: "test" });
    assert.ok(reading.ok && reading.complete);
    assert.deepEqual(reading.digest, foldAll(fixture("transcripts/cursor/session.jsonl")));
  });

  test("a prompt without marks is typed, and what the client adds alone is not", () => {
    const kindOf = (content: unknown) =>
      parseCursorLine(JSON.stringify({ role: "user", message: { content } }))?.[0]?.kind;
    assert.equal(kindOf("go on"), "human");
    assert.equal(kindOf([{ type: "text", text: "go on" }]), "human");
    assert.equal(kindOf("<user_query>\n\n</user_query>"), "other");
    assert.equal(kindOf("<attached_files>\nx\n</attached_files>"), "other");
    assert.equal(kindOf([{ type: "tool_result", content: "x" }]), "other");
  });

  test("thoughts alone are no reply", () => {
    const row = { role: "assistant", message: { content: [{ type: "text", text: "[REDACTED]" }] } };
    assert.deepEqual(parseCursorLine(JSON.stringify(row)), [{ kind: "other", type: "assistant", sidechain: false }]);
  });

  test("any line is entries or broken", () => {
    assert.deepEqual(parseCursorLine(""), []);
    assert.equal(parseCursorLine("user:"), undefined);
    assertProperty(property(string(), (line) => void parseCursorLine(line)));
    assertProperty(property(anything(), (row) => void parseCursorLine(JSON.stringify(row) ?? "")));
  });
});

describe("the reply and the end of a turn", () => {
  const stop = parse(stopSent);
  const reply = parse(replySent);
  const whole = { ...stop, reply: "The exporter has a --quiet option now." };

  function makeJoin(t: TestContext) {
    const env = { CATSTACK_LLM_JUDGE_STATE_DIR: makeFolder(t) };
    const { replies } = getStatePaths(env);
    return { replies, join: (payload: Payload, now = new Date()) => joinReply(payload, { env, now }) };
  }

  test("meet in whichever order they come, once, and the reply is not kept", (t) => {
    for (const order of [
      [reply, stop],
      [stop, reply],
    ] as const) {
      const { join: joinOne, replies } = makeJoin(t);
      assert.equal(joinOne(order[0]), undefined);
      assert.deepEqual(joinOne(order[1]), whole);
      assert.deepEqual(
        listDir(replies).filter((name) => !name.endsWith(".joined")),
        [],
      );
      for (const again of [stop, reply, stop]) assert.equal(joinOne(again), undefined);
    }
  });

  test("of several replies the last counts", (t) => {
    const { join: joinOne } = makeJoin(t);
    joinOne({ ...reply, reply: "I look at it." });
    joinOne({ ...reply, reply: "Done." });
    assert.equal(joinOne(stop)?.reply, "Done.");
  });

  test("of two turns and of two conversations are kept apart", (t) => {
    const { join: joinOne } = makeJoin(t);
    joinOne({ ...reply, turnId: "earlier", reply: "Of the turn before." });
    joinOne({ ...reply, sessionId: "another", reply: "Of somebody else." });
    assert.equal(joinOne(stop), undefined);
    assert.deepEqual(joinOne(reply), whole);
  });

  test("are not taken for another's whose names run together, hostile as they may be", (t) => {
    const { join: joinOne, replies } = makeJoin(t);
    const ids = ["a::b", "a", "../../x", "a\0b", "\uD800", "é".repeat(5000), "__proto__", "."];
    for (const id of ids) joinOne({ ...reply, sessionId: id, turnId: `b::${id}`, reply: id });
    for (const id of ids) {
      assert.equal(joinOne({ ...stop, sessionId: `${id}::b`, turnId: id }), undefined, id);
      assert.equal(joinOne({ ...stop, sessionId: id, turnId: `b::${id}` })?.sessionId, id);
    }
    for (const name of listDir(replies)) assert.match(name, /^[0-9a-f]{16}\.(?:stopped|joined)$/);
  });

  test("a reply that comes once more after they have met is not kept", (t) => {
    const { join: joinOne, replies } = makeJoin(t);
    for (const event of [reply, stop, reply, stop, reply]) joinOne(event);
    assert.deepEqual(
      listDir(replies).map((name) => name.replace(/^[0-9a-f]+/, "")),
      [".joined"],
    );
  });

  test("the end of a long reply begins with a whole character", (t) => {
    const { join: joinOne } = makeJoin(t);
    joinOne({ ...reply, reply: `${"🐱".repeat(60_000)}x` });
    assert.equal(joinOne(stop)?.reply, `${"🐱".repeat(49_999)}x`);
  });

  test("that name no turn or no conversation never meet", (t) => {
    const { join: joinOne } = makeJoin(t);
    const { turnId: _turn, ...noTurn } = reply;
    const { sessionId: _session, ...noSession } = reply;
    for (const payload of [noTurn, noSession]) {
      joinOne(payload);
      assert.equal(joinOne({ ...payload, event: "Stop" }), undefined);
    }
  });

  test("a reply is private, cut, and gone after an hour or 200 younger ones", (t) => {
    const { join: joinOne, replies } = makeJoin(t);
    joinOne({ ...reply, reply: "x".repeat(200_000) });
    const [name = ""] = listDir(replies);
    const file = join(replies, name);
    assert.equal(statSync(replies).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(file).size, 100_000);
    const old = new Date(Date.now() - 3_600_001);
    utimesSync(file, old, old);
    joinOne({ ...reply, turnId: "next" });
    assert.equal(listDir(replies).includes(name), false);
    mkdirSync(replies, { recursive: true });
    for (let i = 0; i < 250; i++) writeFileSync(join(replies, `${String(i).padStart(16, "0")}.reply`), "x");
    joinOne({ ...reply, turnId: "after them" });
    assert.equal(listDir(replies).length, 200);
  });
});

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "catstack-cursor-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
