import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findChecks } from "../../lib/commands/find-checks.ts";
import { selectSettings } from "../../lib/commands/settings.ts";
import { findTreeMoves } from "../../lib/commands/tree-moves.ts";

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
