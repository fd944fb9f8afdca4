import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { status } from "../../cli/status.ts";
import { isRecord } from "../../inbox-schema/describe.ts";
import { parseRunRecord } from "../../lib/harness/run-record.ts";
import { noteRun, readRuns } from "../../lib/io/edge/run-log.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { runCommand } from "../helpers/run-command.ts";
import { waitFor } from "../helpers/wait-for.ts";

const MAIN = fileURLToPath(new URL("../helpers/note-runs-main.ts", import.meta.url));
const run = { harness: "claude", event: "Stop", at: new Date("2026-03-01T12:00:00.000Z"), durationMs: 30, errors: [] };

function makeLog(t: TestContext) {
  const root = makeTempDir(t);
  const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
  mkdirSync(paths.runs, { recursive: true });
  const path = join(paths.runs, "claude.Stop.json");
  return { root, paths, path, lock: `${path}.lock`, note: (more = {}) => noteRun(paths, { ...run, ...more }) };
}

const args = (root: string, count: number): string[] => ["--import", "tsx", MAIN, root, String(count)];

describe("catstack status", () => {
  /** The lines that it prints, and the same for a program. */
  async function look(root: string): Promise<{ readonly lines: readonly string[]; readonly lastRuns: unknown }> {
    const out: string[] = [];
    const io = {
      env: { HOME: root, CATSTACK_LLM_JUDGE_STATE_DIR: root },
      stdin: Readable.from([]),
      now: () => new Date("2026-03-01T12:05:00.000Z"),
      out: (line: string) => void out.push(line),
      err: assert.fail,
      color: false,
      cwd: "/",
    };
    for (const args of [[], ["--json"]]) await status(args, io);
    const lines = out.slice(0, -1).filter((line) => /^heard|^ {8}/.test(line));
    const report: unknown = JSON.parse(out.at(-1) ?? "");
    assert.ok(isRecord(report));
    return { lines, lastRuns: report["last_runs"] };
  }

  test("tells when each client was last heard, and of the last error", async (t) => {
    const { root, note } = makeLog(t);
    note();
    note({ event: "UserPromptSubmit", at: new Date("2026-03-01T12:04:50.000Z"), errors: [{ hook: "edge", error: 1 }] });
    note({ harness: "codex", event: "Notice", at: new Date("2026-02-27T12:05:00.000Z") });
    const { lines, lastRuns } = await look(root);
    assert.deepEqual(lines, [
      "heard       claude: Stop 5 min ago, UserPromptSubmit 10 s ago (1 of 1 with an error, see `catstack doctor`)",
      "heard       codex: notify 2 d ago",
    ]);
    const since = { since: "2026-02-27T12:05:00.000Z", at: "2026-02-27T12:05:00.000Z" };
    const counts = { duration_ms: 30, runs: 1, errors: 0, last_error: null };
    assert.ok(Array.isArray(lastRuns));
    assert.deepEqual(lastRuns[2], { harness: "codex", event: "Notice", ...since, ...counts });
  });

  test("has nothing to say before, and says why where it cannot be told", async (t) => {
    const { root, paths } = makeLog(t);
    assert.deepEqual(await look(root), { lines: [], lastRuns: [] });
    rmSync(paths.runs, { recursive: true });
    symlinkSync(paths.runs, paths.runs);
    const { lines, lastRuns } = await look(root);
    assert.deepEqual(lastRuns, null);
    assert.match(lines.join(), /^heard {7}cannot be told: .*ELOOP/);
  });
});

describe("the log of runs under attack", () => {
  test("counts every run of six processes that write at once", async (t) => {
    const { root, paths } = makeLog(t);
    const all = Array.from({ length: 6 }, () => runCommand(process.execPath, args(root, 300)));
    for (const { code, stderr } of await Promise.all(all)) assert.equal(code, 0, stderr);
    assert.deepEqual(
      readRuns(paths).map(({ runs, errors }) => [runs, errors]),
      [[1800, 0]],
    );
    assert.deepEqual(readdirSync(paths.runs), ["claude.Stop.json"]);
  });

  test("is whole after a writer was killed at any moment, and counts on", async (t) => {
    const { root, paths, note } = makeLog(t);
    for (let kill = 0; kill < 3; kill++) {
      const child = spawn(process.execPath, args(root, 1e9), { stdio: "ignore" });
      const before = readRuns(paths)[0]?.runs ?? 0;
      await waitFor("runs of the writer", () => ((readRuns(paths)[0]?.runs ?? 0) > before + 100 ? true : undefined));
      child.kill("SIGKILL");
      await once(child, "exit");
      const counted = readRuns(paths)[0]?.runs ?? 0;
      assert.ok(counted > before + 100);
      note();
      assert.equal(readRuns(paths)[0]?.runs, counted + 1);
    }
  });

  test("takes away the lock of one that was killed, whatever the clock says", (t) => {
    const { paths, lock, note } = makeLog(t);
    for (const seconds of [-5, 5000]) {
      writeFileSync(lock, "");
      const time = Date.now() / 1000 + seconds;
      utimesSync(lock, time, time);
      note();
      assert.equal(existsSync(lock), false);
    }
    assert.equal(readRuns(paths)[0]?.runs, 2);
  });

  test("counts where nothing can be locked", (t) => {
    const { paths, lock, note } = makeLog(t);
    mkdirSync(lock);
    utimesSync(lock, 0, 0);
    note();
    note();
    assert.equal(readRuns(paths)[0]?.runs, 2);
  });

  test("neither waits for nor writes into a pipe, a link or a folder in its place", async (t) => {
    const { root, paths, path, note } = makeLog(t);
    const other = join(root, "other");
    writeFileSync(other, "theirs");
    for (const make of [["mkfifo"], ["mkdir"], ["ln", "-s", other]] as const) {
      const [file, ...rest] = make;
      assert.equal((await runCommand(file, [...rest, path])).code, 0);
      note();
      assert.deepEqual([readRuns(paths), readFileSync(other, "utf8")], [[], "theirs"]);
      rmSync(path, { recursive: true });
    }
  });

  test("stays as small, and holds no word of an error, whatever that calls itself", (t) => {
    const { paths, path, note } = makeLog(t);
    const error = Object.assign(new Error("in /home/someone/secret"), { code: `/home/someone/${"x".repeat(600)}` });
    note({ errors: [{ hook: "verdict-flip-watch", error }] });
    note({ errors: [{ hook: "edge", error: "in /home/someone/secret" }] });
    assert.equal(statSync(path).size, 512);
    assert.doesNotMatch(readFileSync(path, "utf8"), /someone/);
    const [record] = readRuns(paths);
    assert.deepEqual([record?.runs, record?.errors, record?.last_error?.name], [2, 2, "Error"]);
  });

  test("takes nothing for a record that has no times or no counts", (t) => {
    const { path, note } = makeLog(t);
    note();
    const text = readFileSync(path, "utf8");
    assert.notEqual(parseRunRecord(text), undefined);
    for (const [from, to] of [
      ['"runs":1', '"runs":-1'],
      ['"runs":1', '"runs":1.5'],
      ['"duration_ms":30', '"duration_ms":null'],
      ['"at":"2026', '"at":"nonsense'],
      ['"at":"2026-03-01T12', '"at":"2026-03-01T25'],
      ['"since":"2026', '"since":"x'],
    ] as const) {
      assert.ok(text.includes(from));
      assert.equal(parseRunRecord(text.replace(from, to)), undefined, to);
    }
  });
});
