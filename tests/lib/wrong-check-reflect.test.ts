import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { findRetraction } from "../../hooks/wrong-check-reflect/find-retraction.ts";
import hook from "../../hooks/wrong-check-reflect/rule.ts";
import { selectPassage } from "../../hooks/wrong-check-reflect/select-passage.ts";
import type { Job } from "../../inbox-schema/job.ts";
import { parseJob } from "../../inbox-schema/parse-job.ts";
import { findChecks } from "../../lib/commands/find-checks.ts";
import { getVerdicts } from "../../lib/commands/get-verdicts.ts";
import { findTreeMoves } from "../../lib/commands/tree-moves.ts";
import { parseCodexPayload } from "../../lib/harness/codex.ts";
import type { Harness } from "../../lib/hook.ts";
import { runHooks } from "../../lib/io/edge/run-hooks.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { claude } from "../../lib/transcript/claude.ts";
import { codex } from "../../lib/transcript/codex.ts";
import { createFold } from "../../lib/transcript/fold.ts";
import { transcript } from "../helpers/claude-transcript.ts";
import { measureGrowth, MOST_GROWTH } from "../helpers/growth.ts";

const fixtures = fileURLToPath(new URL("../../fixtures", import.meta.url));

interface Reply {
  readonly text: string;
  readonly note: string;
}

function readReplies(name: string): readonly Reply[] {
  const value: unknown = JSON.parse(readFileSync(join(fixtures, "replies", name), "utf8"));
  assert.ok(Array.isArray(value) && value.every(isReply));
  return value;
}

function isReply(value: unknown): value is Reply {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}

describe("the prefilter on replies that were written before it", () => {
  const retractions = readReplies("retractions.json");
  const nearMisses = readReplies("near-misses.json");
  const isAsked = ({ text }: Reply): boolean => findRetraction(text) !== undefined;

  /** The first half, by turns, is what the words were chosen with; the other was looked at once they were. */
  function tell(t: TestContext, what: string, replies: readonly Reply[]): void {
    for (const [half, rest] of [
      ["chosen with", 0],
      ["held out", 1],
    ] as const) {
      const part = replies.filter((_, index) => index % 2 === rest);
      t.diagnostic(`${what}, ${half}: asked about ${part.filter(isAsked).length} of ${part.length}`);
    }
  }

  test("asks about at least 38 of 40 that take something back", (t) => {
    tell(t, "retractions", retractions);
    const missed = retractions.filter((reply) => !isAsked(reply));
    for (const { text } of missed) t.diagnostic(`missed: ${text}`);
    assert.equal(retractions.length, 40);
    assert.ok(missed.length <= 2, `${missed.length} missed`);
  });

  test("asks about at most 8 of 40 that only sound like it", (t) => {
    tell(t, "near misses", nearMisses);
    const asked = nearMisses.filter(isAsked);
    for (const { text } of asked) t.diagnostic(`asked: ${text}`);
    assert.equal(nearMisses.length, 40);
    assert.ok(asked.length <= 8, `${asked.length} asked`);
  });
});

describe("the prefilter's cost", () => {
  const LENGTH = 256 * 1024;
  const pumps = [
    "a",
    " ",
    "\n",
    "`",
    ".",
    "🐱",
    "’",
    '"a ',
    "“a",
    "``` \n",
    "....x",
    "> a\n",
    "- a\n",
    "\n \t",
    " - ",
    "a-",
    "my claim ",
    "I assumed ",
    "i had earlier just originally ",
    "was not wrong ",
    "take the claim ",
  ];
  for (const pump of pumps) {
    test(`grows with the text alone: ${JSON.stringify(pump)}`, () => {
      const growth = measureGrowth((length) => void findRetraction(pump.repeat(length / pump.length)), LENGTH);
      assert.ok(growth < MOST_GROWTH, `grows ${growth} times`);
    });
  }

  test("a reply of 1 MB is read to its end", { timeout: 20_000 }, () => {
    const long = `${"The list holds the names. ".repeat(40_000)}I was wrong about the lock.`;
    assert.equal(findRetraction(long), long.length - "I was wrong about the lock.".length);
  });
});

describe("what the judge reads of a reply", () => {
  test("is all of a short one", () => assert.equal(selectPassage("a".repeat(3900), 3000), "a".repeat(3900)));

  test("is 900 characters before the place and 3,000 behind it, in a long one", () => {
    const text = `${"a".repeat(5000)}${"b".repeat(5000)}`;
    assert.equal(selectPassage(text, 5000), `${"a".repeat(900)}${"b".repeat(3000)}`);
  });

  test("is the end where the place is near it", () => {
    const text = `${"a".repeat(5000)}b`;
    assert.equal(selectPassage(text, 5000), text.slice(-3900));
  });

  test("holds no half of a surrogate pair", () => {
    const text = `a${"🐱".repeat(5000)}`;
    for (const at of [0, 2000, 2001, 10_000]) assert.doesNotMatch(selectPassage(text, at), /\p{Cs}/u);
  });
});

const reply = "My earlier count was wrong: the migration touches 14 tables.";
const later = "I have to correct myself once more: it touches 15.";

interface Scene {
  readonly transcript: string;
  readonly env: Readonly<Record<string, string>>;
  /** Gives how many errors there were; `null` is a payload without a transcript. */
  stop(text: string, harness?: Harness, transcript?: string | null): number;
  jobs(): readonly Job[];
}

const ADVISE = { CATSTACK_HOOK_MODE_WRONG_CHECK_REFLECT: "advise" };

function makeScene(t: TestContext, mode: Readonly<Record<string, string>> = ADVISE): Scene {
  const folder = mkdtempSync(join(tmpdir(), "catstack-wrong-check-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, transcript().user("How many?").says("Nine.").user("Are you sure?").toJsonl());
  const env = { HOME: folder, CATSTACK_LLM_JUDGE_STATE_DIR: join(folder, "state"), ...mode };
  const { inbox } = getStatePaths(env);
  return {
    transcript: path,
    env,
    stop(text, harness = "claude", transcriptPath = path) {
      const payload = { harness, event: "Stop", reply: text, stopHookActive: false, subagent: false } as const;
      const edge = {
        env,
        now: new Date("2026-01-01T12:00:00Z"),
        hooks: [hook],
        adapter: harness === "codex" ? codex : claude,
        fold: createFold({ findChecks, getVerdicts, findTreeMoves }),
        bundleHash: "test",
      };
      const { said, errors } = runHooks(
        "Stop",
        transcriptPath === null ? payload : { ...payload, transcriptPath },
        edge,
      );
      assert.deepEqual(said, []);
      return errors.length;
    },
    jobs: () => (existsSync(inbox) ? readdirSync(inbox).map((name) => readJob(join(inbox, name))) : []),
  };
}

function readJob(path: string): Job {
  const parsed = parseJob(readFileSync(path, "utf8"), path.replace(/^.*\/|\.json$/g, ""));
  assert.ok(parsed.ok);
  return parsed.job;
}

describe("at the end of a turn", () => {
  test("a reply that takes something back becomes one question, with the person's message beside it", (t) => {
    const scene = makeScene(t);
    assert.equal(scene.stop(reply), 0);
    const [job, ...others] = scene.jobs();
    assert.deepEqual(others, []);
    assert.equal(job?.hook, "wrong-check-reflect");
    assert.equal(job?.transcript, scene.transcript);
    assert.match(job?.on_hit ?? "", /^A reply of this session takes back something that was said earlier in it\./);
    assert.deepEqual(job?.texts, ["Are you sure?", reply]);
    assert.match(job?.prompt ?? "", /takes back, corrects or admits as unchecked/);
  });

  test("an ordinary reply becomes none", (t) => {
    const scene = makeScene(t);
    scene.stop("The migration touches 14 tables.");
    assert.deepEqual(scene.jobs(), []);
  });

  test("nothing is asked as long as nobody has turned it on: it is counted, once a reply", (t) => {
    const scene = makeScene(t, {});
    scene.stop(reply);
    scene.stop(reply);
    assert.deepEqual(scene.jobs(), []);
    const lines = readFileSync(getStatePaths(scene.env).observedLog, "utf8").trim().split("\n");
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /"jobs":\["wrong-check-reflect\.match"\]/);
  });

  test("defect 24: each reply is asked about once, a later one although an earlier one was", (t) => {
    const scene = makeScene(t);
    scene.stop("It touches 9 tables.");
    scene.stop(reply);
    scene.stop(reply);
    scene.stop(`${reply}\r\n`);
    assert.equal(scene.jobs().length, 1);
    scene.stop(later);
    assert.deepEqual(
      scene
        .jobs()
        .map(({ texts }) => texts?.[1] ?? "")
        .toSorted(),
      [later, reply].toSorted(),
    );
  });

  test("defect 25: Codex is asked about the same reply once as well, and a payload of another make is no crash", (t) => {
    const scene = makeScene(t);
    const rollout = join(dirname(scene.transcript), "rollout.jsonl");
    copyFileSync(join(fixtures, "transcripts/codex/session.jsonl"), rollout);
    for (let i = 0; i < 2; i++) scene.stop(reply, "codex", rollout);
    assert.deepEqual(
      scene.jobs().map(({ harness, transcript }) => [harness, transcript]),
      [["codex", rollout]],
    );
    for (const value of [[reply], reply, 1, null]) assert.equal(parseCodexPayload(value).ok, false);
  });

  test("defect 26: without a transcript nothing is asked that could not be delivered", (t) => {
    const scene = makeScene(t);
    assert.equal(scene.stop(reply, "claude", null), 0);
    assert.equal(scene.stop(reply, "claude", join(dirname(scene.transcript), "absent.jsonl")), 0);
    assert.deepEqual(scene.jobs(), []);
  });

  test("defect 27: what could not be queued is not taken for asked", (t) => {
    const scene = makeScene(t);
    const { inbox } = getStatePaths(scene.env);
    mkdirSync(dirname(inbox), { recursive: true });
    writeFileSync(inbox, "in the way");
    assert.equal(scene.stop(reply), 1);
    rmSync(inbox);
    assert.equal(scene.stop(reply), 0);
    assert.equal(scene.jobs().length, 1);
  });
});
