import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { classify } from "../../cli/classify.ts";
import { findChecks } from "../../lib/commands/find-checks.ts";
import { mayCheck } from "../../lib/commands/prefilter.ts";
import { getLineVerdict, getVerdicts } from "../../lib/commands/get-verdicts.ts";
import { makeBlock } from "../../lib/commands/reading/block.ts";
import { chatter, neverStarted, plainLines } from "../../lib/commands/reading/common.ts";
import { findNeeds, selectPossible } from "../../lib/commands/reading/select-possible.ts";
import { toolCases, tools } from "../../lib/commands/tools/index.ts";
import { parseCodexOutput } from "../../lib/transcript/codex-output.ts";
import type { CommandOutput } from "../../lib/transcript/entry.ts";
import { isRow } from "../../lib/transcript/row.ts";
import { makeIdleIo } from "../helpers/idle-io.ts";

const repo = "/repo";

function keys(command: string, cwd = repo): readonly string[] {
  return findChecks(command, cwd).map((check) => check.target.key);
}

function labels(command: string, cwd = repo): readonly string[] {
  return findChecks(command, cwd).map((check) => check.target.label);
}

function shown(text: string, status?: number): CommandOutput {
  return status === undefined ? { text } : { text, exitCode: status, isError: status !== 0 };
}

function verdicts(command: string, output: CommandOutput): readonly string[] {
  return getVerdicts(findChecks(command, repo), output).map((reading) => reading.verdict);
}

describe("the table of tools", () => {
  test("every file of lib/commands/tools is in the index", () => {
    const folder = new URL("../../lib/commands/tools/", import.meta.url);
    const index = readFileSync(new URL("index.ts", folder), "utf8");
    const files = readdirSync(folder).filter((name) => !["calls.ts", "index.ts", "names.ts", "tool.ts"].includes(name));
    assert.deepEqual(
      files.filter((name) => !index.includes(`"./${name}"`)),
      [],
    );
    assert.equal(toolCases.length, files.length);
  });

  test("no two tools share an id", () => {
    const ids = tools.map((tool) => tool.id);
    assert.equal(new Set(ids).size, ids.length);
  });

  for (const cases of toolCases) {
    for (const [command, label] of Object.entries(cases.checks)) {
      test(`${command} checks ${label}`, () => assert.deepEqual(labels(command), [label]));
    }
    for (const command of cases.ignored ?? []) {
      test(`${command} checks nothing`, () => assert.deepEqual(labels(command), []));
    }
    for (const [one, other] of cases.same ?? []) {
      test(`${one} and ${other} are one target`, () => {
        assert.notDeepEqual(keys(one), []);
        assert.deepEqual(keys(other), keys(one));
      });
    }
    for (const [one, other] of cases.different ?? []) {
      test(`${one} and ${other} are two targets`, () => {
        assert.equal(keys(one).length, 1);
        assert.equal(keys(other).length, 1);
        assert.notDeepEqual(keys(other), keys(one));
      });
    }
    for (const { command, text, status, verdict } of cases.outputs) {
      test(`${command} with ${JSON.stringify(text.slice(-60))} and status ${status ?? "hidden"} is ${verdict}`, () => {
        assert.deepEqual(verdicts(command, shown(text, status)).at(-1), verdict);
      });
    }
  }
});

describe("a line of several commands", () => {
  const lines: Readonly<Record<string, readonly string[]>> = {
    "npm run lint && npm test": ["npm run lint", "npm test"],
    "cd api && pytest; cd ../web && npx vitest run": ["pytest", "vitest"],
    "(cd api && pytest) && pytest": ["pytest", "pytest"],
    "if pytest tests/a.py; then echo good; else echo bad; fi": ["pytest tests/a.py"],
    "for f in a.py b.py; do python -m py_compile $f; done": ["py_compile a.py b.py"],
    "while ! npm test; do sleep 5; done": ["npm test"],
    'out=$(pytest -q 2>&1); echo "$out" | tail -1': ["pytest"],
    "run() { pytest tests; }\nrun": ["pytest tests"],
    'run() { echo ">> $*"; "$@"; }\nrun go vet ./...\nrun go test -run "A B" ./...': [
      "go vet ./...",
      "go test ./... -run A B",
    ],
    'step() { local name=$1; shift; "$@" || exit 1; }\nstep unit pytest tests': ["pytest tests"],
    'each() { (cd "$1" && pytest); }\neach api; each web': ["pytest", "pytest"],
    "PY=.venv/bin/python\n$PY -m pytest tests": ["pytest tests"],
    "git add . && git commit -m 'run pytest' && git push": [],
    "cat > run.sh <<'EOF'\nnpm test\nEOF\nchmod +x run.sh": [],
    "bash <<'EOF'\nnpm test\nEOF": ["npm test"],
    "echo 'npm test'": [],
    "# npm test\nls": [],
    "grep -rn pytest . | head": [],
    "pytest & npm run lint": ["pytest", "npm run lint"],
    "pytest tests/a.py ;; ruff check": ["pytest tests/a.py", "ruff check"],
  };
  for (const [line, expected] of Object.entries(lines)) {
    test(`${JSON.stringify(line)} holds ${expected.join(" and ") || "no check"}`, () => {
      assert.deepEqual(labels(line), expected);
    });
  }
});

describe("wrappers do not change the target", () => {
  const wrapped = [
    "timeout -k 5 600 pytest tests",
    "time pytest tests",
    "nice -n 10 pytest tests",
    "env -u HOME A=b pytest tests",
    "sudo -u app pytest tests",
    "exec pytest tests",
    "command pytest tests",
    "nohup pytest tests > log 2>&1",
    "bash -c 'pytest tests'",
    'bash -lc "cd /repo && pytest tests"',
    "uv run --frozen --extra dev pytest tests",
    "uv run python -m pytest tests",
    "poetry run pytest tests",
    "pipenv run pytest tests",
    "mise exec python@3.12 -- pytest tests",
    "dotenv -e .env -- pytest tests",
    "rtk pytest tests",
    "sleep 5; pytest tests",
    "cd /other && cd - && pytest tests",
    "source .venv/bin/activate && pytest tests",
    "pytest tests | tee log | tail -5",
    "pytest tests || true",
  ];
  for (const command of wrapped) {
    test(command, () => assert.deepEqual(keys(command), keys("pytest tests")));
  }

  test("flags may stand before the sub-command of a wrapper, and the place is part of the target", () => {
    const places = [
      "docker exec web pytest",
      "docker --context far exec web pytest",
      "docker compose exec -T web pytest",
      "docker compose -f ci.yml exec web pytest",
      "podman compose exec web pytest",
      "kubectl exec web -- pytest",
      "kubectl -n staging exec web -c app -- pytest",
      "uv --directory api run pytest",
    ];
    for (const command of places)
      assert.deepEqual(
        findChecks(command, repo).map(({ tool }) => tool),
        ["pytest"],
        command,
      );
    assert.equal(new Set(places.map((command) => keys(command)[0])).size, places.length);
    assert.deepEqual(keys("uv --directory api run pytest"), keys("cd api && uv run pytest"));
    assert.deepEqual(labels("docker --context far ps web pytest"), []);
  });

  test("a container or another machine is another place", () => {
    const places = [
      "pytest",
      "docker exec web pytest",
      "docker exec api pytest",
      "ssh host pytest",
      "ssh host 'pytest'",
    ];
    assert.equal(new Set(places.map((command) => keys(command)[0])).size, 4);
  });
});

describe("paths", () => {
  const same: readonly (readonly [string, string, string, string])[] = [
    ["pytest a/../tests/./x.py", "/repo", "pytest x.py", "/repo/tests"],
    ["cd ~/app && pytest", "/home/ann/other", "pytest", "/home/ann/app"],
    ["cd /d/app/src && go build ./...", "/repo", "go build ./...", "D:\\app\\src"],
    ["cd sub && cd .. && npm test", "/repo", "npm test", "/repo"],
    ["(cd sub && ls) && npm test", "/repo", "npm test", "/repo"],
  ];
  for (const [one, at, other, there] of same) {
    test(`${one} in ${at} is ${other} in ${there}`, () => assert.deepEqual(keys(one, at), keys(other, there)));
  }

  test("a folder nobody knows keeps the text of its variable", () => {
    assert.notDeepEqual(keys('cd "$A" && npm test'), keys('cd "$B" && npm test'));
    assert.deepEqual(keys('cd "$A" && npm test'), keys("cd $A && npm test"));
  });
});

describe("the exit status of a line", () => {
  const owners: Readonly<Record<string, readonly boolean[]>> = {
    pytest: [true],
    "cd api && pytest": [true],
    "pytest && echo fine": [true],
    "git pull && pytest": [false],
    "pytest | tail": [false],
    "set -o pipefail; pytest | tail": [true],
    "pytest || true": [false],
    "pytest || exit 1": [true],
    "pytest; ls": [false],
    'pytest; echo "exit=$?"': [true],
    "ruff check && pytest": [false, false],
    "! pytest": [false],
    "pytest &": [false],
    "if pytest; then ls; fi": [false],
  };
  for (const [line, expected] of Object.entries(owners)) {
    test(`${line}: ${expected.join(", ")}`, () => {
      assert.deepEqual(
        findChecks(line, repo).map((check) => check.ownsStatus),
        expected,
      );
    });
  }
});

describe("verdicts", () => {
  interface Case {
    readonly command: string;
    readonly output: CommandOutput;
    readonly gives: readonly string[];
  }
  const cases: Readonly<Record<string, Case>> = {
    "an owned status beats failing words": {
      command: "npm test",
      output: shown("1 failed attempt was retried", 0),
      gives: ["pass"],
    },
    "an owned failure without a text is one": { command: "npm test", output: shown("", 10), gives: ["fail"] },
    "a pipe hides the status": {
      command: "pytest | tail -1",
      output: shown("1 failed, 3 passed in 0.10s", 0),
      gives: ["fail"],
    },
    "|| true hides the status": {
      command: "pytest || true",
      output: shown("1 failed, 3 passed in 0.10s", 0),
      gives: ["fail"],
    },
    "a chain that ends well passed everywhere": {
      command: "ruff check && mypy src && pytest",
      output: shown("", 0),
      gives: ["pass", "pass", "pass"],
    },
    "a failure is the failing check's alone": {
      command: "ruff check && pytest && mypy src",
      output: shown("All checks passed!\n1 failed in 0.10s", 1),
      gives: ["pass", "fail", "unknown"],
    },
    "a check whose successor ran has passed": {
      command: "tsc --noEmit && npx vitest run",
      output: shown("      Tests  1 failed | 2 passed (3)", 1),
      gives: ["pass", "fail"],
    },
    "a failure of another part is nobody's": {
      command: "pytest && git push",
      output: shown("3 passed in 0.10s\nerror: failed to push some refs", 1),
      gives: ["pass"],
    },
    "a failure before the check is not its own": {
      command: "git pull && tsc --noEmit",
      output: shown("fatal: unable to access the remote", 1),
      gives: ["unknown"],
    },
    "the findings of another command of a failed line are not the check's": {
      command: "mise run tidy && mise run vet",
      output: shown("c/d.go:7:3: unused import name\n[tidy] ERROR task failed", 2),
      gives: ["unknown"],
    },
    "of two scripts the one that is named failed": {
      command: "bun run test | tail -4 && bun run lint:css | tail -2",
      output: shown(' 12 pass\n 0 fail\nFound 2 errors.\nerror: script "lint:css" exited with code 3', 0),
      gives: ["pass", "fail"],
    },
    "a summary belongs to the script of its kind": {
      command: "make lint | tail; make test | tail",
      output: shown("All checks passed!\n1 failed, 2 passed in 0.10s", 0),
      gives: ["pass", "fail"],
    },
    "a line that may be of either check is of none": {
      command: "pytest a.py | tail -1; pytest b.py | tail -1",
      output: shown("3 passed in 0.10s\n1 failed in 0.10s", 0),
      gives: ["unknown", "unknown"],
    },
    "a like line for each check is enough": {
      command: "pytest a.py | tail -1; pytest b.py | tail -1",
      output: shown("3 passed in 0.10s\n3 passed in 0.20s", 0),
      gives: ["pass", "pass"],
    },
    "a tool that the line calls by itself is not the script's": {
      command: "pytest tests | tail -1; make check | tail",
      output: shown("1 failed in 0.10s\nAll checks passed!", 0),
      gives: ["fail", "pass"],
    },
    "a missing folder starts nothing": {
      command: "cd nowhere && pytest",
      output: shown("bash: line 1: cd: nowhere: No such file or directory", 1),
      gives: ["unknown"],
    },
    "a missing program starts nothing": {
      command: "pytest | tail",
      output: shown("bash: pytest: command not found", 0),
      gives: ["unknown"],
    },
    "a container that is not running starts nothing": {
      command: "docker compose exec -T app pytest",
      output: shown('service "app" is not running', 1),
      gives: ["unknown"],
    },
    "a machine that does not answer starts nothing": {
      command: "ssh build 'cd app && npm test'",
      output: shown("ssh: connect to host build port 22: Connection refused", 255),
      gives: ["unknown"],
    },
    "what make was told to end is no verdict": {
      command: "make test",
      output: shown("...\nmake: *** [Makefile:3: test] Terminated", 2),
      gives: ["unknown"],
    },
    "what a person ends is no verdict": {
      command: "pytest",
      output: shown("...\n!!!!!!!! KeyboardInterrupt !!!!!!!!\n3 passed in 2.12s", 2),
      gives: ["unknown"],
    },
    "a runner that misses what it needs starts nothing": {
      command: "bundle exec rspec",
      output: shown("Could not find gem 'rails' in locally installed gems.", 10),
      gives: ["unknown"],
    },
    "a failure stands though a container is missing": {
      command: "npm test",
      output: shown("Error: No such container: db\nTests:       1 failed, 2 passed, 3 total", 1),
      gives: ["fail"],
    },
    "status 127 starts nothing": { command: "pytest", output: shown("", 127), gives: ["unknown"] },
    "status 143 is no verdict": {
      command: "pytest",
      output: shown("Command timed out after 30s", 143),
      gives: ["unknown"],
    },
    "status 143 after a failure is one": {
      command: "pytest",
      output: shown("FAILED tests/a.py::test_x - assert 1 == 2", 143),
      gives: ["fail"],
    },
    "an interrupted run is no verdict": {
      command: "pytest",
      output: { text: "3 passed in 0.10s", interrupted: true },
      gives: ["unknown"],
    },
    "an error flag alone is no verdict": {
      command: "pytest",
      output: { text: "This needs approval", isError: true },
      gives: ["unknown"],
    },
    "a silent tool behind tail passed": { command: "tsc --noEmit | tail -5", output: shown("", 0), gives: ["pass"] },
    "a silent tool behind grep may have passed": {
      command: "tsc --noEmit | grep error",
      output: shown("", 0),
      gives: ["unknown"],
    },
    "nothing is left when the passing lines are taken out": {
      command: 'go test ./... | grep -v "^ok" | head',
      output: shown("", 0),
      gives: ["pass"],
    },
    "a silent tool whose lines are counted failed if there are some": {
      command: "tsc --noEmit | grep -c 'error TS'",
      output: shown("2", 0),
      gives: ["fail"],
    },
    "no line of a silent tool is a pass": {
      command: "gofmt -l . | wc -l",
      output: shown("       0", 0),
      gives: ["pass"],
    },
    "a silent tool whose errors go elsewhere may have failed": {
      command: "go vet ./... 2>/dev/null; echo done",
      output: shown("done", 0),
      gives: ["unknown"],
    },
    "a status tells of a pass though the errors go elsewhere": {
      command: "go vet ./... 2>/dev/null",
      output: shown("", 0),
      gives: ["pass"],
    },
    "no line of a tool whose errors go elsewhere tells nothing": {
      command: "gofmt -l . 2>/dev/null | wc -l",
      output: shown("0", 0),
      gives: ["unknown"],
    },
    "a text for a failure of the chain keeps silence from being a pass": {
      command: "(cd web && npm run -s lint) && (cd api && go vet ./...) && echo GREEN || echo RED",
      output: shown("RED", 0),
      gives: ["unknown", "unknown"],
    },
    "so does a text for a pass that is not there": {
      command: "go vet ./... && echo GREEN; ls",
      output: shown("main.go", 0),
      gives: ["unknown"],
    },
    "a failure in a file that the line shows may be of another run": {
      command: "cat old.log | tail -3; npm test 2>&1 | tail -1",
      output: shown("Tests:       1 failed, 2 passed, 3 total\nTests:       3 passed, 3 total", 0),
      gives: ["unknown"],
    },
    "a failure behind what the file holds is the check's": {
      command: "cat old.log | tail -3; npm test 2>&1 | tail -1",
      output: shown("Tests:       3 passed, 3 total\nTests:       1 failed, 2 passed, 3 total", 0),
      gives: ["fail"],
    },
    "a failure in a file shown afterwards may be of another run": {
      command: "pytest -q | tail -1; grep FAILED ci/notes.md",
      output: shown("4 passed in 0.12s\nFAILED tests/a.py::test_b", 0),
      gives: ["unknown"],
    },
    "a log that the line writes is the check's": {
      command: "cargo test 2>&1 | tee t.log | tail -1; grep FAILED t.log",
      output: shown("test result: ok. 1 passed; 0 failed\ntest result: FAILED. 1 passed; 1 failed", 0),
      gives: ["fail"],
    },
    "a script that was not found found nothing": {
      command: "bun run typecheck 2>&1 | tail",
      output: shown('error: Script not found "typecheck"', 0),
      gives: ["unknown"],
    },
    "a number of failed things is no number of failed tests": {
      command: "python scripts/check_drift.py | tail -2",
      output: shown("3 failed logins in the last hour\nError: 0.12", 0),
      gives: ["unknown"],
    },
    "with pipefail a status of 1 may be the search's": {
      command: "set -o pipefail; tsc --noEmit 2>&1 | grep 'error TS'",
      output: shown("", 1),
      gives: ["unknown"],
    },
    "with pipefail a status behind tail is the check's": {
      command: "set -o pipefail; npm run lint 2>&1 | tail -3",
      output: shown("", 2),
      gives: ["fail"],
    },
    "no line that a search found tells nothing": {
      command: "tsc --noEmit | grep -c 'error TS'",
      output: shown("0", 0),
      gives: ["unknown"],
    },
    "counted lines of a tool that talks tell nothing": {
      command: "pytest | wc -l",
      output: shown("12", 0),
      gives: ["unknown"],
    },
    "what is left is read": {
      command: 'go test ./... | grep -v "^ok" | head',
      output: shown("FAIL\texample.com/a\t0.1s", 0),
      gives: ["fail"],
    },
    "an echo behind && tells of a pass": {
      command: "gofmt -l . | cat; python -m py_compile a.py && echo compiles; ls",
      output: shown("compiles\na.py", 0),
      gives: ["pass", "pass"],
    },
    "an echo behind || tells of a failure": {
      command: "./check_x.sh > log || echo broken",
      output: shown("broken", 0),
      gives: ["fail"],
    },
    "a printed status is the check's": {
      command: 'pytest > log 2>&1; echo "exit=$?"',
      output: shown("exit=1", 0),
      gives: ["fail"],
    },
    "a saved status is the check's": {
      command: 'npm test > log 2>&1; rc=$?; tail -1 log; echo "rc $rc"',
      output: shown("done\nrc 0", 0),
      gives: ["pass"],
    },
    "PIPESTATUS is the first program's": {
      command: 'make check | tail -1; echo "status ${PIPESTATUS[0]}"',
      output: shown("...\nstatus 2", 0),
      gives: ["fail"],
    },
    "headings bound what a check printed": {
      command: "echo '== lint =='; npm run lint | tail; echo '== test =='; npm test | tail",
      output: shown("== lint ==\n✖ 3 problems (1 error, 2 warnings)\n== test ==\n  12 passing (1s)", 0),
      gives: ["fail", "pass"],
    },
    "colours are no obstacle": {
      command: "npx vitest run | tail",
      output: shown(
        "\u001B[31m FAIL \u001B[39m src/a.test.ts\n\u001B[2m      Tests \u001B[22m \u001B[31m1 failed\u001B[39m",
      ),
      gives: ["fail"],
    },
    "a runner's prefix is no obstacle": {
      command: "pnpm -r test | tail",
      output: shown("packages/web test:       Tests  9 passed (9)"),
      gives: ["pass"],
    },
  };
  for (const [name, { command, output, gives }] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(verdicts(command, output), gives));
  }

  test("the evidence is the deciding line, at most 200 characters", () => {
    const failed = `1 failed, 2 passed in 0.10s ${"x".repeat(300)}`;
    const [reading] = getVerdicts(findChecks("pytest | tail", repo), shown(`noise\n${failed}\nnoise`));
    assert.equal(reading?.evidence, failed.slice(0, 200));
    const [silent] = getVerdicts(findChecks("npm test", repo), shown("", 1));
    assert.equal(silent?.evidence, "exit status 1");
  });

  test("one failing check fails the line, one that never started leaves it open", () => {
    const line = (command: string, text: string) => getLineVerdict(findChecks(command, repo), shown(text));
    assert.equal(line("ruff check | tail; pytest | tail", "All checks passed!\n1 failed in 0.10s"), "fail");
    assert.equal(line("ruff check | tail; pytest | tail", "All checks passed!\nno tests ran in 0.01s"), "unknown");
    assert.equal(line("ruff check | tail; git diff --check | tail", "All checks passed!"), "pass");
    assert.equal(line("ls", "1 failed"), "unknown");
  });
});

test("a search for failures that finds none is no pass, and is told from one that tells nothing", () => {
  const read = (command: string, text: string): boolean | undefined =>
    getVerdicts(findChecks(command, repo), shown(text, 1)).at(0)?.foundNothing;
  assert.equal(read("tsc --noEmit 2>&1 | grep 'error TS' | head", ""), true);
  assert.equal(read("go test ./... 2>&1 | grep -cE 'FAIL|panic'", "0"), true);
  assert.equal(read("cargo check 2>&1 | grep '^error' || echo 'no errors'", "no errors"), true);
  assert.equal(read("go test ./... 2>&1 | grep -E 'FAIL|^ok'", ""), undefined);
  assert.equal(read("tsc --noEmit 2>&1 | grep src/a.ts", ""), undefined);
  assert.equal(read("tsc --noEmit 2>&1 | grep 'error TS'", "bash: tsc: command not found"), undefined);
});

describe("misreadings that a watcher must not repeat", () => {
  const silent = (command: string) => assert.deepEqual(labels(command), []);
  const verdict = (command: string, text: string, status?: number) => verdicts(command, shown(text, status))[0];

  test("modules, scripts and folders are part of the target", () => {
    const all = [
      "python3 -m unittest tests.a",
      "python3 -m unittest tests.b",
      "npm run build",
      "npm run test",
      "cd x && npm test",
    ];
    assert.equal(new Set(all.map((command) => keys(command)[0])).size, all.length);
    assert.deepEqual(keys("FOO=1 pytest t"), keys("pytest t"));
  });

  test("reading a script is not running it", () => {
    silent("cat scripts/check_x.py");
    silent("git diff tests/test_x.ts");
    silent("grep -rn test_ src");
    silent("git commit -m 'add test_foo'");
  });

  test("a suite and a part of it are two targets, with the scope of each", () => {
    const [suite, part] = [...findChecks("pytest", repo), ...findChecks("pytest tests/a.py -k x", repo)];
    assert.notEqual(suite?.target.key, part?.target.key);
    assert.deepEqual(part?.target.scope.files, ["/repo/tests/a.py"]);
    assert.deepEqual(part?.target.scope.filters, ["-k x"]);
  });

  test("runners of every kind are known", () => {
    for (const command of ["yarn test", "bun test", "node --test", "tsc", "./check-types.sh", "node tests/run.cjs"]) {
      assert.equal(labels(command).length, 1, command);
    }
    assert.deepEqual(labels("npx tsx scripts/test-a.tsx"), ["scripts/test-a.tsx"]);
  });

  test("exit codes of two and three digits are failures, 127 is none", () => {
    assert.equal(verdict("npm test", "3 passed", 10), "fail");
    assert.equal(verdict("cargo test", "", 101), "fail");
    assert.equal(verdict("npm test", "", 127), "unknown");
  });

  test("summaries are read by their numbers", () => {
    assert.equal(verdict("pytest | tail", "1 failed, 3 passed in 0.1s"), "fail");
    assert.equal(verdict("npx vitest run | tail", "      Tests  2 failed | 5 passed (7)"), "fail");
    assert.equal(verdict("cargo test | tail", "test result: FAILED. 1 passed; 1 failed; 0 ignored"), "fail");
    assert.equal(verdict("./check_a.sh | tail", "Failed: 0, Passed: 12"), "pass");
    assert.equal(verdict("./check_a.sh | tail", "fail-fast disabled\n12 passed"), "pass");
    assert.equal(verdict("./check_a.sh | tail", "error: none\nall checks passed"), "pass");
    assert.notEqual(verdict("./check_a.sh | tail", "not ok"), "pass");
    assert.equal(verdict("./check_a.sh | tail", "\u001B[31mFAIL\u001B[0m a.sh"), "fail");
    assert.equal(verdict("node --test | tail", "# pass 3\n# fail 1"), "fail");
    assert.equal(verdict("go test ./... | tail", "--- FAIL: TestA (0.00s)"), "fail");
    assert.equal(verdict("tsc | tail", "a.ts(1,1): error TS2322: Type 'a'"), "fail");
  });

  test("the harness's own failure bit counts", () => {
    assert.deepEqual(verdicts("tsc --noEmit", { text: "", isError: false }), ["pass"]);
    assert.deepEqual(verdicts("./check_a.sh", { text: "odd", isError: true, exitCode: 2 }), ["fail"]);
  });

  test("the last run of a pair is read by itself", () => {
    assert.equal(verdict("pytest | tail -1", "3 passed in 0.10s"), "pass");
    assert.equal(verdict("pytest | tail -1", "1 failed, 2 passed in 0.10s"), "fail");
  });
});

describe("whatever comes in", () => {
  const pieces = fc.constantFrom(
    "pytest",
    "npm test",
    "cd",
    "&&",
    "||",
    ";",
    "|",
    "tail -5",
    "(",
    ")",
    "{",
    "}",
    "$(",
    "`",
    "'",
    '"',
    "\\",
    "\n",
    "<<EOF",
    "EOF",
    "if",
    "then",
    "fi",
    "for f in a",
    "do",
    "done",
    "case x in",
    "esac",
    ";;",
    "&",
    ">",
    "2>&1",
    "$X",
    "X=",
    "bash -c",
    "xargs",
    "env",
    "--",
    "-k",
    "tests/a.py",
    "\u0000",
    "\uD800",
    "💥",
    "!",
    "function f",
    "f()",
    "echo",
    "$?",
  );
  const shellish = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(" "));
  const command = fc.oneof(shellish, fc.string({ maxLength: 200 }));
  const output: fc.Arbitrary<CommandOutput> = fc.record(
    {
      text: fc.oneof(
        fc.string({ maxLength: 300 }),
        fc.array(pieces).map((parts) => parts.join("\n")),
      ),
      isError: fc.boolean(),
      exitCode: fc.integer(),
      interrupted: fc.boolean(),
    },
    { requiredKeys: ["text"] },
  );

  test("checks are found without a throw, as plain data", () => {
    fc.assert(
      fc.property(command, fc.string({ maxLength: 20 }), (line, cwd) => {
        const checks = findChecks(line, cwd);
        assert.deepEqual(JSON.parse(JSON.stringify(checks)), checks);
      }),
      { numRuns: 1000 },
    );
  });

  test("verdicts are one a check, with short evidence", () => {
    fc.assert(
      fc.property(command, output, (line, given) => {
        const checks = [...findChecks(line, repo), ...findChecks("npm test | tail; ./check_a.sh", repo)];
        const readings = getVerdicts(checks, given);
        assert.equal(readings.length, checks.length);
        assert.ok(readings.every((reading) => reading.evidence.length <= 200));
      }),
      { numRuns: 500 },
    );
  });

  test("deep nesting ends", () => {
    assert.deepEqual(findChecks(`${"(".repeat(3000)}pytest`, repo).length <= 1, true);
    assert.deepEqual(labels(`${"timeout 5 ".repeat(500)}pytest`), []);
    assert.deepEqual(labels("f() { f; pytest; }; f"), ["pytest"]);
  });

  test("a line too deep for the parser has no checks", () => {
    assert.deepEqual(labels(`npm test ${"f() ".repeat(16_000)}`), []);
    assert.deepEqual(labels("npm test"), ["npm test"]);
  });

  // Each would take minutes if its cost grew with the square of its length, or forever if it doubled with each part.
  const large: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    "folders below folders": [`pytest a.py; ${"git -C a ".repeat(30_000)}`, ["pytest a.py"]],
    "folder flags of a package manager": [`tsc; npm ${"--prefix a ".repeat(30_000)}test`, ["tsc", "npm test"]],
    "folder flags behind a script": [`npm test ${"-C a ".repeat(30_000)}`, ["npm test"]],
    "folder flags of make": [`make ${"-C a ".repeat(30_000)}test`, ["make test"]],
    "folder flags of a wrapper": [`poetry run ${"-C a ".repeat(30_000)}pytest`, ["pytest"]],
    "folders one by one": [`tsc; ${"cd a;".repeat(30_000)}`, ["tsc"]],
    "members of members": [`tsc; yarn ${"workspace a ".repeat(30_000)}test`, ["tsc"]],
    "members of everything": [`tsc; yarn ${"workspaces foreach ".repeat(30_000)}test`, ["tsc"]],
    "saved statuses": [`tsc; ${"rc=$?;".repeat(30_000)}`, ["tsc"]],
    "names of one program": [`tsc; ${"git ".repeat(60_000)}`, ["tsc"]],
    "substitutions inside substitutions": [`tsc; echo ${"$(".repeat(5000)}`, ["tsc"]],
    "quoted substitutions inside each other": [`tsc; echo ${'"$('.repeat(5000)}`, ["tsc"]],
    "a value that doubles": [`tsc; A=a;${"A=$A$A;".repeat(1000)} pytest`, ["tsc", "pytest"]],
    "a loop's value that doubles": [`tsc; A=a;${"for A in $A$A; do :; done;".repeat(100)} pytest`, ["tsc", "pytest"]],
    "functions that call twice": [
      `tsc; ${Array.from({ length: 60 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; };`).join("")} f60() { cd .; }; f0`,
      ["tsc"],
    ],
  };
  test("an output of hundreds or of huge printed commands is not taken for that of a silent tool", () => {
    const printed = (count: number, more = "") => shown(`$ tsc --noEmit${more}\n`.repeat(count), 0);
    assert.deepEqual(verdicts("npm run typecheck | cat", printed(3)), ["pass"]);
    assert.deepEqual(verdicts("npm run typecheck | cat", printed(300)), ["unknown"]);
    assert.deepEqual(verdicts("npm run typecheck | cat", printed(1, " a".repeat(2000))), ["unknown"]);
  });

  for (const [name, [line, found]] of Object.entries(large)) {
    test(`a long line ends: ${name}`, () => assert.deepEqual(labels(line), found));
  }
});

describe("the look before parsing", () => {
  const all = toolCases.flatMap((cases) => [
    ...Object.keys(cases.checks),
    ...[...(cases.same ?? []), ...(cases.different ?? [])].flat(),
  ]);

  test("hides no check of any case, however its words are quoted", () => {
    const quote = (text: string, at: number, mark: string): string => {
      const place = at % (text.length + 1);
      return mark === "\\" ? text : `${text.slice(0, place)}${mark}${mark}${text.slice(place)}`;
    };
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.nat(), fc.constantFrom("'", '"'), (command, at, mark) => {
        assert.ok(mayCheck(command), command);
        assert.ok(mayCheck(quote(command, at, mark)), quote(command, at, mark));
      }),
      { numRuns: 3000 },
    );
  });

  test("a name put together from variables or lines is not hidden", () => {
    for (const line of [
      "A=py; ${A}test",
      'A=py; "$A"test tests',
      "export R=py\nx=1\n$R$x; ${R}test",
      "p\\ytest",
      "py\\\ntest",
      "$'\\x70ytest'",
    ]) {
      assert.ok(mayCheck(line), line);
    }
  });

  test("lines that only read or edit are turned away", () => {
    for (const line of ["ls -la", "cat README.md", "git status --short", "sed -n 1,20p src/a.go", "mkdir -p a/b"]) {
      assert.equal(mayCheck(line), false, line);
    }
  });
});

describe("the look at a text before its lines are held against patterns", () => {
  const lists = [...tools.map(({ lines }) => lines), plainLines, { fail: neverStarted, pass: chatter }];
  const patterns = [
    ...new Set(
      lists.flatMap(({ fail = [], loose = [], unfinished = [], pass = [], problem = [], nothing = [] }) =>
        [fail, loose, unfinished, pass, problem, nothing].flat(),
      ),
    ),
  ];
  const isPossible = (pattern: RegExp, line: string): boolean =>
    selectPossible([pattern], makeBlock([line])).length === 1;

  test("leaves out no pattern that fits a line", () => {
    const fitting = patterns.flatMap((pattern) => {
      // The generator knows neither lookarounds nor word boundaries, which only narrow what is drawn, nor references.
      const wider = pattern.source
        .replaceAll(/\\b|\(\?<?[=!](?:[^()]|\([^()]*\))*\)/g, "")
        .replaceAll(/\\[1-9]/g, String.raw`\d*`);
      const lines = fc
        .sample(fc.stringMatching(new RegExp(wider)), { numRuns: 3 })
        .map((line) => line.replaceAll(/\s/g, " "));
      return lines.filter((line) => pattern.test(line)).map((line) => [pattern, line] as const);
    });
    assert.ok(fitting.length > 2 * patterns.length, String(fitting.length));
    for (const [pattern, line] of fitting) assert.ok(isPossible(pattern, line), `${pattern} ${line}`);
  });

  test("knows what is surely in a match", () => {
    const examples: readonly (readonly [source: string, start: string | undefined, texts: readonly string[]])[] = [
      ["^Found [1-9]", "F", []],
      ["^error: (?:a|b)", "e", []],
      ["^a|b", undefined, [""]],
      ["^a?bcd", undefined, ["bcd"]],
      [String.raw`^\s*(?:a|b)+foo?bar$`, undefined, ["bar"]],
      [String.raw`\bx\[y\]\.z`, undefined, ["x[y].z"]],
      [String.raw`(?:a(?:b[)](?:c)))defg`, undefined, ["defg"]],
      [String.raw`\u2713\x41 bcd`, undefined, [" bcd"]],
      [String.raw`^(?:FAILED|ERRORS?): `, undefined, ["FAILED", "ERROR"]],
      [String.raw`(?!FAILED|ERROR): `, undefined, [": "]],
      [String.raw`\d+(?:abcd)?\s*`, undefined, [""]],
    ];
    for (const [source, start, texts] of examples) {
      assert.deepEqual(findNeeds(source), start === undefined ? { texts } : { start, texts }, source);
    }
  });

  test("lets few patterns through", () => {
    const text = "src/a.ts\n  12 passed\n\nDone in 1.2s.".split("\n");
    const possible = selectPossible(patterns, makeBlock(text));
    assert.ok(possible.length < patterns.length / 5, `${possible.length} of ${patterns.length}`);
  });
});

describe("the output of a Codex call", () => {
  const head = "Chunk ID: ab12\nWall time: 1.5 seconds\n";
  const cases: Readonly<Record<string, { readonly text: string; readonly gives: object }>> = {
    "a plain text is itself": { text: "3 passed", gives: { text: "3 passed", running: false } },
    "the head says how it ended": {
      text: `${head}Process exited with code 1\nOriginal token count: 9\nOutput:\n1 failed\n`,
      gives: { text: "1 failed\n", running: false, exitCode: 1 },
    },
    "a running command has not ended": {
      text: `${head}Process running with session ID 7\nOutput:\nstarting\n`,
      gives: { text: "starting\n", running: true },
    },
    "late output is joined, the last head counts": {
      text: `${head}Process running with session ID 7\nOutput:\none\n${head}Process exited with code 0\nOutput:\ntwo\n`,
      gives: { text: "one\ntwo\n", running: false, exitCode: 0 },
    },
    "the older shell tool": {
      text: "Exit code: 2\nWall time: 0.1 seconds\nOutput:\nbad\n",
      gives: { text: "bad\n", running: false, exitCode: 2 },
    },
    "the oldest form is a record": {
      text: '{"output":"bad\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}',
      gives: { text: "bad\n", running: false, exitCode: 3 },
    },
    "a script that prints the record": {
      text: 'Script completed\nWall time 1.0 seconds\nOutput:\n\n{"chunk_id":"a","exit_code":1,"output":"1 failed"}',
      gives: { text: "\n1 failed", running: false, exitCode: 1 },
    },
    "a script whose command still runs": {
      text: 'Script completed\nWall time 1.0 seconds\nOutput:\n\n{"chunk_id":"a","session_id":7,"output":"one"}',
      gives: { text: "\none", running: true },
    },
    "a record with a part cut out": {
      text: 'Script completed\nWall time 1.0 seconds\nOutput:\n{"chunk_id":"a","exit_code":0,"output":"one\\ntwo...\n...',
      gives: { text: "one\ntwo...\n...", running: false, exitCode: 0 },
    },
    "a script that prints the status in its own way": {
      text: "Script completed\nWall time 1.0 seconds\nOutput:\n1 failed\nEXIT=2\n",
      gives: { text: "1 failed\nEXIT=2\n", running: false, exitCode: 2 },
    },
    "two statuses are nobody's": {
      text: "Script completed\nWall time 1.0 seconds\nOutput:\nexit:0\nexit:1\n",
      gives: { text: "exit:0\nexit:1\n", running: false },
    },
    "a script that still runs": {
      text: "Script running with cell ID 3\nWall time 10.0 seconds\nOutput:\n\n",
      gives: { text: "\n", running: true },
    },
  };
  for (const [name, { text, gives }] of Object.entries(cases)) {
    test(name, () => assert.deepEqual(parseCodexOutput(text), gives));
  }

  test("any text is taken", () => {
    const heads = fc.constantFrom(
      head,
      "Output:\n",
      "Script completed\n",
      '{"output":',
      '"exit_code":1}',
      "Exit code: 1\n",
      "x",
    );
    fc.assert(
      fc.property(fc.array(heads), (parts) => {
        assert.equal(typeof parseCodexOutput(parts.join("")).text, "string");
      }),
    );
  });
});

describe("catstack classify", () => {
  const idle = makeIdleIo(repo);

  async function run(...lines: readonly unknown[]): Promise<{ code: number; printed: readonly unknown[] }> {
    const printed: unknown[] = [];
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const io = { ...idle, stdin: Readable.from([text]), out: (line: string) => void printed.push(JSON.parse(line)) };
    const code = await classify([], io);
    return { code, printed };
  }

  test("answers each question with target and verdict", async () => {
    const { code, printed } = await run(
      { id: "a", command: "pytest -q", output: "2 passed in 0.1s", isError: false, exitCode: null, cwd: "/repo" },
      { id: "b", command: "ls", output: "", isError: null, exitCode: null },
      {
        id: 3,
        command: "ruff check && pytest",
        output: "All checks passed!\n1 failed in 0.1s",
        exitCode: 1,
        cwd: "/repo",
      },
    );
    assert.equal(code, 0);
    assert.deepEqual(printed, [
      { id: "a", verifier: true, target: "pytest at=/repo", verdict: "pass" },
      { id: "b", verifier: false, target: null, verdict: "unknown" },
      { id: 3, verifier: true, target: ['"ruff check" at=/repo', "pytest at=/repo"], verdict: "fail" },
    ]);
  });

  test("reads what each agent writes around an output", async () => {
    const { printed } = await run(
      { id: 1, agent: "claude", command: "npm test", output: "Exit code 12\nodd", isError: true },
      { id: 2, agent: "claude", command: "npm test", output: "This command requires approval", isError: true },
      {
        id: 3,
        agent: "claude",
        command: "npm test",
        output: "Command running in background with ID: b1",
        isError: false,
      },
      {
        id: 4,
        agent: "codex",
        command: "npm test",
        output: "Wall time: 1 seconds\nProcess exited with code 1\nOutput:\n",
      },
      { id: 5, command: "npm test", output: "Exit code 12\nodd", isError: true },
    );
    const verdictOf = (row: unknown) => (isRow(row) ? row["verdict"] : undefined);
    assert.deepEqual(printed.map(verdictOf), ["fail", "unknown", "unknown", "fail", "fail"]);
  });

  test("names broken lines, goes on, and exits 1", async () => {
    const { code, printed } = await run("{", "[]", { command: "ls" }, { id: "x" }, "", { id: "ok", command: "ls" });
    assert.equal(code, 1);
    assert.equal(printed.length, 5);
    assert.ok(printed.slice(0, 4).every((row) => isRow(row) && row["id"] === null && typeof row["error"] === "string"));
    assert.deepEqual(printed[4], { id: "ok", verifier: false, target: null, verdict: "unknown" });
  });

  test("takes no arguments", async () => {
    await assert.rejects(classify(["x"], idle), /expected no arguments, got x/);
  });
});
