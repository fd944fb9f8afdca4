import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { watch } from "../../cli/watch.ts";
import { openClaims } from "../../judge/claim.ts";
import { createBackoff } from "../../judge/schedule/backoff.ts";
import { createDeadTest } from "../../judge/recovery/dead-owner.ts";
import { createReclaimer } from "../../judge/recovery/reclaim.ts";
import { createEventBus, type JobEvent } from "../../judge/events.ts";
import type { Waiting } from "../../judge/inbox/inbox.ts";
import { createInstance, writeInstance } from "../../judge/state/instance.ts";
import { moveOnce } from "../../lib/io/move-file.ts";
import { advance, type JobState } from "../../judge/lifecycle.ts";
import { createComplaints } from "../../judge/health/complaints.ts";
import { createLogListener } from "../../judge/health/log.ts";
import { createInboxReader } from "../../judge/inbox/read-inbox.ts";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { publishVerdict, requeueForDelivery } from "../../judge/outbox.ts";
import { selectJobs, type Load } from "../../judge/schedule/select-jobs.ts";
import { createShutdown } from "../../judge/supervision/shutdown.ts";
import { openDoorbell } from "../../judge/watch.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import type { StatePaths } from "../../lib/io/paths.ts";
import { getTranscriptKey } from "../../lib/io/transcript-key.ts";
import { getOwnIdentity } from "../../lib/io/process-identity.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { installFakes, isRunning, makeTempDir } from "../helpers/fake-clis.ts";
import {
  askFake,
  assertAtRest,
  backdate,
  drop,
  evidence,
  getMode,
  judgeAll,
  listUndelivered,
  makeState,
  question,
  readReason,
  readVerdictAt,
  getVerdicts,
  transcript,
  transcriptKey,
  watchInProcess,
} from "../helpers/queue.ts";

const HOUR = 3_600_000;
const isRoot = process.getuid?.() === 0;

test("evidence is judged without a runner, and its verdict waits for the transcript", async (t) => {
  const paths = makeState(t);
  const text = JSON.stringify(
    evidence({ session_id: "s1", turn_id: "t1", rule_id: "r1", harness: "claude", x_mine: "\u00e9" }),
  );
  drop(paths, "e1.json", text);
  const end = await judgeAll(paths);
  assert.deepEqual([end.code, end.left, end.tally.counts.hit], [0, 0, 1]);
  const verdict = readVerdictAt(join(paths.outbox, "e1.json"));
  assert.deepEqual(
    { ...verdict, finished_at: "" },
    {
      schema: 1,
      id: "e1",
      hook: "test",
      transcript,
      transcript_key: transcriptKey,
      harness: "claude",
      session_id: "s1",
      turn_id: "t1",
      rule_id: "r1",
      on_hit: "say it",
      mode: "default",
      job_hash: createHash("sha1").update(text).digest("hex").slice(0, 16),
      outcome: "hit",
      reason: "all true: hit",
      runner: "evidence",
      answer: { hit: true },
      attempts: [],
      finished_at: "",
    },
  );
  const link = join(paths.undelivered, transcriptKey, "e1.json");
  assert.equal(statSync(link).ino, statSync(join(paths.outbox, "e1.json")).ino, "two names of one file");
  assert.deepEqual([getMode(link), getMode(join(paths.undelivered, transcriptKey))], ["600", "700"]);
  assertAtRest(paths);
});

test("a verdict holds the start of a long on_hit and the keys of a long answer that fit", async (t) => {
  const paths = makeState(t);
  // {"a":"x..."} is 8 bytes more than its text, and one key of 64 KiB fits to the byte.
  const fits = { a: "x".repeat(64 * 1024 - 8) };
  drop(paths, "e1.json", evidence({ answer: fits, hit_if_all_true: [], on_hit: "y".repeat(4001) }));
  drop(paths, "e2.json", evidence({ answer: { big: "é".repeat(33_000), hit: true, note: "n" } }));
  await judgeAll(paths);
  const [one, two] = getVerdicts(paths);
  assert.deepEqual(
    [one?.answer, one?.on_hit, one?.reason],
    [fits, "y".repeat(4000), "answered, and any answer is a hit"],
  );
  assert.deepEqual([two?.outcome, two?.answer], ["hit", { hit: true, note: "n" }]);
  assert.equal(two?.reason, "all true: hit; of the answer's 3 keys only 2 fit into the verdict");
});

test("a clean verdict is committed and has nothing to deliver", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", evidence({ answer: { hit: false } }));
  await judgeAll(paths);
  assert.deepEqual(
    getVerdicts(paths).map(({ outcome }) => outcome),
    ["clean"],
  );
  assert.deepEqual(listUndelivered(paths), []);
  assertAtRest(paths);
});

test("a question is asked, and the log tells of it without its text", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  drop(paths, "q1.json", question({ created_at: new Date().toISOString() }));
  const watcher = await watchInProcess(paths, { env: askFake(path), once: true });
  await watcher.ended;
  const log = createLogListener(paths.judgeLog, () => new Date(0));
  watcher.events.forEach(log);
  const [verdict] = getVerdicts(paths);
  assert.deepEqual([verdict?.outcome, verdict?.runner, verdict?.report], ["hit", "model", "seen in a.txt"]);
  assert.ok(verdict?.started_at !== undefined && verdict.created_at !== undefined);
  assert.deepEqual(
    watcher.events.map(({ event }) => event),
    ["watcher:ready", "job:claimed", "job:start", "job:judged", "watcher:stopping", "watcher:stop"],
  );
  const lines = readFileSync(paths.judgeLog, "utf8");
  assert.equal(
    lines.split("\n")[1],
    '{"at":"1970-01-01T00:00:00.000Z","level":"info","event":"job:claimed","id":"q1"}',
  );
  assert.doesNotMatch(lines, /secret|seen in/);
  assert.equal(getMode(paths.judgeLog), "600");
  assertAtRest(paths);
});

for (const [what, first, second] of [
  ["its content is the same", evidence(), evidence()],
  ["it names its id and comes from the same rule", question({ id: "e1", x: 1 }), evidence({ id: "e1" })],
] as const) {
  test(`a file whose id has its verdict is dropped when ${what}`, async (t) => {
    const paths = makeState(t);
    const env = askFake("/nowhere");
    drop(paths, "e1.json", first);
    await judgeAll(paths, { env });
    const verdict = readFileSync(join(paths.outbox, "e1.json"), "utf8");
    drop(paths, "e1.json", second);
    const watcher = await watchInProcess(paths, { env, once: true });
    await watcher.ended;
    assert.deepEqual(
      watcher.events.map(({ event }) => event),
      ["watcher:ready", "job:claimed", "job:duplicate", "watcher:stopping", "watcher:stop"],
    );
    assert.equal(readFileSync(join(paths.outbox, "e1.json"), "utf8"), verdict);
    assert.deepEqual(listDir(paths.dead), []);
    assertAtRest(paths);
  });
}

const elsewhere = "/nowhere/other.jsonl";
for (const [what, second] of [
  ["has other content and no id in it", evidence({ answer: { hit: false }, transcript: elsewhere })],
  ["names its id and is another hook's", evidence({ id: "e1", hook: "other", transcript: elsewhere })],
  ["names its id and is another transcript's", evidence({ id: "e1", transcript: elsewhere })],
  ["names its id and is another rule's", evidence({ id: "e1", rule_id: "r2", transcript: elsewhere })],
] as const) {
  test(`a file whose id has its verdict is kept in dead/ when it ${what}`, async (t) => {
    const paths = makeState(t);
    drop(paths, "e1.json", evidence());
    await judgeAll(paths);
    const verdict = readFileSync(join(paths.outbox, "e1.json"), "utf8");
    drop(paths, "e1.json", second);
    await judgeAll(paths);
    assert.deepEqual(JSON.parse(readFileSync(join(paths.dead, "e1.json"), "utf8")), second);
    const { code, reason } = readReason(paths, "e1.json");
    assert.equal(code, "id_taken");
    assert.match(String(reason), /got e1, under which another job was judged already; rename the file/);
    assert.equal(readFileSync(join(paths.outbox, "e1.json"), "utf8"), verdict);
    const [told] = getVerdicts(paths).filter(({ id }) => id !== "e1");
    assert.deepEqual([told?.outcome, told?.transcript, told?.reason], ["unchecked", elsewhere, reason]);
    assert.equal(listUndelivered(paths).includes(`${getTranscriptKey(elsewhere)}/${told?.id}`), true);
    assertAtRest(paths);
  });
}

test("a verdict without the hash of its job stands for every job of its hook and transcript", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", evidence());
  await judgeAll(paths);
  const path = join(paths.outbox, "e1.json");
  const { job_hash, ...older } = readVerdictAt(path);
  assert.equal(job_hash, createHash("sha1").update(JSON.stringify(evidence())).digest("hex").slice(0, 16));
  writeFileSync(path, JSON.stringify(older));
  drop(paths, "e1.json", evidence({ answer: { hit: false } }));
  await judgeAll(paths);
  assert.deepEqual([listDir(paths.dead), listDir(paths.outbox)], [[], ["e1.json"]]);
  drop(paths, "e1.json", evidence({ hook: "other" }));
  await judgeAll(paths);
  assert.equal(readReason(paths, "e1.json")["code"], "id_taken");
});

for (const [what, make] of [
  ["an empty file", (path) => writeFileSync(path, "")],
  ["a text", (path) => writeFileSync(path, "garbage")],
  ["another object", (path) => writeFileSync(path, '{"schema": 1}')],
  ["a directory", (path) => mkdirSync(path)],
  ["a link to a verdict elsewhere", (path) => symlinkSync("/nowhere/e1.json", path)],
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
] as const satisfies readonly (readonly [string, (path: string) => unknown])[]) {
  test(`${what} in place of a verdict goes to dead/, and the job is judged`, async (t) => {
    const paths = makeState(t);
    const path = join(paths.outbox, "e1.json");
    make(path);
    const { ino } = lstatSync(path);
    drop(paths, "e1.json", evidence());
    await judgeAll(paths);
    assert.equal(readVerdictAt(path).outcome, "hit");
    assert.deepEqual(listUndelivered(paths), [`${transcriptKey}/e1`]);
    assert.equal(lstatSync(join(paths.dead, "e1.json")).ino, ino);
    assert.equal(readReason(paths, "e1.json")["code"], "broken_verdict");
    assertAtRest(paths);
  });
}

for (const taken of ["e1.json", "e1.json.reason.json"]) {
  test(`what is no verdict takes the place of nothing in dead/: ${taken}`, async (t) => {
    const paths = makeState(t);
    writeFileSync(join(paths.dead, taken), "of another");
    writeFileSync(join(paths.outbox, "e1.json"), "garbage");
    drop(paths, "e1.json", evidence());
    await judgeAll(paths);
    assert.equal(readFileSync(join(paths.dead, taken), "utf8"), "of another");
    const [file = "", reason, ...more] = listDir(paths.dead)
      .filter((name) => name !== taken)
      .sort();
    assert.deepEqual([reason, more], [`${file}.reason.json`, []]);
    assert.equal(readFileSync(join(paths.dead, file), "utf8"), "garbage");
    assert.equal(readReason(paths, file)["file"], file);
  });
}

test("a verdict of a newer format is left alone, and a job of its id is kept", async (t) => {
  const paths = makeState(t);
  writeFileSync(join(paths.outbox, "e1.json"), '{"schema": 2}');
  drop(paths, "e1.json", evidence());
  await judgeAll(paths);
  assert.equal(readFileSync(join(paths.outbox, "e1.json"), "utf8"), '{"schema": 2}');
  assert.equal(readReason(paths, "e1.json")["code"], "id_taken");
});

test("a broken verdict that appears while a job runs does not take its answer's place", (t) => {
  const paths = makeState(t);
  const verdict = makeVerdict("e1");
  writeFileSync(join(paths.outbox, "e1.json"), "");
  assert.equal(publishVerdict(verdict, paths), true);
  assert.deepEqual(readVerdictAt(join(paths.outbox, "e1.json")), verdict);
});

function makeVerdict(id: string): Verdict {
  return {
    schema: 1,
    id,
    hook: "test",
    transcript,
    transcript_key: transcriptKey,
    on_hit: "say it",
    mode: "default",
    outcome: "hit",
    reason: "",
    runner: null,
    answer: null,
    attempts: [],
    finished_at: "2026-01-31T09:30:00.000Z",
  };
}

test("a file whose name leaves no room for more is dead under a short one, and the verdict names it", async (t) => {
  const paths = makeState(t);
  for (const name of [`${"n".repeat(240)}.json`, `${"n".repeat(250)}.json`]) {
    drop(paths, name, evidence());
    await judgeAll(paths);
    const file = listDir(paths.dead).find((entry) => readsFrom(entry, join(paths.inbox, name)));
    assert.ok(file !== undefined && file.length < 60, file);
    assert.ok(getVerdicts(paths).some(({ reason }) => reason.endsWith(`; it is kept as dead/${file}`)));
    assertAtRest(paths);
  }
  assert.equal(getVerdicts(paths).length, 2);

  function readsFrom(entry: string, from: string): boolean {
    return !entry.endsWith(".reason.json") && readReason(paths, entry)["from"] === from;
  }
});

interface BadFile {
  readonly name: string;
  readonly code: string;
  /** Makes the file; `path` is where in the inbox. */
  readonly make: (path: string, t: TestContext) => unknown;
  readonly reason: RegExp;
  /** A transcript can be read from it. */
  readonly judged: boolean;
  readonly skip?: string | false;
}

const old = (path: string, content: string): void => {
  writeFileSync(path, content);
  backdate(path, HOUR);
};
const asJob = (more: Record<string, unknown>) => (path: string) => writeFileSync(path, JSON.stringify(evidence(more)));
const badFiles: Readonly<Record<string, BadFile>> = {
  "an empty file": {
    name: "b1.json",
    code: "invalid_json",
    make: (path) => old(path, ""),
    reason: /empty/,
    judged: false,
  },
  "half a file": {
    name: "b1.json",
    code: "invalid_json",
    make: (path) => old(path, '{"transcript":"/nowhere/session.jsonl","hook":"te'),
    reason: /line 1/,
    judged: true,
  },
  "a file that is too large": {
    name: "b1.json",
    code: "too_large",
    make: asJob({ padding: "x".repeat(2_000_000) }),
    reason: /at most 1572864 bytes, got 2\d{6}/,
    judged: true,
  },
  "text that is not UTF-8": {
    name: "b1.json",
    code: "invalid_json",
    make(path) {
      writeFileSync(path, Buffer.from(JSON.stringify(evidence({ on_hit: "caf\u00e9" })), "latin1"));
      backdate(path, HOUR);
    },
    reason: /UTF-8/,
    judged: true,
  },
  "a symbolic link": {
    name: "b1.json",
    code: "not_a_file",
    make(path, t) {
      const target = join(makeTempDir(t), "job.json");
      asJob({})(target);
      symlinkSync(target, path);
    },
    reason: /symbolic link, which is never followed/,
    judged: false,
  },
  "a directory": {
    name: "b1.json",
    code: "not_a_file",
    make: (path) => mkdirSync(path),
    reason: /a directory/,
    judged: false,
  },
  "a named pipe": {
    name: "b1.json",
    code: "not_a_file",
    make: (path) => execFileSync("mkfifo", [path]),
    reason: /a named pipe/,
    judged: false,
  },
  "a socket": {
    name: "b1.json",
    code: "not_a_file",
    async make(path, t) {
      const server = createServer();
      await new Promise<void>((listening) => server.listen(path, listening));
      t.after(() => server.close());
    },
    reason: /a socket/,
    judged: false,
  },
  "another account's file": {
    name: "b1.json",
    code: "foreign_owner",
    make(path) {
      asJob({})(path);
      chownSync(path, 12_345, 12_345);
    },
    reason: /got one of account 12345/,
    judged: false,
    skip: !isRoot && "only root can give a file away",
  },
  "a file that cannot be read": {
    name: "b1.json",
    code: "unreadable",
    make(path) {
      asJob({})(path);
      chmodSync(path, 0);
    },
    reason: /got EACCES/,
    judged: false,
    skip: isRoot && "root can read any file",
  },
  "a wrong type": {
    name: "b1.json",
    code: "invalid",
    make: asJob({ on_hit: 5 }),
    reason: /`on_hit`.*5 \(number\)/,
    judged: true,
  },
  "a format to come": {
    name: "b1.json",
    code: "unsupported_schema",
    make: asJob({ schema: 2 }),
    reason: /`schema`.*1.*2/,
    judged: true,
  },
  "an id that is a path": {
    name: "b1.json",
    code: "invalid",
    make: asJob({ id: "../b1" }),
    reason: /`id`/,
    judged: true,
  },
  "an id that is not its name": {
    name: "b1.json",
    code: "invalid",
    make: asJob({ id: "b2" }),
    reason: /`id`.*b1.*b2/,
    judged: true,
  },
  "a key that would reach the prototype": {
    name: "b1.json",
    code: "invalid",
    make: (path) => writeFileSync(path, JSON.stringify(evidence()).replace("{", '{"__proto__":{"on_hit":"x"},')),
    reason: /__proto__/,
    judged: true,
  },
  "an array": {
    name: "b1.json",
    code: "not_an_object",
    make: (path) => old(path, "[1]"),
    reason: /one JSON object/,
    judged: false,
  },
  "a name that is no id": { name: "my job.json", code: "invalid", make: asJob({}), reason: /name/, judged: true },
  "a name that is too long": {
    name: `${"n".repeat(200)}.json`,
    code: "invalid",
    make: asJob({}),
    reason: /name/,
    judged: true,
  },
};

for (const [what, { name, code, make, reason, judged, skip = false }] of Object.entries(badFiles)) {
  test(`${what} goes to dead/ beside its reason`, { skip }, async (t) => {
    const paths = makeState(t);
    const path = join(paths.inbox, name);
    await make(path, t);
    const { ino } = lstatSync(path);
    const end = await judgeAll(paths);
    assert.equal(end.tally.counts.dead, 1);
    const [file = "none"] = listDir(paths.dead).filter((entry) => !entry.endsWith(".reason.json"));
    assert.equal(file === name, /^b1\.json$/.test(name), "an unusable name is replaced");
    assert.equal(lstatSync(join(paths.dead, file)).ino, ino, "the file itself");
    const found = readReason(paths, file);
    assert.deepEqual([found["code"], found["from"]], [code, path]);
    assert.match(String(found["reason"]), reason);
    const verdicts = getVerdicts(paths);
    assert.deepEqual(
      verdicts.map((verdict) => [verdict.outcome, verdict.transcript, verdict.runner, verdict.reason]),
      judged ? [["unchecked", transcript, null, found["reason"]]] : [],
    );
    assert.deepEqual(
      listUndelivered(paths),
      verdicts.map(({ id }) => `${transcriptKey}/${id}`),
    );
    if (judged) assert.equal(verdicts[0]?.id === "b1", name === "b1.json", "its own id where that is usable");
    assertAtRest(paths);
  });
}

test("a second bad file of a name takes a free one, and its verdict a free id", async (t) => {
  const paths = makeState(t);
  for (const on_hit of [1, 2]) {
    drop(paths, "b1.json", evidence({ on_hit }));
    await judgeAll(paths);
  }
  const files = listDir(paths.dead).filter((name) => !name.endsWith(".reason.json"));
  assert.equal(files.length, 2);
  assert.deepEqual(
    files.filter((file) => file !== "b1.json").map((file) => readReason(paths, file)["from"]),
    [join(paths.inbox, "b1.json")],
  );
  assert.equal(getVerdicts(paths).length, 2);
  assert.ok(listUndelivered(paths).includes(`${transcriptKey}/b1`));
});

test("files of editors and other programs are left alone", async (t) => {
  const paths = makeState(t);
  const names = [".e1.json", ".e1.json.swp", "e1.json.part", "e1.json.tmp", "e1.json~", "e1.txt", "~e1.json"];
  for (const name of names) drop(paths, name, evidence());
  const end = await judgeAll(paths);
  assert.deepEqual([end.left, end.tally.counts.hit, end.tally.counts.dead], [0, 0, 0]);
  assertAtRest(paths, names.sort());
});

/** Resolves when the watcher has looked into the inbox after everything that was there before this call. */
async function waitForLook(
  paths: StatePaths,
  watcher: Awaited<ReturnType<typeof watchInProcess>>,
  id: string,
): Promise<void> {
  drop(paths, `${id}.json`, evidence());
  await watcher.waitForEvent("job:judged", id);
}

test("a half-written file is judged once it is whole", async (t) => {
  const paths = makeState(t);
  const text = JSON.stringify(evidence());
  const path = drop(paths, "e1.json", text.slice(0, 40));
  const watcher = await watchInProcess(paths, { once: true });
  await waitForLook(paths, watcher, "look1");
  assert.equal(readFileSync(path, "utf8").length, 40, "left where it is");
  appendFileSync(path, text.slice(40));
  const end = await watcher.ended;
  assert.deepEqual([end.tally.counts.hit, end.tally.counts.dead], [2, 0]);
  assertAtRest(paths);
});

test("a file that an editor rewrites in place is judged as it ends up", async (t) => {
  const paths = makeState(t);
  const path = join(paths.inbox, "e1.json");
  writeFileSync(path, "");
  const watcher = await watchInProcess(paths, { once: true });
  await waitForLook(paths, watcher, "look1");
  const text = JSON.stringify(evidence({ answer: { hit: false } }));
  const fd = openSync(path, "w");
  writeSync(fd, text.slice(0, 20));
  await waitForLook(paths, watcher, "look2");
  writeSync(fd, text.slice(20));
  closeSync(fd);
  const end = await watcher.ended;
  assert.deepEqual([end.tally.counts.clean, end.tally.counts.hit, end.tally.counts.dead], [1, 2, 0]);
});

test("a large job that is copied in is judged whole", async (t) => {
  const paths = makeState(t);
  const source = join(makeTempDir(t), "big.json");
  writeFileSync(source, JSON.stringify(evidence({ texts: ["x".repeat(1_400_000)] })));
  const watcher = await watchInProcess(paths);
  execFileSync("cp", [source, join(paths.inbox, "big.json")]);
  await watcher.waitForEvent("job:judged", "big");
  assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
});

test("a file that stays half-written is dead ten seconds after its last change", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", '{"hook":"te', 9000);
  const watcher = await watchInProcess(paths, { once: true });
  await waitForLook(paths, watcher, "look1");
  assert.deepEqual(listDir(paths.dead), []);
  const end = await watcher.ended;
  assert.equal(end.tally.counts.dead, 1);
  assert.equal(readReason(paths, "e1.json")["code"], "invalid_json");
});

test("an expired job is unchecked, and nobody is asked", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", evidence({ expires_at: "2020-01-01T00:00:00Z" }));
  drop(paths, "q1.json", question({ expires_at: "2020-01-01T00:00:00Z" }));
  drop(paths, "q2.json", question({ created_at: "2020-01-01T00:00:00Z" }));
  await judgeAll(paths, { env: askFake("/nowhere") });
  assert.deepEqual(
    getVerdicts(paths).map(({ outcome, reason, attempts }) => [outcome, reason, attempts]),
    [
      ["unchecked", "expired: it was not judged before 2020-01-01T00:00:00.000Z", []],
      ["unchecked", "expired: it was not judged before 2020-01-01T00:00:00.000Z", []],
      ["unchecked", "expired: it was not judged before 2020-01-02T00:00:00.000Z", []],
    ],
  );
  assertAtRest(paths);
});

test("a job without a time of its own expires a day after it came into the inbox, however old the file", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  const file = join(makeTempDir(t), "q1.json");
  writeFileSync(file, JSON.stringify(question()));
  backdate(file, 48 * HOUR);
  renameSync(file, join(paths.inbox, "q1.json"));
  await judgeAll(paths, { env: askFake(path) });
  assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
});

test("over a cap jobs wait in the inbox, evidence does not, and what expires there says why", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  for (const id of ["q1", "q2", "q3"]) drop(paths, `${id}.json`, question());
  let now = new Date();
  const watcher = await watchInProcess(paths, { env: askFake(path), settings: { jobsPerHour: 2 }, now: () => now });
  await watcher.waitForEvent("job:judged", "q1");
  await watcher.waitForEvent("job:judged", "q2");
  await waitForLook(paths, watcher, "look1");
  assert.deepEqual(listDir(paths.inbox), ["q3.json"]);
  now = new Date(now.getTime() + 25 * HOUR);
  await watcher.waitForEvent("job:judged", "q3");
  const { outcome, reason } = readVerdictAt(join(paths.outbox, "q3.json"));
  assert.equal(outcome, "unchecked");
  assert.match(reason, /^cap: 2 jobs an hour were used up until this one expired at /);
});

test("caps count the starts of earlier watchers", async (t) => {
  const paths = makeState(t);
  const { path } = installFakes(t, { model: "answers" });
  const options = { env: askFake(path), settings: { jobsPerDay: 1 } };
  drop(paths, "q1.json", question());
  assert.equal((await judgeAll(paths, options)).left, 0);
  drop(paths, "q2.json", question());
  assert.equal((await judgeAll(paths, options)).left, 1);
});

test("a job that was tried three times is dead, and its verdict says so", async (t) => {
  const paths = makeState(t);
  drop(paths, "q1.json", question());
  writeFileSync(join(paths.attempts, "q1"), "...");
  await judgeAll(paths, { env: askFake("/nowhere") });
  assert.equal(readReason(paths, "q1.json")["code"], "attempts");
  const [verdict] = getVerdicts(paths);
  assert.equal(verdict?.id, "q1");
  assert.match(verdict?.reason ?? "", /tried 3 times/);
  assertAtRest(paths);
});

test("a stopped watcher ends its runner, gives the attempt back and requeues the job", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question());
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path), graceMs: 100 });
  const [pid = 0] = await fakes.waitForPids("model");
  assert.equal(readFileSync(join(paths.attempts, "q1"), "utf8"), ".", "counted before the runner starts");
  watcher.stop("test");
  drop(paths, "e1.json", evidence());
  const end = await watcher.ended;
  assert.deepEqual([end.code, end.left], [0, 2]);
  assert.equal(isRunning(pid), false);
  assert.deepEqual(getVerdicts(paths), []);
  assertAtRest(paths, ["e1.json", "q1.json"]);
});

test("a watcher that is killed does not wait for the time of grace", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "ignores-term" });
  drop(paths, "q1.json", question());
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path), graceMs: 24 * HOUR });
  const [pid = 0] = await fakes.waitForPids("model");
  watcher.stop("first");
  watcher.kill("second");
  assert.deepEqual((await watcher.ended).reason, "first");
  assert.equal(isRunning(pid), false);
  assertAtRest(paths, ["q1.json"]);
});

test("as many jobs as may run listen for the end of their watcher without a warning", async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  t.after(() => process.off("warning", note));
  const { signal } = createShutdown(0);
  for (let job = 0; job < 16; job++) signal.addEventListener("abort", () => {});
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(warnings, []);
});

test("a stopped watcher waits for an answer that comes in time", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "answers" });
  drop(paths, "q1.json", question());
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path), graceMs: 30_000 });
  await watcher.waitForEvent("job:start", "q1");
  watcher.stop("test");
  await watcher.ended;
  assert.equal(getVerdicts(paths)[0]?.outcome, "hit");
  assertAtRest(paths);
});

test("a watcher whose lock is taken away publishes nothing and ends with 75", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question());
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path), graceMs: 60_000 });
  const [pid = 0] = await fakes.waitForPids("model");
  for (const lock of listDir(paths.locks)) rmSync(join(paths.locks, lock), { recursive: true });
  const end = await watcher.ended;
  assert.equal(end.code, 75);
  assert.ok(watcher.events.some(({ event }) => event === "job:lost"));
  assert.deepEqual(listDir(paths.inbox), [], "the claim is left as it is");
  assert.equal(isRunning(pid), false);
  assert.deepEqual(getVerdicts(paths), []);
  const { path } = installFakes(t, { model: "answers" });
  await judgeAll(paths, { env: askFake(path) });
  assert.equal(getVerdicts(paths)[0]?.outcome, "hit", "the next watcher judges it");
  assertAtRest(paths);
});

test("a claim is locked under run/locks while its job runs", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question());
  await watchInProcess(paths, { env: askFake(fakes.path) });
  await fakes.waitForPids("model");
  const [instance = ""] = listDir(paths.claimed);
  assert.deepEqual(listDir(paths.locks).sort(), [instance, `${instance}.q1`]);
  assert.deepEqual(listDir(join(paths.claimed, instance)).sort(), ["q1.json", "q1.run.json"]);
  assert.deepEqual(listDir(paths.instances), [`${instance}.json`]);
});

test("a second file of a running job's name waits, overwrites nothing and is dropped afterwards", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question());
  const watcher = await watchInProcess(paths, { env: askFake(fakes.path), settings: { concurrency: 1 } });
  await fakes.waitForPids("model");
  drop(paths, "q1.json", evidence({ answer: { hit: false } }));
  await waitForLook(paths, watcher, "look1");
  assert.deepEqual(listDir(paths.inbox), ["q1.json"]);
  watcher.stop("test");
  await watcher.ended;
  assert.deepEqual(readReason(paths, "q1.json")["code"], "superseded", "the interrupted one is kept");
  assert.deepEqual(listDir(paths.inbox), ["q1.json"]);
});

test("a second file of a name that another watcher works on is left until that is done", async (t) => {
  const paths = makeState(t);
  const fakes = installFakes(t, { model: "hangs" });
  drop(paths, "q1.json", question());
  const one = await watchInProcess(paths, { env: askFake(fakes.path) });
  await fakes.waitForPids("model");
  drop(paths, "q1.json", question());
  const two = await watchInProcess(paths, { env: askFake("/nowhere") });
  let looks = 0;
  for (const watcher of [one, two]) {
    await waitFor("a look of each", () => {
      drop(paths, `look${(looks += 1)}.json`, evidence());
      return watcher.events.some(({ event }) => event === "job:judged") ? true : undefined;
    });
  }
  await waitFor("an end", () => (listDir(paths.inbox).length === 1 ? true : undefined));
  assert.equal([...one.events, ...two.events].filter(({ event }) => event === "job:start").length, 1);
  assert.deepEqual(listDir(paths.inbox), ["q1.json"]);
});

test("a move that was cut short between its two names is finished, and another file of the new name stays", (t) => {
  const folder = makeTempDir(t);
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  writeFileSync(from, "1");
  linkSync(from, to);
  assert.deepEqual([moveOnce(from, to), listDir(folder)], [true, ["to"]]);
  writeFileSync(from, "2");
  assert.deepEqual([moveOnce(from, to), listDir(folder), readFileSync(to, "utf8")], [false, ["from", "to"], "1"]);
});

test("a claim never overwrites another of the same id", async (t) => {
  const paths = makeState(t);
  const claims = await openClaims(paths, "me", () => {});
  const path = join(paths.claimed, "me", "e1.json");
  mkdirSync(join(paths.claimed, "me"));
  writeFileSync(path, "the first");
  drop(paths, "e1.json", evidence());
  assert.equal(claims.take(waiting("e1.json", "evidence")), undefined);
  assert.equal(readFileSync(path, "utf8"), "the first");
  rmSync(path);
  const claim = claims.take(waiting("e1.json", "evidence"));
  assert.equal(claim?.path, path);
  assert.equal(claims.take(waiting("gone.json", "evidence")), undefined);
  rmSync(path);
  if (claim !== undefined) await claims.release(claim);
  await claims.close();
  assertAtRest(paths);
});

test("an inbox that is removed or exchanged while it is watched is made and watched anew", async (t) => {
  const paths = makeState(t);
  const watcher = await watchInProcess(paths);
  rmSync(paths.inbox, { recursive: true });
  mkdirSync(paths.inbox, { recursive: true, mode: 0o700 });
  await waitForLook(paths, watcher, "look1");
  let exchanges = 0;
  const read = createInboxReader(paths.inbox, () => void (exchanges += 1));
  assert.deepEqual([read(), read(), exchanges], [[], [], 0]);
  renameSync(paths.inbox, join(paths.root, "elsewhere"));
  assert.deepEqual([read(), exchanges], [[], 1]);
  assert.equal(getMode(paths.inbox), "700");
  await waitForLook(paths, watcher, "look2");
});

test("a doorbell that is opened again rings for the new inbox", async (t) => {
  const { root, inbox } = makeState(t);
  let rings = 0;
  const bell = await openDoorbell({
    root,
    inbox,
    ring: () => void (rings += 1),
    report: (error) => assert.fail(String(error)),
  });
  renameSync(inbox, join(root, "elsewhere"));
  mkdirSync(inbox);
  bell.reopen();
  // The exchange itself rings a few times, files do without end.
  const enough = rings + 20;
  let files = 0;
  await waitFor("a ring for every file", () => {
    writeFileSync(join(inbox, String((files += 1))), "");
    return rings >= enough ? true : undefined;
  });
  await bell.close();
});

test("a verdict is queued again after a crash only when it was not delivered", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", evidence());
  await judgeAll(paths);
  const verdict = join(paths.outbox, "e1.json");
  const link = join(paths.undelivered, transcriptKey, "e1.json");
  const delivering = join(paths.delivering, "1-abc");
  rmSync(link);
  mkdirSync(delivering, { recursive: true });
  linkSync(verdict, join(delivering, "e1.json"));
  requeueForDelivery("e1", paths);
  assert.deepEqual(listUndelivered(paths), [], "it is being delivered");
  rmSync(delivering, { recursive: true });
  chmodSync(verdict, 0o400);
  requeueForDelivery("e1", paths);
  assert.deepEqual(listUndelivered(paths), [], "it was delivered");
  chmodSync(verdict, 0o600);
  requeueForDelivery("e1", paths);
  assert.deepEqual(listUndelivered(paths), [`${transcriptKey}/e1`]);
});

test("what a dead hook had taken for delivery goes back", async (t) => {
  const paths = makeState(t);
  drop(paths, "e1.json", evidence());
  await judgeAll(paths);
  const folder = join(paths.delivering, "1-abc");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".owner"), JSON.stringify({ ...getOwnIdentity(), startTime: "1" }));
  renameSync(join(paths.undelivered, transcriptKey, "e1.json"), join(folder, "e1.json"));
  await judgeAll(paths);
  assert.deepEqual(listUndelivered(paths), [`${transcriptKey}/e1`]);
  assert.deepEqual(listDir(paths.delivering), []);
});

test("what a dead watcher had claimed goes back, a live one's never", async (t) => {
  const paths = makeState(t);
  const instance = createInstance(new Date(0), "aa");
  writeInstance(paths, instance);
  writeInstance(paths, { ...instance, name: "dead-1-bb", startTime: "1" });
  for (const [name, id] of [
    [instance.name, "e1"],
    ["dead-1-bb", "e2"],
    ["unheard-1-cc", "e3"],
  ] as const) {
    mkdirSync(join(paths.claimed, name));
    writeFileSync(join(paths.claimed, name, `${id}.json`), JSON.stringify(evidence()));
  }
  mkdirSync(join(paths.locks, "dead-1-bb.e2"));
  await judgeAll(paths);
  assert.deepEqual(
    getVerdicts(paths).map(({ id }) => id),
    ["e2", "e3"],
  );
  assert.deepEqual(listDir(join(paths.claimed, instance.name)), ["e1.json"]);
  assert.deepEqual(listDir(paths.instances), [`${instance.name}.json`]);
  assert.deepEqual(listDir(paths.locks), []);
});

test("a folder that has to wait for an earlier one of its name keeps no other from going back", async (t) => {
  const paths = makeState(t);
  const taken = join(paths.reclaim, "twice-1-aa@me");
  mkdirSync(join(taken, "in the way"), { recursive: true });
  for (const [name, id] of [
    ["other-1-bb", "e1"],
    ["twice-1-aa", "e2"],
  ] as const) {
    mkdirSync(join(paths.claimed, name));
    writeFileSync(join(paths.claimed, name, `${id}.json`), JSON.stringify(evidence()));
  }
  const emit = () => {};
  const complaints = createComplaints(emit);
  const reclaim = createReclaimer({ paths, env: {}, me: "me", now: () => new Date(), emit, complaints });
  await reclaim();
  assert.deepEqual([listDir(paths.inbox), listDir(paths.claimed)], [["e1.json"], ["twice-1-aa"]]);
  rmdirSync(join(taken, "in the way"));
  await reclaim();
  await reclaim();
  assert.deepEqual([listDir(paths.inbox), listDir(paths.claimed)], [["e1.json", "e2.json"], []]);
});

test("a watcher of another machine is dead when its lock was not touched for a minute of our own clock", (t) => {
  const paths = makeState(t);
  const instance = { ...createInstance(new Date(0), "aa"), hostname: `not-${hostname()}` };
  writeInstance(paths, instance);
  const lock = join(paths.locks, instance.name);
  mkdirSync(lock);
  let clock = 0;
  const isDead = createDeadTest(paths, () => clock);
  const deadAt = (time: number): boolean => {
    clock = time;
    return isDead(instance.name);
  };
  assert.deepEqual([deadAt(0), deadAt(59_999)], [false, false]);
  backdate(lock, 10 * HOUR);
  assert.deepEqual(
    [deadAt(60_000), deadAt(119_999), deadAt(120_000)],
    [false, false, true],
    "the value is compared, not the age",
  );
});

test("a broken settings file ends the watcher with 78 and says where", async (t) => {
  const home = makeTempDir(t);
  mkdirSync(join(home, ".config", "catstack"), { recursive: true });
  const file = join(home, ".config", "catstack", "config.json");
  writeFileSync(file, '{\n  "judge": {\n    "concurrency": 99\n  }\n}');
  const { code, err } = await runWatch({ HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: join(home, "state") });
  assert.equal(code, 78);
  assert.match(err, new RegExp(`concurrency.*line 3, column 20.*${file}`));
});

test("runners that could never be asked, or a state directory that is relative, end the watcher with 78", async (t) => {
  const home = makeTempDir(t);
  const state = { HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: join(home, "state") };
  const runners = await runWatch({ ...state, CATSTACK_LLM_JUDGE_RUNNERS: '[["mine"]]' });
  assert.equal(runners.code, 78);
  assert.match(runners.err, /^catstack watch: expected CATSTACK_LLM_JUDGE_RUNNERS\[0\] to be \[name, \[argv\.\.\.\]\]/);
  const relative = await runWatch({ ...state, CATSTACK_LLM_JUDGE_STATE_DIR: "rel" });
  assert.equal(relative.code, 78);
  assert.match(
    relative.err,
    /^catstack watch: expected CATSTACK_LLM_JUDGE_STATE_DIR to be an absolute path, got rel$/m,
  );
});

test(
  "a state directory that cannot be written ends the watcher with 77",
  { skip: process.platform !== "linux" },
  async (t) => {
    const { code, err } = await runWatch({ HOME: makeTempDir(t), CATSTACK_LLM_JUDGE_STATE_DIR: "/sys/catstack-test" });
    assert.equal(code, 77);
    assert.match(err, /state directory that can be written.*CATSTACK_LLM_JUDGE_STATE_DIR/);
  },
);

test("a state directory that cannot be one ends the watcher with 78", async (t) => {
  const file = join(makeTempDir(t), "file");
  writeFileSync(file, "");
  const { code, err } = await runWatch({ HOME: "/nowhere", CATSTACK_LLM_JUDGE_STATE_DIR: file });
  assert.equal(code, 78);
  assert.match(err, /expected a state directory.*got Error: (EEXIST|ENOTDIR).*CATSTACK_LLM_JUDGE_STATE_DIR/);
});

async function runWatch(env: Record<string, string>): Promise<{ code: number; err: string }> {
  const err: string[] = [];
  const code = await watch(["--once"], {
    env,
    stdin: process.stdin,
    now: () => new Date(),
    out: () => {},
    err: (line) => void err.push(line),
    color: false,
    cwd: "/",
  });
  return { code, err: err.join("\n") };
}

const waiting = (name: string, kind: Waiting["kind"], expiresAt = Infinity): Waiting => {
  return { name, kind, changedAt: 0, droppedAt: 0, expiresAt, hook: "" };
};
const load: Load = {
  now: 100,
  concurrency: 2,
  asking: 0,
  investigating: 0,
  freeLeft: 8,
  startsLeft: 99,
  hookStartsLeft: () => 99,
};
const choose = (jobs: readonly Waiting[], more: Partial<Load> = {}) =>
  selectJobs(jobs, { ...load, ...more }).chosen.map(({ name }) => name);

test("what needs no slot comes first, whatever is running", () => {
  const jobs = [waiting("q", "default"), waiting("e", "evidence"), waiting("b", "bad"), waiting("old", "default", 100)];
  assert.deepEqual(choose(jobs, { asking: 2, startsLeft: 0 }), ["e", "b", "old"]);
  assert.deepEqual(choose(jobs), ["e", "b", "old", "q"]);
  assert.deepEqual(choose(jobs, { freeLeft: 1 }), ["e", "q"]);
});

test("one slot is never given to investigate, and a half-written file is never chosen", () => {
  const jobs = [
    waiting("i1", "investigate"),
    waiting("i2", "investigate"),
    waiting("q", "default"),
    waiting("h", "half-written"),
  ];
  assert.deepEqual(choose(jobs), ["i1", "q"]);
  assert.deepEqual(choose(jobs.slice(0, 2)), ["i1"]);
  assert.deepEqual(choose(jobs, { asking: 1, investigating: 1 }), ["q"]);
  assert.deepEqual(choose(jobs, { concurrency: 3 }), ["i1", "i2", "q"]);
});

test("a single slot is given to investigate when no default job waits", () => {
  const jobs = [waiting("i1", "investigate"), waiting("q", "default")];
  assert.deepEqual(choose(jobs, { concurrency: 1 }), ["q"]);
  assert.deepEqual(choose(jobs.slice(0, 1), { concurrency: 1 }), ["i1"]);
});

test("over a cap no question is chosen, and those that had a slot are named", () => {
  const jobs = [waiting("q1", "default"), waiting("q2", "default"), waiting("e", "evidence")];
  const { chosen, capped } = selectJobs(jobs, { ...load, startsLeft: 1 });
  assert.deepEqual(
    [chosen, capped].map((list) => list.map(({ name }) => name)),
    [["e", "q1"], ["q2"]],
  );
});

test("a job goes through its states, and an event out of turn is refused", () => {
  const run = (...events: JobEvent[]): JobState => events.reduce(advance, { at: "queued" });
  const claimed: JobEvent = { event: "job:claimed", id: "a" };
  const start: JobEvent = { event: "job:start", id: "a", hook: "h", mode: "default", attempt: 2 };
  const judged: JobEvent = { event: "job:judged", id: "a", hook: "h", outcome: "clean", runner: null };
  const requeued: JobEvent = { event: "job:requeued", id: "a", reason: "" };
  assert.deepEqual(run(claimed, start), { at: "running", attempt: 2 });
  assert.deepEqual(run(claimed, start, judged), { at: "judged", outcome: "clean" });
  assert.deepEqual(run(claimed, judged), { at: "judged", outcome: "clean" });
  assert.deepEqual(run(claimed, start, requeued), { at: "queued" });
  assert.deepEqual(run(claimed, { event: "job:dead", id: "a", code: "c", file: "f" }), { at: "dead", code: "c" });
  assert.throws(
    () => run(claimed, start, judged, judged),
    /job:judged of job a when claimed or running, got it when judged/,
  );
  assert.throws(() => run(start), /job:start/);
});

test("what failed rests for twice as long each time, a minute at most, until it works", () => {
  const backoff = createBackoff();
  const rests: number[] = [];
  for (let now = 0; rests.length < 8;) {
    backoff.add("a", now);
    let until = now;
    while (backoff.isOn("a", until)) until += 1000;
    rests.push((until - now) / 1000);
    now = until;
  }
  assert.deepEqual(rests, [1, 2, 4, 8, 16, 32, 60, 60]);
  assert.equal(backoff.isOn("b", 0), false);
  backoff.clear("a");
  backoff.add("a", 0);
  assert.equal(backoff.isOn("a", 1000), false);
  backoff.add("a", 0);
  backoff.add("b", 0);
  backoff.forget((name) => name === "b");
  backoff.add("a", 0);
  backoff.add("b", 0);
  assert.deepEqual([backoff.isOn("a", 1000), backoff.isOn("b", 1000)], [false, true], "the forgotten one begins anew");
});

test("a listener that throws disturbs nobody, and one that has gone hears nothing", () => {
  const errors: unknown[] = [];
  const heard: string[] = [];
  const bus = createEventBus((error) => void errors.push(error));
  bus.subscribe(() => {
    throw new Error("full disk");
  });
  const leave = bus.subscribe(({ event }) => void heard.push(event));
  bus.emit({ event: "job:claimed", id: "a" });
  leave();
  bus.emit({ event: "job:lost", id: "a" });
  assert.deepEqual(heard, ["job:claimed"]);
  assert.deepEqual(errors.map(String), ["Error: full disk", "Error: full disk"]);
});

test("a log that cannot be written is named", (t) => {
  const { judgeLog } = makeState(t);
  mkdirSync(judgeLog);
  const log = createLogListener(judgeLog, () => new Date(0));
  assert.throws(
    () => log({ event: "job:lost", id: "a" }),
    /^Error: expected to write .*judge\.log, got Error: EISDIR.*; make room there$/,
  );
});

test("a log of ten megabytes becomes the old one", (t) => {
  const { judgeLog } = makeState(t);
  writeFileSync(judgeLog, "x".repeat(10 * 1024 * 1024));
  createLogListener(judgeLog, () => new Date(0))({ event: "job:claimed", id: "a" });
  assert.equal(statSync(`${judgeLog}.1`).size, 10 * 1024 * 1024);
  assert.equal(readFileSync(judgeLog, "utf8").split("\n").length, 2);
});
