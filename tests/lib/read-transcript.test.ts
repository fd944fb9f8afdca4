import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import * as fc from "fast-check";
import { defineHook } from "../../lib/hook.ts";
import { MAX_CACHED_TRANSCRIPTS } from "../../lib/io/transcript/digest-cache.ts";
import { MAX_LINE_BYTES } from "../../lib/io/transcript/read-lines.ts";
import { BUDGET_BYTES, type DigestReading, readDigest } from "../../lib/io/transcript/read-transcript.ts";
import { runHooks } from "../../lib/io/edge/run-hooks.ts";
import type { Adapter } from "../../lib/transcript/adapter.ts";
import { claude, parseClaudeLine } from "../../lib/transcript/claude.ts";
import { type Digest, emptyDigest } from "../../lib/transcript/digest.ts";
import { createFold } from "../../lib/transcript/fold.ts";
import { anyRow, storySteps } from "../helpers/arbitrary-transcript.ts";
import { buildTranscript, foldJsonl, transcript } from "../helpers/claude-transcript.ts";
import { mayHoldCheck, testDeps } from "../helpers/test-checks.ts";

const fold = createFold(testDeps);
/** Parses every line: what the filter must agree with. */
const unfiltered: Adapter = { ...claude, rules: [{ all: [] }], replyRules: [{ all: [] }] };

let root = "";
let dir = "";
let path = "";
let cacheDir = "";
let count = 0;

before(() => {
  root = mkdtempSync(join(tmpdir(), "catstack-transcript-"));
});
beforeEach(renew);
after(() => rmSync(root, { recursive: true, force: true }));

/** A fresh transcript path and a cache folder that does not exist yet. */
function renew(): void {
  dir = join(root, String(++count));
  path = join(dir, "session.jsonl");
  cacheDir = join(dir, "state", "cache");
  mkdirSync(dir);
}

function read(options: Partial<Parameters<typeof readDigest>[0]> = {}): DigestReading {
  const request = { path, adapter: claude, fold, cacheDir, bundleHash: "one", mayMatter: mayHoldCheck };
  return readDigest({ ...request, ...options });
}

/** What `read` gives, which must not be an error: the digest, the new bytes, and whether the cache was used. */
function mustRead(options: Partial<Parameters<typeof readDigest>[0]> = {}): [Digest, number, boolean] {
  const reading = read(options);
  assert.ok(reading.ok, JSON.stringify(reading));
  return [reading.digest, reading.bytesRead, reading.fromCache];
}

const session = () => transcript().user("go").ran("check a", "ok").says("Green.");
const oneLine = (text: string) => transcript().says(text).toJsonl();

describe("reading a transcript", () => {
  test("folds it once and then only what is new", () => {
    const first = session().toJsonl();
    const all = session().ran("check a", "1 failed", { exitCode: 1 }).says("Still green.").toJsonl();
    writeFileSync(path, first);
    assert.deepEqual(mustRead(), [foldJsonl(first, fold), first.length, false]);
    assert.deepEqual(mustRead(), [foldJsonl(first, fold), 0, true]);
    appendFileSync(path, all.slice(first.length));
    assert.deepEqual(mustRead(), [foldJsonl(all, fold), all.length - first.length, true]);
    assert.deepEqual(mustRead(), [foldJsonl(all, fold), 0, true]);
  });

  test("gives an empty digest for an empty file", () => {
    writeFileSync(path, "");
    assert.deepEqual(mustRead(), [emptyDigest, 0, false]);
  });

  test("leaves a line that is still being written for the next time", () => {
    const text = session().toJsonl();
    writeFileSync(path, text.slice(0, -20));
    const lines = text.trimEnd().split("\n");
    const whole = lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join("");
    assert.deepEqual(mustRead()[0], foldJsonl(whole, fold));
    appendFileSync(path, text.slice(-20));
    assert.deepEqual(mustRead(), [foldJsonl(text, fold), text.length - whole.length, true]);
  });

  test("counts a last line without its line end for this answer only", () => {
    const text = session().toJsonl();
    writeFileSync(path, text.trimEnd());
    assert.deepEqual(mustRead()[0], foldJsonl(text, fold));
    assert.deepEqual(mustRead()[0], foldJsonl(text, fold));
    appendFileSync(path, "\n");
    const [digest, bytes] = mustRead();
    assert.deepEqual(digest, foldJsonl(text, fold));
    assert.equal(bytes, `${text.trimEnd().split("\n").at(-1)}\n`.length);
  });

  test("does not call a last line broken while it may still grow", () => {
    writeFileSync(path, `${session().toJsonl()}{"type":"user","mess`);
    assert.equal(mustRead()[0].broken, 0);
  });

  test("starts anew when the file was cut", () => {
    const text = session().toJsonl();
    writeFileSync(path, text);
    mustRead();
    const shorter = transcript().user("go").toJsonl();
    truncateSync(path, shorter.length);
    assert.deepEqual(mustRead(), [foldJsonl(shorter, fold), shorter.length, false]);
  });

  test("starts anew when another file took its place", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    const text = session().says("More.").toJsonl();
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
    assert.deepEqual(mustRead(), [foldJsonl(text, fold), text.length, false]);
  });

  test("starts anew when the same file was rewritten, at its start or at the place that was read last", () => {
    const text = session().toJsonl();
    for (const changed of [text.replace("go", "no"), text.replace("Green", "Brown")]) {
      renew();
      writeFileSync(path, text);
      mustRead();
      writeFileSync(path, changed);
      assert.deepEqual(mustRead(), [foldJsonl(changed, fold), text.length, false]);
    }
  });

  test("does not use what other code has folded", () => {
    const text = session().toJsonl();
    writeFileSync(path, text);
    mustRead();
    assert.deepEqual(mustRead({ bundleHash: "two" }), [foldJsonl(text, fold), text.length, false]);
    assert.equal(mustRead({ bundleHash: "two" })[2], true);
  });

  test("knows a transcript by any spelling of its folder", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    symlinkSync(dir, join(root, `link${count}`));
    assert.equal(mustRead({ path: join(root, `link${count}`, "session.jsonl") })[2], true);
  });

  test("says so before it reads more than a megabyte of new lines", () => {
    const calls: string[] = [];
    const note = (name: string) => mustRead({ beforeLongRead: () => calls.push(name) });
    writeFileSync(path, oneLine("x".repeat(999_000)));
    note("short");
    appendFileSync(path, oneLine("y".repeat(999_000)));
    note("short again");
    appendFileSync(path, oneLine("z".repeat(1_000_000)));
    note("long");
    assert.deepEqual(calls, ["long"]);
  });

  test("tells apart two transcripts of one name", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    mkdirSync(join(dir, "other"));
    writeFileSync(join(dir, "other", "session.jsonl"), oneLine("Other."));
    assert.deepEqual(mustRead({ path: join(dir, "other", "session.jsonl") })[0].replies, ["Other."]);
    assert.deepEqual(mustRead()[0].replies, ["Green."]);
  });
});

describe("a transcript too long for one call", () => {
  /** What call after call gives until the digest is complete. */
  function readInParts(budget: number): readonly (DigestReading & { readonly ok: true })[] {
    const parts: (DigestReading & { readonly ok: true })[] = [];
    do {
      const reading = read({ budget });
      assert.ok(reading.ok);
      parts.push(reading);
      assert.ok(parts.length <= statSync(path).size + 1, "no call comes forward");
    } while (parts.at(-1)?.complete === false);
    return parts;
  }

  test("is read in several calls, each from where the last one stopped", () => {
    const lines = ["One.", "Two.", "Three."].map(oneLine);
    writeFileSync(path, lines.join(""));
    const [one = "", two = "", three = ""] = lines;
    const found = readInParts(one.length).map(({ digest, complete, fromCache }) => [digest, complete, fromCache]);
    assert.deepEqual(found, [
      [foldJsonl(one, fold), false, false],
      [foldJsonl(one + two, fold), false, true],
      [foldJsonl(one + two + three, fold), true, true],
    ]);
  });

  test("gives the digest of one pass, whatever the budget and however it ends", () => {
    const part = fc.oneof(
      storySteps.map((steps) => buildTranscript(steps).toJsonl()),
      fc.array(anyRow, { maxLength: 3 }).map((rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
      fc.constantFrom("\n", "null\n", '{"type":"user"'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), fc.integer({ min: 1, max: 3000 }), (texts, budget) => {
        renew();
        writeFileSync(path, texts.join(""));
        const parts = readInParts(budget);
        const whole = read({ cacheDir: join(dir, "other") });
        assert.ok(whole.ok && whole.complete);
        assert.deepEqual(parts.at(-1)?.digest, whole.digest);
      }),
      { numRuns: 60 },
    );
  });

  test("may hold a line beyond all bounds, which several calls pass over", () => {
    const before = transcript().user("go").toJsonl();
    const after = transcript().ran("check a", "ok").toJsonl();
    writeFileSync(path, before);
    truncateSync(path, before.length + 3 * MAX_LINE_BYTES);
    appendFileSync(path, `\n${after}`);
    const parts = readInParts(MAX_LINE_BYTES);
    assert.deepEqual(
      parts.map(({ complete }) => complete),
      [...parts.slice(1).map(() => false), true],
    );
    assert.ok(parts.length >= 3);
    const whole = mustRead({ cacheDir: join(dir, "other") })[0];
    assert.deepEqual(parts.at(-1)?.digest, whole);
    assert.deepEqual([whole.rows, whole.broken, whole.targets[0]?.pass?.row], [4, 1, 4]);
  });
});

describe("hooks of a transcript too long for one call", () => {
  test("run once all of it is read", () => {
    const seen: number[] = [];
    const hook = defineHook({
      id: "counts-rows",
      description: "Notes how many rows it sees.",
      events: ["Stop"],
      defaultMode: "advise",
      messages: {},
      check({ digest }) {
        seen.push(digest.rows);
        return { advice: [], jobs: [] };
      },
    });
    const env = { HOME: dir, CATSTACK_LLM_JUDGE_STATE_DIR: join(dir, "state") };
    const edge = { env, now: new Date(), hooks: [hook], adapter: claude, fold, bundleHash: "one" };
    const payload = {
      harness: "claude",
      event: "Stop",
      transcriptPath: path,
      reply: "",
      stopHookActive: false,
      subagent: false,
    } as const;
    const stop = () => assert.deepEqual(runHooks("Stop", payload, edge).errors, []);
    const before = transcript().user("go").toJsonl();
    writeFileSync(path, before);
    truncateSync(path, BUDGET_BYTES + 1000);
    appendFileSync(path, `\n${oneLine("Done.")}`);
    stop();
    assert.deepEqual(seen, []);
    stop();
    assert.deepEqual(seen, [3]);
  });
});

describe("the cache", () => {
  const cacheFile = () => {
    const [name] = readdirSync(cacheDir);
    assert.ok(name);
    return join(cacheDir, name);
  };

  test("is private and leaves nothing half-written", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    assert.equal(statSync(cacheFile()).mode & 0o777, 0o600);
    assert.equal(statSync(cacheDir).mode & 0o777, 0o700);
    assert.equal(readdirSync(cacheDir).length, 1);
  });

  test("is not written again when nothing is new", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    const { ino } = statSync(cacheFile());
    mustRead();
    assert.equal(statSync(cacheFile()).ino, ino);
  });

  const digestOf = (text: string) => ({ ...foldJsonl(text, fold) });
  const damages: Readonly<Record<string, (text: string) => string>> = {
    empty: () => "",
    "no JSON": (text) => text.slice(0, -10),
    binary: () => "\u0000\u0001\u0002",
    "something else": () => '{"version":1,"bundle":"one"}',
    "a list": () => "[]",
    "of another version": (text) => text.replace('"version":1', '"version":0'),
    "with an offset that is no number": (text) => text.replace(/"offset":\d+/, '"offset":"7"'),
    "with an offset beyond the file": (text) => text.replace(/"offset":\d+/, '"offset":9000000'),
    "with an offset before the file": (text) => text.replace(/"offset":\d+/, '"offset":-1'),
    "with a digest of another make": (text) => text.replace('"targets":[', '"targets":["x",'),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`is ignored when it is ${name}`, () => {
      const text = session().toJsonl();
      writeFileSync(path, text);
      mustRead();
      const good = readFileSync(cacheFile(), "utf8");
      assert.notEqual(damage(good), good);
      writeFileSync(cacheFile(), damage(good));
      assert.deepEqual(mustRead(), [digestOf(text), text.length, false]);
      assert.equal(mustRead()[2], true);
    });
  }

  test("may be deleted at any time", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    rmSync(cacheDir, { recursive: true });
    assert.equal(mustRead()[2], false);
    assert.equal(mustRead()[2], true);
  });

  test("costs no answer when it cannot be written or read", () => {
    const text = session().toJsonl();
    writeFileSync(path, text);
    const blocked = join(dir, "file");
    writeFileSync(blocked, "");
    assert.deepEqual(mustRead({ cacheDir: join(blocked, "cache") }), [digestOf(text), text.length, false]);
    mustRead();
    const file = cacheFile();
    rmSync(file);
    mkdirSync(file);
    assert.deepEqual(mustRead(), [digestOf(text), text.length, false]);
  });

  test("may be put back to an older state by a slower hook", () => {
    writeFileSync(path, session().toJsonl());
    mustRead();
    const older = readFileSync(cacheFile());
    const text = session().ran("check b", "ok").toJsonl();
    writeFileSync(path, text);
    mustRead();
    writeFileSync(cacheFile(), older);
    assert.deepEqual(mustRead(), [digestOf(text), text.length - session().toJsonl().length, true]);
  });

  test(`holds ${MAX_CACHED_TRANSCRIPTS} transcripts, the ones read last`, () => {
    mkdirSync(cacheDir, { recursive: true });
    for (let i = 0; i < MAX_CACHED_TRANSCRIPTS + 5; i++) {
      const file = join(cacheDir, `${String(i).padStart(16, "0")}.digest.json`);
      writeFileSync(file, "{}");
      utimesSync(file, 1000 + i, 1000 + i);
    }
    writeFileSync(join(cacheDir, "of-another-make.json"), "{}");
    writeFileSync(path, session().toJsonl());
    mustRead();
    const names = readdirSync(cacheDir).sort();
    assert.equal(names.length, MAX_CACHED_TRANSCRIPTS + 1);
    assert.ok(names.includes("of-another-make.json"));
    assert.equal(names[0]?.slice(0, 16), String(6).padStart(16, "0"));
    assert.equal(mustRead()[2], true);
  });
});

describe("a path that holds no transcript", () => {
  const refusal = (reason: string, error: string) => ({ ok: false, reason, error });

  test("is absent", () => {
    const error = `expected a readable transcript file at ${path}, got ENOENT`;
    assert.deepEqual(read(), refusal("absent", error));
    writeFileSync(path, "");
    const beneath = join(path, "x");
    assert.equal(read({ path: beneath }).ok, false);
    assert.deepEqual(read({ path: "" }), refusal("absent", "expected a readable transcript file at , got ENOENT"));
  });

  test("is a folder, a pipe or a device, and nothing waits for it", () => {
    const pipe = join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const place of [dir, pipe, "/dev/zero"]) {
      const error = `expected a readable transcript file at ${place}, got something else`;
      assert.deepEqual(read({ path: place }), refusal("not-a-file", error));
    }
  });

  test("cannot be opened", async () => {
    const socket = join(dir, "socket");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    assert.deepEqual(
      read({ path: socket }),
      refusal("unreadable", `expected a readable transcript file at ${socket}, got ENXIO`),
    );
    await new Promise((resolve) => server.close(resolve));
  });

  test("does not hide a defect of the fold", () => {
    writeFileSync(path, session().toJsonl());
    const defect = new TypeError("defect");
    const throws = () => {
      throw defect;
    };
    assert.throws(() => read({ fold: throws }), defect);
  });
});

describe("content of any kind", () => {
  test("may be binary", () => {
    writeFileSync(path, Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256)));
    const [digest] = mustRead();
    assert.deepEqual({ ...digest, rows: 0, broken: 0 }, emptyDigest);
    assert.equal(digest.broken, digest.rows);
    assert.ok(digest.rows > 300);
  });

  test("may have no line end at all", () => {
    writeFileSync(path, "x".repeat(3_000_000));
    assert.deepEqual(mustRead(), [emptyDigest, 3_000_000, false]);
  });

  test("may end its lines with CRLF, begin with a byte order mark and hold empty lines", () => {
    const text = `\uFEFF${session().toJsonl().replaceAll("\n", "\r\n")}\r\n\n`;
    writeFileSync(path, text);
    const { rows, broken, turns, replies, targets } = mustRead()[0];
    assert.deepEqual([rows, broken, turns, replies, targets.length], [6, 0, 1, ["Green."], 1]);
  });

  test("may hold lines that are no JSON objects, which are counted", () => {
    writeFileSync(path, `${session().toJsonl()}null\n{"type":"user"\n"x"\n[{}]\n{"type":"user"}}\n`);
    assert.deepEqual([mustRead()[0].rows, mustRead()[0].broken], [9, 5]);
  });

  test("is not looked into when it can hold nothing of interest, so that only its ends tell whether it is broken", () => {
    writeFileSync(path, "{nothing}\n");
    assert.equal(mustRead()[0].broken, 0);
    assert.equal(parseClaudeLine("{nothing}"), undefined);
  });

  test("may hold long lines", () => {
    const long = "x".repeat(20_000_000);
    writeFileSync(path, transcript().user("go").tool("Read", long).says(long).ran("check a", "ok").toJsonl());
    const { rows, replies, targets } = mustRead()[0];
    assert.deepEqual([rows, replies, targets[0]?.pass?.row], [6, ["x".repeat(4000)], 6]);
  });

  test("may hold a line beyond all bounds, which is passed over and counted as broken", () => {
    const before = transcript().user("go").toJsonl();
    const after = transcript().ran("check a", "ok").toJsonl();
    const fits = `{"x":"${"x".repeat(MAX_LINE_BYTES - 8)}"}`;
    assert.equal(fits.length, MAX_LINE_BYTES);
    writeFileSync(path, `${before}${fits}\n${fits} \n${after}`);
    const { rows, broken, turns, targets } = mustRead()[0];
    assert.deepEqual([rows, broken, turns, targets[0]?.pass?.row], [5, 1, 1, 5]);
    assert.equal(mustRead()[2], true);
  });

  test("may end in an unfinished line beyond all bounds", () => {
    const before = transcript().user("go").toJsonl();
    const message = { content: "x".repeat(MAX_LINE_BYTES + 3_000_000) };
    writeFileSync(path, before + JSON.stringify({ type: "user", message }));
    assert.deepEqual(mustRead()[0], foldJsonl(before, fold));
    appendFileSync(path, `\n${oneLine("Done.")}`);
    const { rows, broken, replies } = mustRead()[0];
    assert.deepEqual([rows, broken, replies], [3, 1, ["Done."]]);
  });
});

describe("a filtered reading", () => {
  const readFresh = (text: string | Buffer, adapter: Adapter): Digest => {
    renew();
    writeFileSync(path, text);
    return mustRead({ adapter })[0];
  };

  test("gives the digest of parsing every line, for every fixture", () => {
    const folder = new URL("../../fixtures/transcripts/claude/", import.meta.url);
    const names = readdirSync(folder);
    assert.ok(names.length >= 2);
    for (const name of names) {
      const text = readFileSync(new URL(name, folder), "utf8");
      assert.deepEqual(readFresh(text, claude), foldJsonl(text, fold), name);
      assert.deepEqual(readFresh(text, unfiltered), foldJsonl(text, fold), name);
    }
  });

  test("takes a prompt that is spelled like a part of a row for a prompt", () => {
    const typed = transcript().user("tool_result").toJsonl();
    assert.equal(readFresh(typed, claude).turns, 1);
    const odd = transcript()
      .raw({ type: "user", message: { content: [{ type: "text", text: "go" }, { tool_result: "type" }] } })
      .toJsonl();
    assert.deepEqual(readFresh(odd, claude), foldJsonl(odd, fold));
    assert.equal(readFresh(odd, claude).turns, 1);
  });

  test("finds an awaited result, a prompt and the end of a task wherever they stand in a row", () => {
    const text = transcript()
      .raw({ type: "user", message: { content: [{ type: "text", text: "go" }, { type: "image" }] } })
      .ran("check a", "", { noResult: true })
      .ran("check b", "", { noResult: true })
      .raw({
        type: "user",
        message: {
          content: [
            { tool_use_id: "toolu_0000", type: "tool_result", content: "failed" },
            { content: "failed", type: "tool_result", tool_use_id: "toolu_0002" },
            { type: "tool_result", content: "ok", is_error: false, tool_use_id: "toolu_0001" },
          ],
        },
      })
      .background("check c")
      .taskEnds("check c", 1, ["attachment"])
      .toJsonl();
    const { turns, targets } = readFresh(text, claude);
    assert.equal(turns, 1);
    assert.deepEqual(
      targets.map(({ target, pass, fail }) => [target.label, pass?.row, fail?.row]),
      [
        ["b", undefined, 4],
        ["a", 4, undefined],
        ["c", undefined, 7],
      ],
    );
  });

  test("takes a prompt that ends in a quoted word of the format for a prompt", () => {
    const { turns } = readFresh(transcript().user('what is a "tool_result').toJsonl(), claude);
    assert.equal(turns, 1);
  });

  test("gives the digest of parsing every line, for any story", () => {
    fc.assert(
      fc.property(storySteps, fc.boolean(), (steps, spaced) => {
        const lines = buildTranscript(steps).toJsonl().split("\n");
        // The client writes no spaces between tokens; people who write transcripts by hand do.
        const text = lines
          .map((line) =>
            spaced && line !== "" ? JSON.stringify(JSON.parse(line), null, 1).replaceAll("\n", " ") : line,
          )
          .join("\n");
        assert.deepEqual(readFresh(text, claude), foldJsonl(text, fold));
      }),
    );
  });

  test("gives the digest of parsing every line, for rows of any make", () => {
    fc.assert(
      fc.property(fc.array(anyRow.filter(isNoPromptBesideResult), { maxLength: 20 }), (rows) => {
        const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
        assert.deepEqual(readFresh(text, claude), foldJsonl(text, fold));
      }),
    );
  });

  /** The one thing the rules take for granted of the client's rows. */
  function isNoPromptBesideResult(row: object): boolean {
    const line = JSON.stringify(row);
    return !/(?<!\\)"tool_result"/.test(line) || !(parseClaudeLine(line) ?? []).some(({ kind }) => kind === "human");
  }

  test("parses few of the lines", () => {
    let parsed = 0;
    const counting: Adapter = { ...claude, parseLine: (line) => (parsed++, parseClaudeLine(line)) };
    const story = transcript().user("go");
    for (let i = 0; i < 100; i++)
      story.says("Looking.").tool("Read", "text").ran("cat file", "ok").tool("Edit", "done", { old_string: "check a" });
    readFresh(story.ran("check a", "ok").says("Green.").toJsonl(), counting);
    // The prompt, the check, its result; then back from the end: a text, the check, calls of Edit, Bash and Read, a text.
    assert.equal(parsed, 9);
  });
});

describe("a call that changes nothing", () => {
  test("is told from a check however JSON spells the command", () => {
    for (const command of [
      "true\ncheck a",
      'echo "x"\tcheck a',
      "\u001bcheck a",
      "x \\\ncheck a",
      "grün; check a",
      "cat \\",
    ]) {
      const text = transcript().ran(command, "ok").toJsonl();
      assert.equal(text.includes("\\"), command !== "grün; check a");
      assert.equal(readFresh(text).targets.length, command.includes("check") ? 1 : 0, command);
      assert.deepEqual(readFresh(text), foldJsonl(text, fold), command);
    }
  });

  test("is told from a check that stands beside it, or whose row is made otherwise", () => {
    const [call = "", result = ""] = transcript().ran("check a", "ok").toJsonl().split("\n");
    const beside = call.replace(
      '[{"type":"tool_use"',
      '[{"type":"tool_use","name":"X","input":{"command":"ls"}},{"type":"tool_use"',
    );
    const spaced = call.replace('"command":', '"command": ');
    const spelled = call.replace('"command":', String.raw`"c\u006fmmand":`);
    for (const row of [beside, spaced, spelled]) {
      assert.notEqual(row, call);
      const text = `${row}\n${result}\n`;
      assert.equal(readFresh(text).targets.length, 1, row);
      assert.deepEqual(readFresh(text), foldJsonl(text, fold), row);
    }
  });

  function readFresh(text: string): Digest {
    renew();
    writeFileSync(path, text);
    return mustRead()[0];
  }
});

describe("reading in parts", () => {
  const text = Buffer.from(
    transcript()
      .user("größer 😀")
      .ran("check a", "1 failed 中文", { exitCode: 1 })
      .background("check b")
      .says("Läuft.")
      .taskEnds("check b", 3)
      .ran("check a", "ok")
      .toJsonl()
      .replaceAll("\n", "\r\n"),
  );

  test("gives the same digest wherever the file is cut", () => {
    const whole = foldJsonl(text.toString().replaceAll("\r\n", "\n"), fold);
    // Inside every character of several bytes, between every CR and LF, and here and there.
    const cuts = [...text.keys()].filter(
      (i) => (text.readUInt8(i) & 0xc0) === 0x80 || text[i] === 0x0a || i % 97 === 0,
    );
    assert.ok(cuts.length > 80);
    for (const cut of cuts) {
      renew();
      writeFileSync(path, text.subarray(0, cut));
      mustRead();
      appendFileSync(path, text.subarray(cut));
      assert.deepEqual(mustRead()[0], whole, `cut at byte ${cut}`);
    }
  });

  test("gives the same digest for any story, any line ends and any cuts", () => {
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });
    fc.assert(
      fc.property(
        storySteps,
        fc.constantFrom("\n", "\r\n", "\n\n"),
        fc.boolean(),
        cuts,
        (steps, lineEnd, ends, shares) => {
          const jsonl = buildTranscript(steps).toJsonl().replaceAll("\n", lineEnd);
          const bytes = Buffer.from(ends ? jsonl : jsonl.trimEnd());
          renew();
          writeFileSync(path, "");
          let from = 0;
          for (const to of [
            ...shares.map((share) => Math.floor(share * bytes.length)).sort((a, b) => a - b),
            bytes.length,
          ]) {
            appendFileSync(path, bytes.subarray(from, to));
            mustRead();
            from = to;
          }
          const parts = mustRead()[0];
          assert.deepEqual(parts, mustRead({ cacheDir: join(dir, "fresh") })[0]);
          assert.deepEqual(parts, foldJsonl(bytes.toString(), fold));
        },
      ),
    );
  });
});
