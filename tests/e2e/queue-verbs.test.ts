import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { dead } from "../../cli/dead.ts";
import { logs } from "../../cli/logs.ts";
import { openLog } from "../../cli/logs/open-log.ts";
import type { RunVerb } from "../../cli/verbs.ts";
import { createLogListener } from "../../judge/health/log.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import {
  assertAtRest,
  drop,
  evidence,
  getVerdicts,
  judgeAll,
  makeState,
  question,
  readReason,
  transcript,
} from "../helpers/queue.ts";
import { distDir, runCatstack } from "../helpers/run-command.ts";
import { waitFor } from "../helpers/wait-for.ts";

interface Printed {
  readonly code: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

interface Circumstances {
  readonly color?: boolean;
  readonly now?: Date;
}

/** Runs a verb in this process. */
async function run(
  verb: RunVerb,
  args: readonly string[],
  paths: StatePaths,
  { color = false, now = new Date() }: Circumstances = {},
): Promise<Printed> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await verb(args, {
    env: { HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root },
    stdin: Readable.from([]),
    now: () => now,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    color,
    cwd: paths.root,
  });
  return { code, out, err };
}

function parseRecords(text: string): readonly Record<string, unknown>[] {
  const value: unknown = JSON.parse(text);
  return (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    assert.ok(typeof item === "object" && item !== null);
    return { ...item };
  });
}

/** `count` lines `<name> 0`, `<name> 1` and so on, each with its end. */
function makeLines(name: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${name} ${index}\n`).join("");
}

describe("logs", () => {
  const at = "2026-01-31T09:30:00.250Z";

  test("prints one aligned line an event, in UTC, and what it cannot read as it is", async (t) => {
    const paths = makeState(t);
    const lines = [
      JSON.stringify({
        at,
        level: "info",
        event: "job:start",
        id: "a-1",
        hook: "by-hand",
        mode: "default",
        attempt: 1,
      }),
      JSON.stringify({
        at,
        level: "error",
        event: "watcher:error",
        what: "reading the inbox",
        message: "no \u001b[2Jroom",
      }),
      JSON.stringify({ at, level: "warn", event: "janitor:reclaimed", instance: "x", jobs: 2 }),
      JSON.stringify({ at, level: "info", event: "job:judged", id: "a-1", runner: null, extra: { deep: [1] } }),
      JSON.stringify({ at, level: "info", event: "watcher:reloaded", changes: ["a: 1, now 2", "runners changed"] }),
      JSON.stringify({ at, level: "info", event: "watcher:reloaded", changes: [] }),
      '{"at":"2026-01-31T09:30:00.250Z","level":"in\u0007fo',
      JSON.stringify({ at: "yesterday", level: "info", event: "job:start" }),
      "plain \u202etext",
    ];
    writeFileSync(paths.judgeLog, lines.map((line) => `${line}\n`).join(""));
    const result = await run(logs, [], paths);
    assert.deepEqual(result, {
      code: 0,
      out: [
        "2026-01-31 09:30:00Z  info   job:start          a-1  hook=by-hand mode=default attempt=1",
        '2026-01-31 09:30:00Z  error  watcher:error      what="reading the inbox"  no [2Jroom',
        "2026-01-31 09:30:00Z  warn   janitor:reclaimed  instance=x jobs=2",
        '2026-01-31 09:30:00Z  info   job:judged         a-1  runner=- extra="{\\"deep\\":[1]}"',
        '2026-01-31 09:30:00Z  info   watcher:reloaded   changes="a: 1, now 2, runners changed"',
        "2026-01-31 09:30:00Z  info   watcher:reloaded   changes=none",
        '{"at":"2026-01-31T09:30:00.250Z","level":"in fo',
        '{"at":"yesterday","level":"info","event":"job:start"}',
        "plain text",
      ],
      err: [],
    });
    assert.deepEqual((await run(logs, ["--json"], paths)).out, lines);
  });

  test("paints the level, and only where colour may be used", async (t) => {
    const paths = makeState(t);
    for (const level of ["error", "warn", "info"])
      appendFileSync(paths.judgeLog, `${JSON.stringify({ at, level, event: "watcher:note" })}\n`);
    const { out } = await run(logs, [], paths, { color: true });
    assert.deepEqual(out, [
      "2026-01-31 09:30:00Z  \u001b[31merror\u001b[39m  watcher:note",
      "2026-01-31 09:30:00Z  \u001b[33mwarn \u001b[39m  watcher:note",
      "2026-01-31 09:30:00Z  info   watcher:note",
    ]);
  });

  test("prints the last 20 lines, or as many as asked for, and goes on in the older log", async (t) => {
    const paths = makeState(t);
    writeFileSync(`${paths.judgeLog}.1`, makeLines("old", 30));
    writeFileSync(paths.judgeLog, `${makeLines("new", 3)}no end`);
    const newest = ["new 0", "new 1", "new 2", "no end"];
    const cases: readonly (readonly [args: string[], expected: readonly string[]])[] = [
      [["-n", "0"], []],
      [["-n", "1"], ["no end"]],
      [["--lines=4"], newest],
      [["-n5"], ["old 29", ...newest]],
      [[], [...Array.from({ length: 16 }, (_, index) => `old ${14 + index}`), ...newest]],
      [
        ["-n", "1000"],
        [...Array.from({ length: 30 }, (_, index) => `old ${index}`), ...newest],
      ],
    ];
    for (const [args, expected] of cases)
      assert.deepEqual((await run(logs, args, paths)).out, expected, args.join(" "));
    rmSync(paths.judgeLog);
    assert.deepEqual(await run(logs, ["-n", "1"], paths), { code: 0, out: ["old 29"], err: [] });
  });

  test("finds the last lines of a file of any length, and cuts no character in two", async (t) => {
    const paths = makeState(t);
    const lines = Array.from({ length: 3000 }, (_, index) => `${index}${"ü🐈".repeat(index % 40)}`);
    lines[1500] = `1500${"🐈".repeat(100_000)}`;
    writeFileSync(paths.judgeLog, lines.map((line) => `${line}\n`).join(""));
    for (const count of [1, 2, 700, 1499, 1500, 1501, 2999, 3000, 3001])
      assert.deepEqual((await run(logs, ["-n", String(count)], paths)).out, lines.slice(-count), String(count));
  });

  test("says that there is no log yet, and refuses what can never be one", async (t) => {
    const paths = makeState(t);
    const none = await run(logs, [], paths);
    assert.deepEqual([none.code, none.out], [0, []]);
    assert.match(none.err[0] ?? "", /^note: no log at .*judge\.log yet; it is begun by the first `catstack watch`$/);
    mkdirSync(paths.judgeLog);
    await assert.rejects(run(logs, [], paths), /expected a log at .*judge\.log, got a folder; move it away/);
    rmSync(paths.judgeLog, { recursive: true });
    execFileSync("mkfifo", [paths.judgeLog]);
    await assert.rejects(run(logs, ["-f"], paths), /got something that is no file/);
    for (const wrong of ["", "-1", "x", "1.5", "9999999999"])
      await assert.rejects(run(logs, [`--lines=${wrong}`], paths), { name: "UsageError" }, wrong);
  });
});

describe("following a log", () => {
  function open(paths: StatePaths, lines = 20) {
    const log = openLog(paths.judgeLog, lines);
    const seen: string[] = [];
    const onLine = (line: string) => void seen.push(line);
    return {
      /** What came since the last look. */
      look: () => {
        log.readLines(onLine);
        return seen.splice(0);
      },
      close: () => {
        log.close(onLine);
        return seen.splice(0);
      },
    };
  }

  test("waits for a file that is not there yet, and for the end of a line", (t) => {
    const paths = makeState(t);
    const log = open(paths);
    assert.deepEqual(log.look(), []);
    writeFileSync(paths.judgeLog, "one\ntw");
    assert.deepEqual(log.look(), ["one"]);
    assert.deepEqual(log.look(), []);
    appendFileSync(paths.judgeLog, "o\nthree");
    assert.deepEqual(log.look(), ["two"]);
    assert.deepEqual(log.close(), ["three"]);
  });

  test("goes on in the new file when the judge's own log rotates, and still hears of who writes to the old one", (t) => {
    const paths = makeState(t);
    const filler = makeLines("filler", 1_000_000);
    writeFileSync(paths.judgeLog, filler);
    assert.ok(filler.length > 10 * 1024 * 1024);
    const log = open(paths, 1);
    assert.deepEqual(log.look(), ["filler 999999"]);
    const write = createLogListener(paths.judgeLog, () => new Date("2026-01-31T09:30:00Z"));
    appendFileSync(paths.judgeLog, "the last\n");
    write({ event: "job:claimed", id: "a" });
    write({ event: "job:claimed", id: "b" });
    const claimed = (id: string) =>
      `{"at":"2026-01-31T09:30:00.000Z","level":"info","event":"job:claimed","id":"${id}"}`;
    assert.equal(existsSync(`${paths.judgeLog}.1`), true);
    assert.deepEqual(log.look(), ["the last", claimed("a"), claimed("b")]);
    appendFileSync(`${paths.judgeLog}.1`, "late\n");
    write({ event: "job:claimed", id: "c" });
    assert.deepEqual(log.look(), ["late", claimed("c")]);
    assert.deepEqual(log.close(), []);
  });

  test("begins anew in a file that was cut", (t) => {
    const paths = makeState(t);
    writeFileSync(paths.judgeLog, "one\ntwo\nhalf");
    const log = open(paths);
    assert.deepEqual(log.look(), ["one", "two"]);
    truncateSync(paths.judgeLog, 0);
    assert.deepEqual(log.look(), []);
    appendFileSync(paths.judgeLog, "three\n");
    assert.deepEqual(log.look(), ["three"]);
    log.close();
  });

  test("prints every line once and in order, however writes, rotations and looks follow each other", (t) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "catstack-test-")));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const step = fc.constantFrom("line", "half", "rotate", "look", "remove");
    let runs = 0;
    const check = (steps: readonly string[], before: number) => {
      const path = join(folder, String(runs++));
      if (before > 0) writeFileSync(path, makeLines("before", before));
      const log = openLog(path, before);
      const seen: string[] = [];
      const look = () => log.readLines((line) => void seen.push(line));
      look();
      const expected = makeLines("before", before).split("\n").slice(0, -1);
      let half = "";
      // Of the files that no look has found yet, two have names.
      let room = before > 0 ? 2 : 1;
      for (const [index, name] of [...steps, "line", "look"].entries()) {
        if (name === "line") {
          appendFileSync(path, `${index}\n`);
          expected.push(`${half}${index}`);
          half = "";
        } else if (name === "half") {
          appendFileSync(path, "half ");
          half += "half ";
        } else if (name === "look") {
          look();
          room = existsSync(path) ? 2 : 1;
        } else if (half !== "" || !existsSync(path)) {
          // A writer ends its lines, and rotates what is there.
        } else if (name === "rotate" && room > 0) {
          renameSync(path, `${path}.1`);
          room -= 1;
        } else if (name === "remove") {
          look();
          rmSync(path);
          room = 1;
        }
      }
      log.close((line) => void seen.push(line));
      assert.deepEqual(seen, expected);
    };
    fc.assert(fc.property(fc.array(step, { maxLength: 25 }), fc.nat({ max: 3 }), check), { numRuns: 200 });
  });

  /** `catstack logs -f` as it is built. */
  function follow(t: TestContext, paths: StatePaths) {
    const child = spawn(process.execPath, [`${distDir}/catstack.mjs`, "logs", "-f"], {
      env: { PATH: process.env["PATH"], HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const exited = new Promise((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
    t.after(async () => {
      child.kill("SIGKILL");
      await exited;
    });
    return { child, exited, stdout: () => stdout, stderr: () => stderr };
  }

  test("-f begins before there is a log, prints what comes, and ends with 0 at SIGINT and SIGTERM", async (t) => {
    const paths = makeState(t);
    rmSync(paths.root, { recursive: true });
    const first = follow(t, paths);
    await waitFor("a note", () => (first.stderr().includes("waiting for the first") ? true : undefined));
    mkdirSync(paths.root);
    appendFileSync(paths.judgeLog, "one\n");
    await waitFor("one line", () => (first.stdout() === "one\n" ? true : undefined));
    const second = follow(t, paths);
    await waitFor("the line again", () => (second.stdout() === "one\n" ? true : undefined));
    first.child.kill("SIGINT");
    second.child.kill("SIGTERM");
    assert.deepEqual([await first.exited, await second.exited], [0, 0]);
    assert.equal(second.stderr(), "");
  });

  test("-f ends with 0 when nobody reads any more", async (t) => {
    const paths = makeState(t);
    writeFileSync(paths.judgeLog, "one\n");
    const { child, exited, stdout, stderr } = follow(t, paths);
    await waitFor("the first line", () => (stdout() === "one\n" ? true : undefined));
    child.stdout?.destroy();
    let isOver = false;
    void exited.then(() => (isOver = true));
    // The first lines after it fill the pipe's end, which only a write notices.
    await waitFor("its end", () => {
      appendFileSync(paths.judgeLog, "more\n");
      return isOver || undefined;
    });
    assert.equal(await exited, 0);
    assert.equal(stderr(), "");
  });
});

/** A file that the judge refused, as it lies in dead/ now. Its name was `name`, and its death published a verdict. */
async function killJob(paths: StatePaths, name: string, content: unknown): Promise<string> {
  drop(paths, name, content, 60_000);
  await judgeAll(paths);
  const path = join(paths.dead, name);
  assert.ok(existsSync(path));
  return path;
}

/** A file and its reason, as a death that published no verdict leaves them. */
function lay(paths: StatePaths, file: string, content: unknown, more: Record<string, unknown> = {}): string {
  const path = join(paths.dead, file);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  layReason(paths, file, more);
  return path;
}

function layReason(paths: StatePaths, file: string, more: Record<string, unknown> = {}): void {
  const at = "2026-01-31T09:30:00.000Z";
  const death = {
    code: "unreadable",
    reason: "expected to read it",
    at,
    from: join(paths.inbox, file),
    file,
    looks: "",
  };
  writeFileSync(join(paths.dead, `${file}.reason.json`), JSON.stringify({ ...death, verdict: null, ...more }));
}

const incomplete = { hook: "test", transcript, answer: { hit: true }, hit_if_all_true: ["hit"] };

describe("dead list and show", () => {
  test("tell what died, when and why, newest first", async (t) => {
    const paths = makeState(t);
    assert.deepEqual((await run(dead, ["list"], paths)).out, ["nothing is dead"]);
    lay(paths, "older.json", "{}", {
      at: "2026-01-31T06:30:00.000Z",
      code: "invalid",
      reason: "expected \u001b[2Ja key",
    });
    lay(paths, "newer-one.json", "{}");
    const now = new Date("2026-01-31T09:31:00.000Z");
    assert.deepEqual(await run(dead, ["list"], paths, { now }), {
      code: 0,
      out: [
        "newer-one.json  60 s  unreadable  expected to read it",
        "older.json      3 h   invalid     expected [2Ja key",
      ],
      err: [],
    });
    const colored = await run(dead, ["list"], paths, { now, color: true });
    assert.equal(colored.out[1], "older.json      3 h   \u001b[31minvalid   \u001b[39m  expected [2Ja key");
    const listed = parseRecords((await run(dead, ["list", "--json"], paths)).out[0] ?? "");
    assert.deepEqual(listed[0], {
      file: "newer-one.json",
      kind: "file",
      bytes: 2,
      at: "2026-01-31T09:30:00.000Z",
      code: "unreadable",
      reason: "expected to read it",
      from: join(paths.inbox, "newer-one.json"),
      verdict: null,
    });
    assert.deepEqual(listed[1]?.["file"], "older.json");
  });

  test("name the verdict of a death, and show the file, cleaned and not without bound", async (t) => {
    const paths = makeState(t);
    const text = `{\n\t"hook": "\u001b]0;x\u0007",\n  "transcript": ${JSON.stringify(transcript)}\n}\n`;
    await killJob(paths, "mine.json", text);
    const { out } = await run(dead, ["show", "mine"], paths);
    const { reason } = readReason(paths, "mine.json");
    assert.deepEqual(
      out.filter((line) => !line.startsWith("died ")),
      [
        "file        mine.json",
        "code        invalid_json",
        `reason      ${String(reason)}`,
        `from        ${join(paths.inbox, "mine.json")}`,
        "verdict     mine",
        `is          a file of ${text.length} bytes`,
        `path        ${join(paths.dead, "mine.json")}`,
        "",
        "{",
        '  "hook": " ]0;x ",',
        `  "transcript": ${JSON.stringify(transcript)}`,
        "}",
      ],
    );
    const [shown] = parseRecords((await run(dead, ["show", "mine.json", "--json"], paths)).out[0] ?? "");
    assert.deepEqual([shown?.["verdict"], shown?.["content"], shown?.["truncated"]], ["mine", text, false]);

    lay(paths, "long.json", "x".repeat(100_000));
    const long = await run(dead, ["show", "long.json"], paths);
    assert.deepEqual(long.out.slice(-3), ["x".repeat(16_384), "", "the first 16384 of 100000 bytes"]);
  });

  test("refuse a name that there is not with the nearest that there is, and reach nothing outside dead/", async (t) => {
    const paths = makeState(t);
    lay(paths, "question-1.json", "{}");
    writeFileSync(join(paths.outbox, "verdict.json"), "{}");
    const nearest = /got "questoin-1\.json"; did you mean "question-1\.json"\?; `catstack dead list` lists them/;
    await assert.rejects(run(dead, ["show", "questoin-1.json"], paths), nearest);
    for (const act of ["show", "requeue", "drop"]) {
      for (const name of [
        "../outbox/verdict.json",
        join(paths.outbox, "verdict.json"),
        "..",
        "",
        "question-1.json.reason.json",
      ])
        await assert.rejects(run(dead, [act, name], paths), { name: "Failure" }, `${act} ${name}`);
    }
    // A wrong name among right ones: nothing is done.
    for (const [act, undone] of [
      ["requeue", /lists them; nothing was requeued$/],
      ["drop", /lists them; nothing was removed$/],
    ] as const)
      await assert.rejects(run(dead, [act, "question-1.json", "other.json"], paths), undone);
    assert.deepEqual(readdirSync(paths.dead).sort(), ["question-1.json", "question-1.json.reason.json"]);
    assert.deepEqual(readdirSync(paths.outbox), ["verdict.json"]);
  });

  test("a wrong call is told with the usage and exit 2, a name that is not there with exit 1", async (t) => {
    const paths = makeState(t);
    lay(paths, "a.json", "{}");
    const calls: readonly (readonly [args: string[], expected: RegExp])[] = [
      [[], /expected list, show, requeue or drop, got nothing/],
      [["reqeue"], /got `reqeue`; did you mean `requeue`\?/],
      [["show"], /expected one file, got 0/],
      [["requeue"], /expected files or --all, got neither/],
      [["drop", "a.json", "--all", "--yes"], /expected files or --all, got both/],
      [["drop", "--all"], /expected --yes beside --all, got --all alone; it would remove 1 file for good/],
    ];
    for (const [args, message] of calls)
      await assert.rejects(run(dead, args, paths), { name: "UsageError", message }, args.join(" "));
    const env = { HOME: paths.root, CATSTACK_LLM_JUDGE_STATE_DIR: paths.root };
    const wrong = await runCatstack(["dead", "lst"], { env });
    assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
    assert.match(wrong.stderr, /did you mean `list`\?[^]*Usage: catstack dead /);
    const absent = await runCatstack(["dead", "drop", "b.json"], { env });
    assert.deepEqual([absent.code, absent.stdout], [1, ""]);
    assert.match(
      absent.stderr,
      /^catstack dead: expected the name of a dead file, got "b\.json"; did you mean "a\.json"\?/,
    );
    assert.equal(existsSync(join(paths.dead, "a.json")), true);
  });
});

describe("dead requeue", () => {
  test("keeps what would only die again; once corrected it goes back under a fresh id, as its own has a verdict", async (t) => {
    const paths = makeState(t);
    const path = await killJob(paths, "mine.json", incomplete);
    const kept = await run(dead, ["requeue", "mine.json"], paths);
    assert.deepEqual([kept.code, kept.out], [1, []]);
    assert.match(
      kept.err.join("\n"),
      /^kept mine\.json: expected `on_hit` to be .*, got nothing; add it in dead\/mine\.json, then: catstack dead requeue mine\.json$/m,
    );
    assert.equal(existsSync(path), true);

    writeFileSync(path, JSON.stringify({ ...incomplete, on_hit: "say it", id: "mine", mine: { of: ["me"] } }));
    const { code, out, err } = await run(dead, ["requeue", "mine.json"], paths);
    assert.equal(code, 0);
    const id = /^requeued mine\.json as ([0-9a-f]{16}): mine has a verdict already$/.exec(out.join("\n"))?.[1] ?? "";
    assert.ok(id, out.join("\n"));
    assert.match(err.join("\n"), /^note: no watcher is running/);
    assert.deepEqual(parseRecords(readFileSync(join(paths.inbox, `${id}.json`), "utf8")), [
      { ...incomplete, on_hit: "say it", id, mine: { of: ["me"] } },
    ]);
    assert.deepEqual(readdirSync(paths.dead), []);
    await judgeAll(paths);
    assert.deepEqual(
      getVerdicts(paths)
        .map((verdict) => `${verdict.id} ${verdict.outcome}`)
        .toSorted(),
      [`${id} hit`, "mine unchecked"].toSorted(),
    );
    assertAtRest(paths);
  });

  test("moves a file as it is where its name has no verdict, with all its attempts", async (t) => {
    const paths = makeState(t);
    const text = `${JSON.stringify(evidence({ id: "quiet" }), null, 2)}\n`;
    const { ino } = lstatSync(lay(paths, "other-name.json", text, { from: join(paths.inbox, "quiet.json") }));
    writeFileSync(join(paths.attempts, "quiet"), "...");
    assert.deepEqual((await run(dead, ["requeue", "--all"], paths)).out, ["requeued other-name.json as quiet"]);
    const path = join(paths.inbox, "quiet.json");
    assert.deepEqual([readFileSync(path, "utf8"), lstatSync(path).ino], [text, ino]);
    assert.deepEqual([readdirSync(paths.attempts), readdirSync(paths.dead)], [[], []]);
    await judgeAll(paths);
    assert.deepEqual(
      getVerdicts(paths).map(({ id }) => id),
      ["quiet"],
    );
  });

  test("gives a fresh id to a file whose name is no id, is taken, or is not the id in it", async (t) => {
    const paths = makeState(t);
    lay(paths, "a.json", evidence(), { from: join(paths.inbox, "my job.json") });
    lay(paths, "b.json", evidence());
    drop(paths, "b.json", evidence());
    lay(paths, "c.json", evidence());
    mkdirSync(join(paths.claimed, "somebody"));
    writeFileSync(join(paths.claimed, "somebody", "c.json"), "{}");
    lay(paths, "d.json", evidence({ id: "elsewhere" }));
    const { code, out } = await run(dead, ["requeue", "a", "b", "c", "d"], paths);
    assert.equal(code, 0);
    const because = [
      ["a.json", "its name is no id"],
      ["b.json", "another job of id b is there"],
      ["c.json", "another job of id c is there"],
      ["d.json", 'the id in it, "elsewhere" (string), was not its name'],
    ];
    const told = out.map((line) => /^requeued (\S+) as ([0-9a-f]{16}): (.*)$/.exec(line) ?? assert.fail(line));
    assert.deepEqual(
      told.map(([, file, , why]) => [file, why]),
      because,
    );
    const ids = told.map(([, , id]) => id ?? "");
    assert.deepEqual(readdirSync(paths.inbox).sort(), [...ids, "b"].map((id) => `${id}.json`).sort());
    assert.equal(parseRecords(readFileSync(join(paths.inbox, `${ids[3]}.json`), "utf8"))[0]?.["id"], ids[3]);
    assert.deepEqual(readdirSync(paths.dead), []);
  });

  test("gives an expired job another day, and says so", async (t) => {
    const paths = makeState(t);
    const now = new Date("2026-02-03T00:00:00.000Z");
    lay(paths, "late.json", question({ created_at: "2026-01-01T00:00:00Z", note: 1 }));
    lay(paths, "spent.json", question({ expires_at: "2026-02-02T23:59:59Z" }));
    lay(paths, "fresh.json", question({ created_at: "2026-02-02T12:00:00Z" }));
    const { out } = await run(dead, ["requeue", "late", "spent", "fresh"], paths, { now });
    const expiry = "2026-02-04T00:00:00.000Z";
    for (const line of out.slice(0, 2))
      assert.match(line, /as [0-9a-f]{16}: it had expired, and has until 2026-02-04T00:00:00\.000Z now$/);
    assert.equal(out[2], "requeued fresh.json as fresh");
    const read = (line: string | undefined) => {
      const id = /as ([0-9a-f]{16})/.exec(line ?? "")?.[1];
      return parseRecords(readFileSync(join(paths.inbox, `${id}.json`), "utf8"));
    };
    assert.deepEqual(read(out[0]), [question({ created_at: "2026-01-01T00:00:00Z", note: 1, expires_at: expiry })]);
    assert.deepEqual(read(out[1]), [question({ expires_at: expiry })]);
  });

  test("finishes what a crash cut short, and has nothing judged twice", async (t) => {
    const paths = makeState(t);
    const spare = join(paths.root, "spare");
    mkdirSync(spare);
    // The names of `mine` in dead/ after a crash between the inbox and the removal.
    const restore = (file: string, reason: string) => {
      linkSync(join(spare, file), join(paths.dead, file));
      writeFileSync(join(paths.dead, `${file}.reason.json`), reason);
    };
    for (const content of [evidence(), evidence({ id: "mine", note: 2 })]) {
      const file = "mine.json";
      const path = lay(paths, file, content);
      const reason = readFileSync(`${path}.reason.json`, "utf8");
      linkSync(path, join(spare, file));
      const first = await run(dead, ["requeue", file], paths);
      const id = /^requeued mine\.json as (\S+?):?(?: |$)/m.exec(first.out.join("\n"))?.[1] ?? "";
      restore(file, reason);
      const second = await run(dead, ["requeue", file], paths);
      assert.match(second.out.join("\n"), new RegExp(`^requeued mine\\.json as ${id}`));
      assert.deepEqual([readdirSync(paths.inbox), readdirSync(paths.dead)], [[`${id}.json`], []]);
      await judgeAll(paths);
      const judged = getVerdicts(paths);
      restore(file, reason);
      const third = await run(dead, ["requeue", file], paths);
      assert.deepEqual(third.out, [`removed mine.json: it was requeued before, and ${id} has its verdict`]);
      assert.deepEqual([readdirSync(paths.inbox), readdirSync(paths.dead)], [[], []]);
      await judgeAll(paths);
      assert.deepEqual(getVerdicts(paths), judged);
      rmSync(join(spare, file));
    }
    assert.equal(getVerdicts(paths).length, 2);
  });

  test("leaves what is no job where it is, and goes on with the rest", async (t) => {
    const paths = makeState(t);
    lay(paths, "broken.json", evidence(), { code: "broken_verdict", from: join(paths.outbox, "broken.json") });
    lay(paths, "latin.json", "");
    writeFileSync(join(paths.dead, "latin.json"), Buffer.from(JSON.stringify(evidence({ on_hit: "\xe9" })), "latin1"));
    lay(paths, "newer.json", evidence({ schema: 2 }));
    lay(paths, "deep.json", `{"hook":"h","x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    lay(paths, "good.json", evidence());
    const { code, out, err } = await run(dead, ["requeue", "--all"], paths);
    assert.equal(code, 1);
    assert.deepEqual(out, ["requeued good.json as good"]);
    const kept = err.filter((line) => line.startsWith("kept ")).sort();
    assert.match(kept[0] ?? "", /^kept broken\.json: expected a job, got what should have been a verdict; drop it$/);
    assert.match(kept[1] ?? "", /^kept deep\.json: expected arrays and objects to nest at most 64 levels deep/);
    assert.match(kept[2] ?? "", /^kept latin\.json: expected UTF-8 text/);
    assert.match(kept[3] ?? "", /^kept newer\.json: expected `schema` to be 1, got 2 \(number\); update catstack/);
    assert.equal(kept.length, 4);
    assert.deepEqual(readdirSync(paths.inbox), ["good.json"]);
    assert.equal(readdirSync(paths.dead).length, 8);
  });
});

describe("dead drop, and what is no plain file", () => {
  test("removes what is named, or with --all --yes everything, each with its reason", async (t) => {
    const paths = makeState(t);
    for (const file of ["a.json", "b.json", "c.json"]) lay(paths, file, "{}");
    layReason(paths, "gone.json");
    assert.deepEqual(await run(dead, ["drop", "b.json", "b"], paths), { code: 0, out: ["removed b.json"], err: [] });
    assert.deepEqual(readdirSync(paths.dead).sort(), [
      "a.json",
      "a.json.reason.json",
      "c.json",
      "c.json.reason.json",
      "gone.json.reason.json",
    ]);
    const all = await run(dead, ["drop", "--all", "--yes"], paths);
    assert.deepEqual(all.out.toSorted(), ["removed a.json", "removed c.json", "removed gone.json"]);
    assert.deepEqual(readdirSync(paths.dead), []);
    assert.deepEqual(await run(dead, ["drop", "--all", "--yes"], paths), {
      code: 0,
      out: ["nothing is dead"],
      err: [],
    });
  });

  test("no link is followed, no pipe opened, no folder emptied and nothing huge read", async (t) => {
    const paths = makeState(t);
    const outside = join(paths.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.json"), JSON.stringify(evidence()));
    symlinkSync(join(outside, "secret.json"), join(paths.dead, "link.json"));
    symlinkSync(outside, join(paths.dead, "link-to-folder.json"));
    execFileSync("mkfifo", [join(paths.dead, "pipe.json")]);
    mkdirSync(join(paths.dead, "full.json"));
    writeFileSync(join(paths.dead, "full.json", "inside"), "keep");
    mkdirSync(join(paths.dead, "empty.json"));
    writeFileSync(join(paths.dead, "huge.json"), "{");
    truncateSync(join(paths.dead, "huge.json"), 3 * 1024 ** 3);
    writeFileSync(join(paths.dead, "n".repeat(250)), "long name");
    // Reasons that are none.
    execFileSync("mkfifo", [join(paths.dead, "huge.json.reason.json")]);
    writeFileSync(join(paths.dead, "pipe.json.reason.json"), '{"code": 1');
    symlinkSync(join(outside, "secret.json"), join(paths.dead, "empty.json.reason.json"));
    // A file that was dropped under a name like a reason's, and has one of its own.
    lay(paths, "x.reason.json", "{}");

    const listed = parseRecords((await run(dead, ["list", "--json"], paths)).out[0] ?? "");
    const kinds: unknown = Object.fromEntries(listed.map(({ file, kind }) => [file, kind]));
    assert.deepEqual(kinds, {
      "link.json": "link",
      "link-to-folder.json": "link",
      "pipe.json": "pipe",
      "full.json": "folder",
      "empty.json": "folder",
      "huge.json": "file",
      ["n".repeat(250)]: "file",
      "huge.json.reason.json": "pipe",
      "empty.json.reason.json": "link",
      "x.reason.json": "file",
    });
    const list = (await run(dead, ["list"], paths)).out.join("\n");
    assert.match(list, /^pipe\.json +\d+ s +- +no reason was written; it is a named pipe$/m);
    assert.match(
      (await run(dead, ["show", "link.json"], paths)).out.join("\n"),
      /is {10}a symbolic link, which is never followed\n[^]*\n\n.*outside\/secret\.json$/,
    );
    for (const file of ["pipe.json", "full.json", "huge.json"])
      assert.equal((await run(dead, ["show", file], paths)).code, 0);

    const requeued = await run(dead, ["requeue", "--all"], paths);
    assert.deepEqual([requeued.code, requeued.out], [1, []]);
    assert.match(
      requeued.err.join("\n"),
      /^kept link\.json: expected a regular file, got a symbolic link, which is never followed/m,
    );
    assert.match(
      requeued.err.join("\n"),
      /^kept huge\.json: expected a file of at most 1572864 bytes, got 3221225472/m,
    );
    assert.deepEqual(readdirSync(paths.inbox), []);

    const dropped = await run(dead, ["drop", "--all", "--yes"], paths);
    assert.equal(dropped.code, 1);
    assert.match(
      dropped.err.join("\n"),
      /^kept full\.json: expected a file or an empty folder, got a folder that holds something; look into .*full\.json and remove it$/,
    );
    assert.deepEqual(readdirSync(paths.dead), ["full.json"]);
    assert.deepEqual(readdirSync(join(paths.dead, "full.json")), ["inside"]);
    assert.deepEqual(readdirSync(outside), ["secret.json"]);
  });
});
