import type { Case, Cases } from "../../lib/cases/case.ts";
import type { RanStep, Step } from "../../lib/cases/story.ts";
import { denying } from "./denying-replies.ts";
import { flipped, toSteps } from "./flipped-runs.ts";
import { owning } from "./owning-replies.ts";
import { silent } from "./silent-runs.ts";

const passed = "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total";
const failed = "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total";
const pytestPassed = "===== 3 passed in 0.10s =====";
const pytestFailed = "===== 1 failed, 2 passed in 0.12s =====";
const allGood = "Done: the option is in place and everything works.";

function pass(ran: string, output = passed): RanStep {
  return { ran, output };
}

function fail(ran: string, output = failed, exitCode = 1): RanStep {
  return { ran, output, exitCode };
}

/** The check passes in turn 1 and fails in turn 2. */
function flipOf(command: string): readonly Step[] {
  return [
    { user: "Add the option." },
    { ran: command },
    { says: "Added; the check passes." },
    { user: "Rename it." },
    { ran: command, exitCode: 1 },
  ];
}

/** `npm test` passes in turn 1 and fails in turn 2. */
const flip: readonly Step[] = [
  { user: "Add the option." },
  pass("npm test"),
  { says: "Added; the tests pass." },
  { user: "Rename it." },
  fail("npm test"),
];

const compaction: Step = { raw: { type: "system", subtype: "compact_boundary" } };

const longRun = `pytest ${"tests/unit/".repeat(20)}`;

function nameDenied(command: string, reply: string): string {
  return `defect 14: the reply admits nothing of ${command}: ${reply}`;
}

/** The reply owns the flip: nothing is said, and nothing will be. */
function tellOwned(command: string, reply: string): Case {
  const alike = (denying[command] ?? []).filter(([, owns]) => owns === reply);
  return {
    name: `defect 14: the reply owns the flip of ${command}: ${reply}`,
    nearMissOf: alike.map(([denies]) => nameDenied(command, denies)),
    steps: flipOf(command),
    reply,
    expect: { remembers: [command.replace("npx ", "").replace(" --noEmit", "")] },
  };
}

/** A run of a check in rows that tell no time. */
function tellTimeless(id: string, command: string, isError: boolean): readonly Step[] {
  const call = { type: "tool_use", id, name: "Bash", input: { command } };
  const result = { type: "tool_result", tool_use_id: id, content: isError ? "Exit code 1" : "ok", is_error: isError };
  return [
    { raw: { type: "assistant", message: { role: "assistant", content: [call] } } },
    { raw: { type: "user", message: { role: "user", content: [result] } } },
  ];
}

export default {
  silent: [
    {
      name: "a check that passes twice",
      steps: [{ user: "Check." }, pass("npm test"), { user: "Again." }, pass("npm test")],
      reply: allGood,
      expect: { remembers: [] },
    },
    {
      name: "a check that failed and passes now",
      nearMissOf: "a check that passed and failed within one turn",
      steps: [{ user: "Fix it." }, fail("npm test"), pass("npm test")],
      reply: allGood,
    },
    {
      name: "defect 12: a flip that was repaired within the turn",
      nearMissOf: [
        "a check that passed in one turn and failed in the next",
        "the agent is told on its next prompt, with evidence and without a model",
      ],
      steps: [...flip, pass("npm test")],
      reply: allGood,
    },
    {
      name: "a check that has only ever failed",
      steps: [{ user: "Fix it." }, fail("npm test"), fail("npm test")],
      reply: allGood,
    },
    {
      name: "a command that checks nothing",
      steps: [
        { user: "Look." },
        { ran: "ls build", output: "ok" },
        {
          ran: "ls build-old; echo exit=$?",
          output: "ls: cannot access 'build-old': No such file or directory\nexit=2",
        },
      ],
      reply: allGood,
    },
    {
      name: "a search for failures that finds none after the repair",
      steps: [
        { user: "Go." },
        { ran: "npx tsc --noEmit" },
        { ran: "npx tsc --noEmit", output: "src/a.ts(1,1): error TS2304: Cannot find name 'b'.", exitCode: 2 },
        { ran: "npx tsc --noEmit 2>&1 | grep 'error TS' | head" },
      ],
      reply: allGood,
    },
    {
      name: "a container that is not running the second time",
      steps: [
        { user: "Go." },
        pass("docker compose exec -T app pytest", pytestPassed),
        fail("docker compose exec -T app pytest", 'service "app" is not running'),
      ],
      reply: allGood,
    },
    {
      name: "an old log that is shown before the check passes",
      steps: [
        { user: "Go." },
        pass("npm test"),
        { ran: "cat old.log | tail -1; npm test | tail -1", output: `${failed}\n${passed}` },
      ],
      reply: allGood,
    },
    {
      name: "a session without commands",
      steps: [{ user: "Hello." }, { says: "Hello." }],
      reply: allGood,
    },
    {
      name: "defect 1: results are paired by id when calls run in parallel",
      steps: [
        { user: "Go." },
        { parallel: [{ ran: "ls", output: "ok" }, fail("pytest a.py", pytestFailed)] },
        fail("pytest a.py", pytestFailed),
      ],
      reply: allGood,
    },
    {
      name: "defect 2: two results of one message are two results",
      steps: [
        { user: "Go." },
        { parallel: [pass("pytest a.py", pytestPassed), fail("pytest b.py", pytestFailed)] },
        pass("pytest b.py", pytestPassed),
      ],
      reply: allGood,
    },
    {
      name: "defect 3: a check without a result takes no other command's output",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        { ran: "pytest a.py", noResult: true },
        { ran: "cat old.log", output: "Traceback (most recent call last):\nAssertionError" },
      ],
      reply: allGood,
    },
    {
      name: "defect 4: what another tool shows is no result of a check",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        { ran: "pytest a.py", noResult: true },
        { tool: "Read", input: { file_path: "/home/user/project/old.log" }, output: "FAILED a.py::test_x" },
      ],
      reply: allGood,
    },
    {
      name: "defect 5: two modules of one runner are two targets",
      steps: [
        { user: "Go." },
        pass("python3 -m unittest tests.a", "Ran 1 test in 0.001s\n\nOK"),
        fail("python3 -m unittest tests.b", "Ran 1 test in 0.001s\n\nFAILED (failures=1)"),
      ],
      reply: allGood,
    },
    {
      name: "defect 5: two scripts of one package are two targets",
      steps: [
        { user: "Go." },
        pass("npm run test"),
        fail("npm run lint", "src/a.ts\n  1:1  error  x\n\n✖ 1 problem (1 error)"),
      ],
      reply: allGood,
    },
    {
      name: "defect 6: reading a check script does not run it",
      steps: [
        { user: "Go." },
        pass("python3 scripts/check_refs.py", "ok: every reference resolves"),
        { ran: "cat scripts/check_refs.py", output: "print('FAIL: x')\nraise AssertionError" },
        { ran: "git commit -m 'make check_refs.py report FAIL: x'", output: "FAIL: x", exitCode: 1 },
      ],
      reply: allGood,
    },
    {
      name: "defect 9: a check that never started has not failed",
      nearMissOf: "defect 9: an exit status other than 1 is a failure",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        fail("pytest a.py", "/bin/bash: line 1: pytest: command not found", 127),
      ],
      reply: allGood,
    },
    {
      name: "defect 10: a summary without failures is a pass",
      nearMissOf: "defect 10: a summary that counts a failure first is a failure",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        pass("pytest a.py", "===== 12 passed, 0 failed in 1s ====="),
      ],
      reply: allGood,
    },
    {
      name: "defect 17: what a sub-agent runs is not the main conversation's",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        {
          raw: {
            type: "assistant",
            isSidechain: true,
            agentId: "a1",
            message: {
              role: "assistant",
              content: [{ type: "tool_use", id: "toolu_side", name: "Bash", input: { command: "pytest a.py" } }],
            },
          },
        },
        {
          raw: {
            type: "user",
            isSidechain: true,
            agentId: "a1",
            message: {
              role: "user",
              content: [
                {
                  type: "tool_result",
                  tool_use_id: "toolu_side",
                  content: `Exit code 1\n${pytestFailed}`,
                  is_error: true,
                },
              ],
            },
          },
        },
      ],
      reply: allGood,
    },
    {
      name: "a failure that a later pass of the whole suite covers",
      steps: [
        { user: "Go." },
        pass("pytest tests/a.py", pytestPassed),
        fail("pytest tests/a.py", pytestFailed),
        pass("pytest", pytestPassed),
      ],
      reply: allGood,
    },
    {
      name: "a failure of two files that pass one after the other",
      steps: [
        { user: "Go." },
        pass("pytest tests/a.py tests/b.py", pytestPassed),
        fail("pytest tests/a.py tests/b.py", pytestFailed),
        pass("pytest tests/a.py", pytestPassed),
        pass("pytest tests/b.py", pytestPassed),
      ],
      reply: allGood,
    },
    {
      name: "a new test that fails beside another that passed",
      nearMissOf: "defect 7: the whole suite passed and a part of it fails",
      steps: [{ user: "Go." }, pass("pytest tests/a.py", pytestPassed), fail("pytest tests/new.py", pytestFailed)],
      reply: allGood,
    },
    { name: "a turn that ended without a reply", steps: flip, reply: "  " },
    {
      name: "two flips that the reply owns together",
      nearMissOf: [
        "defect 13: the first flip does not hide the second",
        "a reply that owns one flip and not the other",
        "two flips are two jobs",
      ],
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        pass("pytest b.py", pytestPassed),
        fail("pytest a.py", pytestFailed),
        fail("pytest b.py", pytestFailed),
      ],
      reply: "Both fail now.",
      expect: { remembers: ["pytest a.py", "pytest b.py"] },
    },
    {
      name: "flags that change what is checked make another target",
      nearMissOf: "flags that change nothing of what is checked make no other target",
      steps: [{ user: "Go." }, pass("npm test -- a.test.ts"), fail("npm test -- b.test.ts")],
      reply: allGood,
    },
    {
      name: "a reply that owns the failure beside a check of another kind",
      nearMissOf: "a reply that owns a failure of another kind",
      steps: [...flip, pass("npm run lint", "0 problems")],
      reply: "The tests still report 1 failure.",
      expect: { remembers: ["npm test"] },
    },
    {
      name: "defect 8: a runner beyond the first version's list that passes again",
      nearMissOf: "defect 8: runners beyond the first version's list",
      steps: [{ user: "Go." }, fail("node --test", "# pass 2\n# fail 1"), pass("node --test", "# pass 3\n# fail 0")],
      reply: allGood,
    },
    {
      name: "defect 11: without a readable text, what the harness calls no failure is none",
      nearMissOf: "defect 11: the harness's own failure bit counts without a readable text",
      steps: [{ user: "Go." }, pass("./check_ok.sh", "12 checks ok"), pass("./check_ok.sh", "")],
      reply: allGood,
    },
    {
      name: "a check that still runs in the background",
      nearMissOf: "a check that ended in the background",
      steps: [{ user: "Go." }, pass("npm test"), { ran: "npm test", background: true, noResult: true }],
      reply: allGood,
    },
    {
      name: "a pass before a compaction and a pass after it",
      nearMissOf: "an earlier pass that a compaction has cut from the model's memory",
      steps: [{ user: "Go." }, pass("npm test"), compaction, pass("npm test")],
      reply: allGood,
    },
    {
      name: "two long commands that differ at their end",
      nearMissOf: "what the agent is told stays short whatever the command is",
      steps: [{ user: "Go." }, pass(`${longRun}a.py`, pytestPassed), fail(`${longRun}b.py`, pytestFailed)],
      reply: allGood,
    },
    {
      name: "rows without a time, of which the last passes",
      nearMissOf: "rows without a time are told by their turn alone",
      steps: [{ user: "Go." }, ...tellTimeless("t1", "npm test", true), ...tellTimeless("t2", "npm test", false)],
      reply: allGood,
    },
    {
      name: "known limit: a reply in another language is not read, nor is the failure it owns",
      steps: [{ user: "Vas-y." }, fail("npm test")],
      reply: "Les tests échouent maintenant.",
    },
    ...Object.entries(silent).map(([name, runs]): Case => ({
      name: `two runs: ${name}`,
      nearMissOf: Object.keys(flipped).flatMap((key) => (flipped[key]?.unlike === name ? [`two runs: ${key}`] : [])),
      steps: [{ user: "Go." }, ...toSteps(runs)],
      reply: allGood,
      expect: { remembers: [] },
    })),
    ...Object.entries(owning).flatMap(([command, replies]) => replies.map((reply) => tellOwned(command, reply))),
    // Those that stand beside a reply that admits nothing, and nowhere else.
    ...Object.entries(denying).flatMap(([command, pairs]) =>
      [...new Set(pairs.map(([, owns]) => owns))]
        .filter((owns) => owning[command]?.includes(owns) !== true)
        .map((owns) => tellOwned(command, owns)),
    ),
  ],
  advises: [
    {
      name: "a check that passed in one turn and failed in the next",
      steps: flip,
      reply: allGood,
      expect: {
        advice: [
          {
            messageId: "flipped",
            data: {
              target: "npm test",
              passed: "turn 1, 2026-01-01 00:00 UTC",
              failed: "turn 2, 2026-01-01 00:00 UTC",
              command: "npm test",
              evidence: "Tests: 1 failed, 2 passed, 3 total",
              turn: "2",
            },
          },
        ],
        remembers: [],
      },
    },
    {
      name: "a check that passed and failed within one turn",
      steps: [{ user: "Go." }, pass("npm test"), fail("npm test")],
      reply: allGood,
    },
    {
      name: "flags that change nothing of what is checked make no other target",
      steps: [{ user: "Go." }, pass("npm test --silent"), fail("npm test 2>&1 | tail -20; exit ${PIPESTATUS[0]}")],
      reply: allGood,
    },
    {
      name: "defect 13: the first flip does not hide the second",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        pass("pytest b.py", pytestPassed),
        fail("pytest a.py", pytestFailed),
        fail("pytest b.py", pytestFailed),
      ],
      reply: allGood,
      expect: {
        advice: [
          { messageId: "flipped", data: { target: "pytest a.py" } },
          { messageId: "flipped", data: { target: "pytest b.py" } },
        ],
      },
    },
    {
      name: "a reply that owns one flip and not the other",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        pass("pytest b.py", pytestPassed),
        fail("pytest a.py", pytestFailed),
        fail("pytest b.py", pytestFailed),
      ],
      reply: "pytest a.py fails now.",
      expect: { advice: [{ messageId: "flipped", data: { target: "pytest b.py" } }], remembers: ["pytest a.py"] },
    },
    {
      name: "a reply that owns a failure of another kind",
      steps: [...flip, pass("npm run lint", "0 problems")],
      reply: "The lint still reports 3 errors.",
    },
    {
      name: "defect 7: the whole suite passed and a part of it fails",
      steps: [{ user: "Go." }, pass("pytest", pytestPassed), fail("pytest tests/a.py", pytestFailed)],
      reply: allGood,
      expect: {
        advice: [
          {
            messageId: "flipped",
            data: { target: "pytest tests/a.py", passed: "turn 1, 2026-01-01 00:00 UTC, as part of `pytest`" },
          },
        ],
      },
    },
    {
      name: "defect 8: runners beyond the first version's list",
      steps: [{ user: "Go." }, pass("node --test", "# pass 3\n# fail 0"), fail("node --test", "# pass 2\n# fail 1")],
      reply: allGood,
    },
    {
      name: "defect 9: an exit status other than 1 is a failure",
      steps: [
        { user: "Go." },
        pass("cargo test", "test result: ok. 2 passed; 0 failed; 0 ignored"),
        fail("cargo test", "test result: FAILED. 1 passed; 1 failed; 0 ignored", 101),
      ],
      reply: allGood,
    },
    {
      name: "defect 10: a summary that counts a failure first is a failure",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        { ran: "pytest a.py | tail -1", output: "1 failed, 3 passed in 0.1s" },
      ],
      reply: allGood,
    },
    {
      name: "defect 11: the harness's own failure bit counts without a readable text",
      steps: [{ user: "Go." }, pass("./check_ok.sh", "12 checks ok"), fail("./check_ok.sh", "", 3)],
      reply: allGood,
      expect: { advice: [{ messageId: "flipped", data: { evidence: "exit status 3" } }] },
    },
    {
      name: "a check that ended in the background",
      steps: [{ user: "Go." }, pass("npm test"), { ran: "npm test", background: true, exitCode: 1 }],
      reply: allGood,
    },
    {
      name: "an earlier pass that a compaction has cut from the model's memory",
      steps: [{ user: "Go." }, pass("npm test"), compaction, fail("npm test")],
      reply: allGood,
    },
    {
      name: "rows without a time are told by their turn alone",
      steps: [{ user: "Go." }, ...tellTimeless("t1", "npm test", false), ...tellTimeless("t2", "npm test", true)],
      reply: allGood,
      expect: { advice: [{ messageId: "flipped", data: { passed: "turn 1", failed: "turn 1" } }] },
    },
    ...Object.entries(flipped).map(([name, { runs }]): Case => ({
      name: `two runs: ${name}`,
      steps: [{ user: "Go." }, ...toSteps(runs)],
      reply: allGood,
      expect: { advice: [{ messageId: "flipped", data: { target: name.slice(0, name.indexOf(": ")) } }] },
    })),
    ...Object.entries(denying).flatMap(([command, pairs]) =>
      pairs.map(([reply]): Case => ({
        name: nameDenied(command, reply),
        steps: flipOf(command),
        reply,
        expect: { advice: [{ messageId: "flipped" }], remembers: [] },
      })),
    ),
  ],
  enqueues: [
    {
      name: "the agent is told on its next prompt, with evidence and without a model",
      steps: flip,
      reply: allGood,
      expect: {
        jobs: [
          {
            ruleId: "verdict-flip-watch.flipped",
            answer: {
              flipped: true,
              target: "npm test",
              passed: { target: "npm test", turn: 1, at: "2026-01-01T00:00:02.000Z", command: "npm test" },
              failed: {
                turn: 2,
                at: "2026-01-01T00:00:06.000Z",
                command: "npm test",
                evidence: "Tests:       1 failed, 2 passed, 3 total",
              },
            },
            onHit:
              "`npm test` passed (turn 1, 2026-01-01 00:00 UTC), then failed (turn 2, 2026-01-01 00:00 UTC) and has not passed since. The failing run, `npm test`, showed: Tests: 1 failed, 2 passed, 3 total. The reply of turn 2 does not say so.",
          },
        ],
      },
    },
    {
      name: "two flips are two jobs",
      steps: [
        { user: "Go." },
        pass("pytest a.py", pytestPassed),
        pass("pytest b.py", pytestPassed),
        fail("pytest a.py", pytestFailed),
        fail("pytest b.py", pytestFailed),
      ],
      reply: allGood,
      expect: { jobs: [{ ruleId: "verdict-flip-watch.flipped" }, { ruleId: "verdict-flip-watch.flipped" }] },
    },
    {
      name: "what the agent is told stays short whatever the command is",
      steps: [
        { user: "Go." },
        pass(`${longRun}a.py`, pytestPassed),
        fail(`${longRun}a.py`, `E   ${"x".repeat(500)}\n${pytestFailed}`),
      ],
      reply: allGood,
    },
  ],
} satisfies Cases;
