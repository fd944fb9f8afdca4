import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import rule from "../../hooks/verdict-flip-watch/rule.ts";
import { findChecks } from "../../lib/commands/find-checks.ts";
import { getVerdicts } from "../../lib/commands/get-verdicts.ts";
import { selectSettings } from "../../lib/commands/settings.ts";
import { findTreeMoves } from "../../lib/commands/tree-moves.ts";
import { fillMessage } from "../../lib/outcome/render-message.ts";
import { createFold } from "../../lib/transcript/fold.ts";
import { foldJsonl } from "../helpers/claude-transcript.ts";
import { foldRollout } from "../helpers/codex-rollout.ts";
import { readStories, type Story, tell, type TurnEnd } from "../helpers/stories.ts";

const fold = createFold({ findChecks, getVerdicts, findTreeMoves });
const root = fileURLToPath(new URL("../..", import.meta.url));
const harnesses = ["claude", "codex"] as const;
type TestHarness = (typeof harnesses)[number];
const files = { "silent flips": readStories("silent-flips.txt"), "near misses": readStories("near-misses.txt") };

describe("the flip watcher at the end of each turn of a session", () => {
  for (const [group, stories] of Object.entries(files)) {
    for (const harness of harnesses) {
      for (const story of stories) {
        test(`${group}, ${harness}: ${story.title}`, () => {
          assert.deepEqual(
            watch(story, harness).map(({ labels }) => labels),
            story.turns.map(({ says }) => says),
          );
        });
      }
    }
  }

  test("every silent flip is one, no near miss is, and no two stories share a title", () => {
    for (const { title, turns } of files["silent flips"])
      assert.ok(
        turns.some(({ says }) => says.length > 0),
        title,
      );
    for (const { title, turns } of files["near misses"])
      assert.ok(
        turns.every(({ says }) => says.length === 0),
        title,
      );
    const titles = Object.values(files).flatMap((stories) => stories.map(({ title }) => title));
    assert.deepEqual(titles, [...new Set(titles)]);
  });
});

/** What the rule says at each turn's end, each check once, as the process edge sees to. */
function watch(
  story: Story,
  harness: TestHarness,
): readonly { readonly labels: readonly string[]; readonly text: string }[] {
  const marked = new Set<string>();
  return tell(story, harness).map(({ jsonl, reply }) => {
    const digest = (harness === "claude" ? foldJsonl : foldRollout)(jsonl, fold);
    const { advice, remember = [] } = rule.check({
      harness,
      event: "Stop",
      reply,
      digest,
      settings: { mode: "advise" },
    });
    const fresh = advice.filter(({ once }) => once === undefined || !marked.has(once.key));
    for (const key of [...fresh.flatMap(({ once }) => once?.key ?? []), ...remember]) marked.add(key);
    return {
      labels: fresh.map(({ data }) => data["target"] ?? ""),
      text: fresh.map(({ messageId, data }) => fillMessage(rule.messages[messageId] ?? "", data)).join("\n"),
    };
  });
}

describe("the built hook at the end of each turn of a session", () => {
  let folder = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "catstack-flips-"));
    const { status, stderr } = spawnSync(process.execPath, ["build.mjs", folder], { cwd: root, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const stories = Object.values(files).flat();

  for (const harness of harnesses) {
    for (const story of stories) {
      test(`${harness}: ${story.title}`, () => {
        const home = mkdtempSync(join(folder, "home-"));
        const said = tell(story, harness).map((end) => runHook(end, harness, home));
        assert.deepEqual(
          said.map((text) => [...text.matchAll(/^verdict-flip-watch: `(.+?)` passed \(/gm)].map(([, label]) => label)),
          story.turns.map(({ says }) => says),
        );
        assert.deepEqual(
          said.map((text) => text.trim().replaceAll("verdict-flip-watch: ", "")),
          watch(story, harness).map(({ text }) => text),
        );
      });
    }
  }

  function runHook({ jsonl, reply }: TurnEnd, harness: TestHarness, home: string): string {
    const transcript = join(home, "session.jsonl");
    writeFileSync(transcript, jsonl);
    mkdirSync(join(home, "state"), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "hook.mjs"), harness], {
      input: JSON.stringify({
        session_id: "s",
        transcript_path: transcript,
        cwd: "/home/user/project",
        hook_event_name: "Stop",
        stop_hook_active: false,
        last_assistant_message: reply,
      }),
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        CATSTACK_LLM_JUDGE_STATE_DIR: join(home, "state"),
        VERDICT_FLIP_WATCH_STATE_DIR: join(home, "flips"),
      },
      encoding: "utf8",
    });
    assert.equal(status, 0);
    return stderr;
  }
});

describe("what the watcher says", () => {
  const story = (title: RegExp): Story => {
    const found = files["silent flips"].find((each) => title.test(each.title));
    assert.ok(found !== undefined);
    return found;
  };
  const say = (title: RegExp): string =>
    watch(story(title), "claude")
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n");

  test("names both runs, what failed in the second, and the turn whose reply is silent", () => {
    assert.equal(
      say(/^go:/),
      "`go test ./...` passed (turn 1, 2026-01-01 00:00 UTC), then failed (turn 2, 2026-01-01 00:00 UTC) and has not passed since. The failing run, `go test ./... 2>&1 | tail -4`, showed: FAIL example.com/app/push 0.379s. The reply of turn 2 does not say so.",
    );
  });

  test("says what passed where that was a wider check", () => {
    assert.match(
      say(/^pytest: the part/),
      /^`pytest tests\/test_parser\.py` passed \(turn 1, [^)]*, as part of `pytest`\)/,
    );
  });

  test("takes the latest pass and the latest failure", () => {
    assert.match(say(/^make:/), /, showed: make: \*\*\* \[Makefile:4: test\] Error 2\. The reply/);
  });

  test("ends a finding that is a sentence with one full stop", () => {
    assert.match(say(/^ruff:/), /, showed: Found 1 error\. The reply/);
  });

  test("a line of two flips for each check, none for a check of the line that passed", () => {
    assert.match(say(/^tsc and eslint/), /^`tsc` [^\n]*TS2322[^\n]*\n`eslint` [^\n]*1 problem/);
    assert.doesNotMatch(say(/^cargo:/), /cargo test` passed/);
  });
});

describe("the moves of a command line", () => {
  const moves: Readonly<Record<string, readonly string[]>> = {
    "git stash": ["stash"],
    "git stash push -m 'x'": ["stash"],
    "git stash -u && npm test; git stash pop": ["stash", "unstash after 1"],
    "git stash list": [],
    "git stash drop": [],
    "git -C sub stash apply": ["unstash"],
    "git checkout main": ["switch to main"],
    "git checkout -q main && npm test; git checkout -": ["switch to main", "switch to - after 1"],
    "git checkout -b feature": ["branch"],
    "git checkout -b feature origin/main": ["switch to feature"],
    "git checkout -b feature HEAD": ["branch"],
    "git checkout HEAD": [],
    "git switch main": ["switch to main"],
    "git switch -c feature": ["branch"],
    "git switch -c feature v1": ["switch to feature"],
    "git checkout Makefile": ["restore"],
    "git checkout HEAD~2": ["switch to HEAD~2"],
    "git checkout --track origin/feature": ["switch to origin/feature"],
    "git checkout release/1.2": ["switch to release/1.2"],
    "git checkout v1.2.3": ["switch to v1.2.3"],
    "git checkout src/a.ts": ["restore"],
    "git checkout -- src": ["restore"],
    "git checkout HEAD~1 -- src/a.ts": ["restore to HEAD~1"],
    "git checkout HEAD~1 src/a.ts": ["restore to HEAD~1"],
    "git checkout HEAD -- src/a.ts": ["restore"],
    "git checkout main -- go.sum": [],
    "git checkout .": ["restore"],
    "git checkout -- package-lock.json": [],
    "git restore src/a.ts": ["restore"],
    "git restore --source=main src/a.ts": ["restore to main"],
    "git restore -s main yarn.lock": [],
    "git restore --staged src/a.ts": [],
    "git reset --hard": ["restore"],
    "git reset --hard HEAD": ["restore"],
    "git reset --hard HEAD~1": ["restore to HEAD~1"],
    "git reset HEAD a.ts": [],
    "git apply -R fix.patch": ["restore"],
    "git apply fix.patch": [],
    "patch -R -p1 < fix.patch": ["restore"],
    "git revert --no-edit HEAD": ["restore"],
    "git bisect start HEAD v1": ["bisect"],
    "git bisect good && npm test": ["bisect"],
    "git bisect log": [],
    "git bisect reset": ["bisect to -"],
    "gh pr checkout 12": ["switch to pr 12"],
    "cp a.ts /tmp/a.ts && npm test; cp /tmp/a.ts a.ts": ["restore after 1"],
    "mv a.ts.bak a.ts": ["restore"],
    "cp a.ts a.ts.bak": [],
    "sed -i s/a/b/ a.ts && npm test; sed -i s/b/a/ a.ts": ["restore after 1"],
    "sed -i s/a/b/ a.ts && sed -i s/c/d/ a.ts && npm test": [],
    "grep -rn 'git stash' docs": [],
    "git commit -m 'git checkout main'": [],
    "npm test": [],
  };
  for (const [command, wanted] of Object.entries(moves)) {
    test(command, () => {
      const found = findTreeMoves(command, "/home/user/project").map(
        ({ kind, to, after: at }) => `${kind}${to === undefined ? "" : ` to ${to}`}${at === 0 ? "" : ` after ${at}`}`,
      );
      assert.deepEqual(found, wanted);
    });
  }
});

test("the moves of any text are found without a throw", () => {
  const texts = [
    "git",
    "git stash; git",
    "cp",
    "git checkout",
    "sed -i",
    "patch -R",
    "git -C",
    "$(git stash",
    "git 'stash",
    "(",
  ];
  for (const text of [...texts, `${"(".repeat(3000)}git stash`, `git checkout ${"x".repeat(9000)}`]) {
    assert.ok(findTreeMoves(text, "/home/user/project").length <= 1, text.slice(0, 40));
  }
});

test("settings are the variables that may change what a check does", () => {
  assert.deepEqual(
    selectSettings(["MODE=a", "CI=1", "FORCE_COLOR=0", "DATABASE_URL=x", "PATH=/bin", "TZ=UTC", "RUST_LOG=debug"]),
    ["DATABASE_URL=x", "MODE=a", "TZ=UTC"],
  );
  assert.deepEqual(
    selectSettings([
      "CARGO_BUILD_TARGET=wasm32",
      "CARGO_HOME=/c",
      "UV_PYTHON=3.12",
      "UV_CACHE_DIR=/c",
      "GOTOOLCHAIN=go1.22",
    ]),
    ["CARGO_BUILD_TARGET=wasm32", "GOTOOLCHAIN=go1.22", "UV_PYTHON=3.12"],
  );
  const [check] = findChecks("export MODE=a OTHER=b; (export MODE=c); MODE=d CI=1 npm test", "/home/user/project");
  assert.deepEqual(check?.settings, ["MODE=d", "OTHER=b"]);
});
