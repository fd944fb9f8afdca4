import assert from "node:assert/strict";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { describe, test, type TestContext } from "node:test";
import type { Check, Level } from "../../cli/doctor/check.ts";
import { checkBuild } from "../../cli/doctor/checks/build.ts";
import { checkClients, type ClientFacts } from "../../cli/doctor/checks/clients.ts";
import { checkNode, MIN_NODE } from "../../cli/doctor/checks/node.ts";
import { checkQueue } from "../../cli/doctor/checks/queue.ts";
import { checkRunners, type RunnerFacts, type RunnersFacts } from "../../cli/doctor/checks/runners.ts";
import { checkRuns } from "../../cli/doctor/checks/runs.ts";
import { checkSettings } from "../../cli/doctor/checks/settings.ts";
import { checkState, type StateFacts } from "../../cli/doctor/checks/state.ts";
import { checkTranscript } from "../../cli/doctor/checks/transcripts.ts";
import { checkService, checkWatcher } from "../../cli/doctor/checks/watcher.ts";
import { doctor } from "../../cli/doctor.ts";
import { formatChecks } from "../../cli/doctor/format.ts";
import { listTrapFiles } from "../../cli/doctor/probe/traps.ts";
import { judgeProbe, type ProbeFacts } from "../../cli/doctor/probe/judge-probe.ts";
import { readBuild } from "../../cli/doctor/read-build.ts";
import { readRunners } from "../../cli/doctor/read-runners.ts";
import { findHookProblem } from "../../cli/setup/self-test.ts";
import { findMissingSwitches, listSwitches } from "../../cli/doctor/switches.ts";
import type { WatcherStatus } from "../../judge/status/status.ts";
import type { RunRecord } from "../../lib/harness/run-record.ts";
import { noteRun, readRuns } from "../../lib/io/edge/run-log.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { installFakes, isRunning, makeTempDir } from "../helpers/fake-clis.ts";
import { distDir, runCatstack, runCommand } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { mountSmallDisk } from "../helpers/small-disk.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const MB = 1024 * 1024;

/** `fail entries claude`, the shape in which a table names what it expects. */
function brief({ level, name }: Check): string {
  return `${level} ${name}`;
}

function getOne(checks: readonly Check[], name: string): Check {
  const found = checks.filter((check) => check.name === name);
  assert.equal(found.length, 1, `expected one check ${name} among ${checks.map(brief).join(", ")}`);
  return found[0] ?? { name, level: "unknown", says: "" };
}

describe("what the checks make of facts", () => {
  test("Node is old, new enough, or not the one that hooks were built with", () => {
    const node = { version: "20.19.0", path: "/n", launcherNode: "/n", launcherNodeRuns: true };
    assert.equal(checkNode(node).level, "ok");
    assert.equal(checkNode({ ...node, version: "20.18.9" }).level, "fail");
    assert.equal(checkNode({ ...node, version: "18.20.0" }).level, "fail");
    assert.equal(checkNode({ ...node, version: "22.0.0" }).level, "ok");
    const moved = checkNode({ ...node, launcherNode: "/old/node", launcherNodeRuns: false });
    assert.equal(moved.level, "warn");
    assert.match(moved.says, /\/old\/node, which is gone/);
    assert.equal(checkNode({ ...node, launcherNode: undefined, launcherNodeRuns: false }).level, "ok");
  });

  test("Node's least version is that of package.json", () => {
    const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    assert.ok(text.includes(`"node": ">=${MIN_NODE.join(".")}"`), text);
  });

  test("a build is whole, lacks a file, is damaged, or does not fit together", () => {
    const build = { dist: "/d", missing: [], hash: "a", contentHash: "a", launcherFits: true, launcherNode: undefined };
    assert.deepEqual(checkBuild(build, "1.0.0"), { name: "build", level: "ok", says: "1.0.0, a, /d" });
    for (const change of [
      { missing: ["hook.cjs"] },
      { hash: undefined },
      { contentHash: "b" },
      { contentHash: undefined },
      { launcherFits: false },
    ])
      assert.equal(checkBuild({ ...build, ...change }, "1.0.0").level, "fail", JSON.stringify(change));
  });

  const record: RunRecord = {
    harness: "codex",
    event: "Stop",
    at: "2026-03-01T11:59:00.000Z",
    duration_ms: 31,
    since: "2026-02-28T12:00:00.000Z",
    runs: 7,
    errors: 0,
    last_error: null,
  };

  test("hooks never ran, ran, or ran and failed a while ago or just now", () => {
    const facts = { harness: "codex", wantsTrust: true, runs: [] };
    const never = checkRuns(facts, NOW);
    assert.equal(never.level, "warn");
    assert.match(never.mend ?? "", /type \/hooks in Codex/);
    assert.doesNotMatch(checkRuns({ ...facts, wantsTrust: false }, NOW).mend ?? "", /hooks/);
    assert.deepEqual(checkRuns({ ...facts, runs: [record] }, NOW), {
      name: "runs codex",
      level: "ok",
      says: "Stop 60 s ago (31 ms), 7 times in 24 h",
    });
    const failed = (at: string) => ({ ...record, errors: 2, last_error: { at, hook: "edge", name: "ENOSPC" } });
    const recent = checkRuns({ ...facts, runs: [failed("2026-03-01T11:00:00.000Z")] }, NOW);
    assert.equal(recent.level, "warn");
    assert.match(recent.says, /2 with an error \(edge: ENOSPC, 60 min ago\)/);
    assert.equal(checkRuns({ ...facts, runs: [failed("2026-02-20T11:00:00.000Z")] }, NOW).level, "ok");
  });

  test("runs of events that we are not meant for are called so", () => {
    const facts = { harness: "codex", wantsTrust: false, runs: [{ ...record, event: "other" as const, runs: 1 }] };
    assert.equal(checkRuns(facts, NOW).says, "other events 60 s ago (31 ms), once");
  });

  test("a watcher is missing, current, old, out of sight or in trouble", () => {
    const watcher: WatcherStatus = {
      pid: 12,
      bootId: "b",
      pidNamespace: "p",
      startTime: "1",
      name: "w",
      hostname: "h",
      version: "1.0.0",
      startedAt: NOW.toISOString(),
      liveness: "alive",
      health: null,
    };
    const check = (watchers: readonly WatcherStatus[], problems: readonly string[] = []) =>
      checkWatcher({ watchers, problems, version: "1.0.0" });
    assert.equal(check([]).level, "warn");
    assert.match(check([]).mend ?? "", /catstack service install/);
    assert.equal(check([watcher]).level, "ok");
    assert.match(check([{ ...watcher, version: "0.9.0" }]).says, /pid 12 is 0\.9\.0, expected 1\.0\.0/);
    assert.equal(check([{ ...watcher, version: "0.9.0" }]).level, "warn");
    assert.equal(check([{ ...watcher, liveness: "unknown" }]).level, "unknown");
    assert.deepEqual(brief(check([watcher], ["3 jobs wait", "b"])), "fail watcher");
    assert.match(check([watcher], ["3 jobs wait", "b"]).says, /^3 jobs wait \(and 1 more\)$/);
    assert.equal(checkService([]).level, "warn");
    assert.equal(checkService(["systemd"]).level, "ok");
  });

  test("the state folder is there, not yet, open to others, in other hands, read-only or no folder; the disk is full or nearly", () => {
    const folder = { mode: 0o700, isFolder: true, isWritable: true };
    const facts: StateFacts = { root: "/s", ownership: undefined, folder, space: { bytes: 500 * MB, files: 1000 } };
    const look = (change: Partial<StateFacts>) => checkState({ ...facts, ...change }).map(brief);
    assert.deepEqual(look({}), ["ok state folder", "ok free space"]);
    assert.deepEqual(look({ folder: undefined }), ["ok state folder", "ok free space"]);
    assert.deepEqual(look({ folder: { ...folder, mode: 0o750 } }), ["warn state folder", "ok free space"]);
    assert.deepEqual(look({ folder: { ...folder, isWritable: false } }), ["fail state folder", "ok free space"]);
    assert.deepEqual(look({ folder: { ...folder, isFolder: false } }), ["fail state folder", "ok free space"]);
    assert.deepEqual(look({ ownership: { got: "x", mend: "y" } }), ["fail state folder", "ok free space"]);
    assert.deepEqual(look({ space: { bytes: 100 * MB, files: 9 } }), ["ok state folder", "warn free space"]);
    assert.deepEqual(look({ space: { bytes: 5 * MB, files: 9 } }), ["ok state folder", "fail free space"]);
    assert.deepEqual(look({ space: { bytes: 500 * MB, files: 0 } }), ["ok state folder", "fail free space"]);
    assert.deepEqual(look({ space: { bytes: 500 * MB, files: undefined } }), ["ok state folder", "ok free space"]);
    assert.deepEqual(look({ space: undefined }), ["ok state folder", "unknown free space"]);
  });

  test("jobs wait too long, files died lately", () => {
    const look = (jobs: number, oldest: string | null, dead = 0, death: string | null = null) =>
      checkQueue(
        {
          jobs,
          oldestAt: oldest === null ? null : new Date(oldest),
          dead,
          lastDeathAt: death === null ? null : new Date(death),
        },
        NOW,
      ).map(brief);
    assert.deepEqual(look(0, null), ["ok queue", "ok dead jobs"]);
    assert.deepEqual(look(2, "2026-03-01T11:30:00Z"), ["ok queue", "ok dead jobs"]);
    assert.deepEqual(look(2, "2026-03-01T10:30:00Z"), ["warn queue", "ok dead jobs"]);
    assert.deepEqual(look(0, null, 1, "2026-02-28T12:00:00Z"), ["ok queue", "warn dead jobs"]);
    assert.deepEqual(look(0, null, 1, "2026-01-28T12:00:00Z"), ["ok queue", "ok dead jobs"]);
  });

  test("settings are absent, sound, broken, doubtful, or all is off", () => {
    const facts = { path: "/c", isThere: true, errors: [], notes: [], isKilled: false };
    assert.equal(checkSettings(facts).level, "ok");
    assert.match(checkSettings({ ...facts, isThere: false }).says, /all defaults/);
    assert.equal(checkSettings({ ...facts, errors: ["bad"] }).level, "fail");
    assert.equal(checkSettings({ ...facts, notes: ["odd"] }).level, "warn");
    assert.equal(checkSettings({ ...facts, isKilled: true }).level, "warn");
  });

  test("a session reads as known, too short, foreign, broken, or cannot be read", () => {
    const look = (rows: number, known: number, spoken: number, broken = 0): Level =>
      checkTranscript(
        { harness: "claude", newest: { path: "/p/a.jsonl", changedAt: NOW.getTime(), rows, known, spoken, broken } },
        NOW,
      ).level;
    assert.equal(look(100, 100, 30), "ok");
    assert.equal(look(100, 80, 30), "ok");
    assert.equal(look(100, 79, 30), "warn");
    assert.equal(look(100, 99, 30, 1), "warn");
    assert.equal(look(100, 100, 0), "fail");
    assert.equal(look(9, 9, 1), "unknown");
    assert.equal(checkTranscript({ harness: "claude", newest: undefined }, NOW).level, "unknown");
    const unreadable = { path: "/p", changedAt: 0, unreadable: "EACCES" };
    assert.equal(checkTranscript({ harness: "claude", newest: unreadable }, NOW).level, "fail");
  });

  const codex: RunnerFacts = {
    name: "codex",
    program: "codex",
    modes: ["default", "investigate"],
    path: "/b/codex",
    version: "0.171.0",
    answers: true,
    switches: { missing: [] },
    login: { is: "file", where: "/h/.codex/auth.json" },
  };
  const claude: RunnerFacts = { ...codex, name: "claude", program: "claude", path: "/b/claude" };
  const lookRunners = (change: Partial<RunnersFacts>) =>
    checkRunners({ override: null, sets: [], refusals: [], note: null, runners: [codex, claude], ...change });

  test("a runner is ready, absent, too old, perhaps not logged in, or tells nothing of itself", () => {
    assert.deepEqual(lookRunners({}).map(brief), [
      "ok runner codex",
      "ok runner claude",
      "ok judge default",
      "ok judge investigate",
    ]);
    const one = (change: Partial<RunnerFacts>) => lookRunners({ runners: [{ ...codex, ...change }, claude] })[0]?.level;
    assert.equal(one({ path: null }), "ok");
    assert.equal(one({ switches: { missing: ["--ephemeral"] } }), "fail");
    assert.equal(one({ switches: null }), "unknown");
    assert.equal(one({ login: { is: "nothing", where: "/h" } }), "unknown");
    assert.equal(one({ login: null }), "unknown");
    assert.equal(one({ name: "mine", program: "/b/mine", login: null, switches: null }), "ok");
  });

  test("a runner that hangs is nobody to ask", () => {
    const hanging = { ...claude, version: null, answers: false, switches: null };
    assert.deepEqual(lookRunners({ runners: [codex, hanging] }).map(brief), [
      "ok runner codex",
      "warn runner claude",
      "ok judge default",
      "ok judge investigate",
    ]);
    assert.deepEqual(lookRunners({ runners: [hanging] }).map(brief), [
      "fail runner claude",
      "fail judge default",
      "fail judge investigate",
    ]);
  });

  test("none that is there has a login to be seen, or answers", () => {
    const look = (runners: readonly RunnerFacts[]) =>
      getOne(checkRunners({ override: null, sets: [], refusals: [], note: null, runners }), "judge default");
    const out = { is: "nothing", where: "/h/auth.json" } as const;
    assert.deepEqual(look([{ ...codex, login: out }, claude]).level, "ok");
    assert.deepEqual(look([{ ...codex, login: out }]), {
      name: "judge default",
      level: "unknown",
      says: "asks codex, and no login is seen",
      mend: "see to the runners above",
    });
    const hanging = look([{ ...codex, answers: false, version: null, switches: null }]);
    assert.deepEqual([hanging.level, hanging.mend], ["fail", "see to the runners above, or install codex or claude"]);
  });

  test("nobody can be asked", () => {
    const old = { ...claude, switches: { missing: ["--tools"] } };
    const checks = lookRunners({ runners: [{ ...codex, path: null }, old] });
    assert.deepEqual(checks.map(brief), [
      "warn runner codex",
      "fail runner claude",
      "fail judge default",
      "fail judge investigate",
    ]);
    assert.match(checks[1]?.says ?? "", /knows no --tools/);
    const refused = lookRunners({ refusals: ["expected X", "expected X"], runners: [] });
    assert.deepEqual(refused.map(brief), ["fail runners"]);
  });

  test("runners that a person has named are named, and a broken config.toml is told", () => {
    const [named] = lookRunners({ override: "[...]" });
    assert.equal(named?.level, "warn");
    assert.match(named?.says ?? "", /CATSTACK_LLM_JUDGE_RUNNERS is set here/);
    assert.equal(brief(lookRunners({ sets: ["investigate"] })[0] ?? codexCheck), "ok runners");
    assert.equal(brief(lookRunners({ note: "expected TOML" })[0] ?? codexCheck), "warn codex provider");
  });
  const codexCheck: Check = { name: "none", level: "ok", says: "" };

  const client: ClientFacts = {
    name: "claude",
    title: "Claude Code",
    isThere: true,
    files: [{ path: "/h/settings.json", mentions: true, pending: [], refusal: null }],
    link: { path: "/h/hooks/catstack", state: "ours", hash: null },
    off: null,
    plugin: false,
    hook: { problem: null },
    notes: [],
  };
  const other: ClientFacts = { ...client, name: "codex", title: "Codex", files: [] };
  const lookClients = (change: Partial<ClientFacts>, ...more: readonly ClientFacts[]) =>
    checkClients([{ ...client, ...change }, ...more]).map(brief);
  const file = client.files[0] ?? { path: "", mentions: true, pending: [], refusal: null };

  test("a client has our entries once, in part, twice, in an old form, not at all, or nobody can tell", () => {
    assert.deepEqual(lookClients({}), ["ok entries claude", "ok link claude", "ok hook claude"]);
    const entries = (pending: readonly string[]) => lookClients({ files: [{ ...file, pending }] })[0];
    assert.equal(entries(["UserPromptSubmit"]), "fail entries claude");
    assert.equal(entries(["Stop (one too many)"]), "warn entries claude");
    assert.equal(entries(["Stop (renewed)"]), "warn entries claude");
    const refused = { ...file, refusal: "settings.json:3:7: expected JSON" };
    assert.deepEqual(lookClients({ files: [refused] }), ["fail entries claude"]);
    assert.deepEqual(lookClients({ files: [] }), ["fail entries claude"]);
    assert.deepEqual(lookClients({}, other).at(-1), "warn entries codex");
    assert.deepEqual(lookClients({ files: [], plugin: true }), ["ok entries claude"]);
    assert.deepEqual(lookClients({ isThere: false }), ["fail clients"]);
  });

  test("hooks are switched off, their link is gone, another's or not ours, or the command fails", () => {
    assert.deepEqual(lookClients({ off: "disableAllHooks in /x" })[1], "fail hooks claude");
    const link = (state: "absent" | "other" | "foreign") =>
      lookClients({ link: { path: "/l", state, hash: "00" } }).find((each) => each.endsWith("link claude"));
    assert.equal(link("absent"), "fail link claude");
    assert.equal(link("foreign"), "fail link claude");
    assert.equal(link("other"), "warn link claude");
    assert.equal(lookClients({ hook: { problem: "exit 1" } }).at(-1), "fail hook claude");
  });

  test("a line a check, aligned, then the sum; what others wrote stays on its line", () => {
    const checks: Check[] = [
      { name: "a", level: "ok", says: "fine" },
      { name: "long", level: "fail", says: "bad\u001B[31m\nline", mend: "run: x" },
    ];
    assert.deepEqual(formatChecks(checks, false), [
      "ok       a     fine",
      "FAIL     long  bad [31m line; run: x",
      "",
      "1 ok, 1 FAIL",
    ]);
  });

  test("switches are taken from a call and looked for as whole words", () => {
    const args = ["exec", "--sandbox", "read-only", "-c", "x=--fake", "--mode=ask", "--", "--not-one"];
    assert.deepEqual(listSwitches(args), ["--sandbox", "-c", "--mode"]);
    const help = "  -c, --config <k=v>\n  --sandbox-mode <MODE>\n  --mode";
    assert.deepEqual(findMissingSwitches(["-c", "--mode", "--sandbox"], help), ["--sandbox"]);
  });
});

/** A person's home with Claude Code and Codex in it, and fakes of them on PATH. */
interface Home {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  readonly bin: ReturnType<typeof installFakes>;
  catstack(...args: string[]): ReturnType<typeof runCatstack>;
  /** What `doctor --json` says, and its exit code. */
  look(): Promise<{ readonly code: number | null; readonly checks: readonly Check[] }>;
}

const FAKES = { codex: "knows-switches", claude: "knows-switches" };

function makeHome(
  t: TestContext,
  fakes: Readonly<Record<string, string>> = FAKES,
  more: Readonly<Record<string, string>> = {},
): Home {
  const path = makeTempDir(t);
  const bin = installFakes(t, {});
  // Copies: in the project's own folder a client would be taken for a part of its package.
  for (const [name, fake] of Object.entries(fakes)) {
    const own = join(bin.path, `${name}.mjs`);
    cpSync(new URL(`../../fixtures/bin/${fake}.mjs`, import.meta.url), own);
    symlinkSync(own, join(bin.path, name));
  }
  for (const folder of [".claude", ".codex"]) mkdirSync(join(path, folder));
  writeFileSync(join(path, ".codex", "auth.json"), "{}");
  const env = { PATH: bin.path, HOME: path, TMPDIR: makeTempDir(t), ANTHROPIC_API_KEY: "no-key", ...more };
  const catstack: Home["catstack"] = (...args) => runCatstack(args, { env });
  return {
    path,
    env,
    bin,
    catstack,
    async look() {
      const { code, stdout, stderr } = await catstack("doctor", "--json");
      const parsed: unknown = JSON.parse(stdout || "null");
      assert.ok(isReport(parsed), `expected a report, got ${stdout}${stderr}`);
      return { code, checks: parsed.checks };
    },
  };
}

async function makeInstalledHome(t: TestContext): Promise<Home> {
  const home = makeHome(t);
  const { code, stderr } = await home.catstack("install", "--yes", "--no-service");
  assert.equal(code, 0, stderr);
  return home;
}

function isReport(value: unknown): value is { readonly ok: boolean; readonly checks: readonly Check[] } {
  return typeof value === "object" && value !== null && "checks" in value && Array.isArray(value.checks);
}

function stop(home: Home): ReturnType<typeof runCommand> {
  const payload = {
    session_id: "s",
    hook_event_name: "Stop",
    stop_hook_active: false,
    last_assistant_message: "Secret.",
  };
  const stdin = JSON.stringify({ ...payload, transcript_path: join(home.path, "none.jsonl"), cwd: home.path });
  return runCommand(process.execPath, [join(distDir, "hook.mjs"), "claude"], { env: home.env, stdin });
}

describe("catstack doctor", () => {
  test("says of a fresh install what is well and what is still to be done, and writes nothing", async (t) => {
    const home = await makeInstalledHome(t);
    const before = listTree(home.path);
    const { code, checks } = await home.look();
    assert.deepEqual(
      checks.filter(({ level }) => level !== "ok").map(brief),
      [
        "warn runs claude",
        "warn runs codex",
        "unknown transcripts claude",
        "unknown transcripts codex",
        "warn watcher",
        "warn service",
      ],
      JSON.stringify(checks, undefined, 1),
    );
    assert.equal(code, 0);
    assert.match(getOne(checks, "runs codex").mend ?? "", /\/hooks in Codex/);
    assert.match(getOne(checks, "runner claude").says, /^2\.1\.197, .+ANTHROPIC_API_KEY$/);
    assert.match(getOne(checks, "runner codex").says, /login in .+auth\.json$/);
    assert.match(getOne(checks, "judge investigate").says, /^asks codex, then claude$/);
    assert.deepEqual(listTree(home.path), before);
    assert.equal(existsSync(join(home.bin.path, "claude.asked")), false, "a model was asked");
  });

  test("tells it a line a check, and of a hook that ran when and how often", async (t) => {
    const home = await makeInstalledHome(t);
    for (const _ of [1, 2]) assert.equal((await stop(home)).code, 0);
    const { code, stdout } = await home.catstack("doctor");
    assert.equal(code, 0);
    const lines = stdout.trimEnd().split("\n");
    assert.match(
      lines.find((line) => line.includes("runs claude")) ?? "",
      /^ok {7}runs claude +Stop \d+ s ago \(\d+ ms\), 2 times in/,
    );
    for (const line of lines.slice(0, -2)) assert.match(line, /^(?:ok|warn|FAIL|unknown) +[a-z-]+(?: [a-z-]+)? {2,}\S/);
    assert.match(lines.at(-1) ?? "", /^\d+ ok, \d+ warn, \d+ unknown$/);
  });

  const spoils: readonly {
    readonly name: string;
    readonly spoil: (home: Home) => void;
    readonly expects: string;
    readonly says: RegExp;
  }[] = [
    {
      name: "an entry is gone",
      spoil: ({ path }) => edit(join(path, ".claude/settings.json"), '"Stop"', '"SubagentStop"'),
      expects: "fail entries claude",
      says: /Stop in .+settings\.json/,
    },
    {
      name: "every hook is switched off",
      spoil: ({ path }) => edit(join(path, ".claude/settings.json"), "{", '{ "disableAllHooks": true,'),
      expects: "fail hooks claude",
      says: /disableAllHooks in .+settings\.json/,
    },
    {
      name: "Claude Code does not read its settings, for a comment",
      spoil: ({ path }) => edit(join(path, ".claude/settings.json"), "{", "{\n  // mine\n"),
      expects: "fail hooks claude",
      says: /settings\.json:2:3: a comment, with which it does not read the file/,
    },
    {
      name: "Claude Code does not read its settings, for a comma",
      spoil: ({ path }) =>
        writeFileSync(
          join(path, ".claude/settings.json"),
          readFileSync(join(path, ".claude/settings.json"), "utf8").replace(/\}\s*$/, ",}"),
        ),
      expects: "fail hooks claude",
      says: /settings\.json:\d+:\d+: a comma behind the last item, with which it does not read the file/,
    },
    {
      name: "Codex runs no hooks",
      spoil: ({ path }) => writeFileSync(join(path, ".codex/config.toml"), "[features]\nhooks = false\n"),
      expects: "warn hooks codex",
      says: /notify/,
    },
    {
      name: "settings are no JSON",
      spoil: ({ path }) => writeFileSync(join(path, ".claude/settings.json"), "{\n  nonsense"),
      expects: "fail entries claude",
      says: /settings\.json:2:3: expected/,
    },
    {
      name: "a file stands where the link's folder should be",
      spoil: ({ path }) => {
        rmSync(join(path, ".claude/hooks"), { recursive: true });
        writeFileSync(join(path, ".claude/hooks"), "");
      },
      expects: "fail link claude",
      says: /hooks\/catstack is not ours/,
    },
    {
      name: "the link is gone",
      spoil: ({ path }) => unlinkSync(join(path, ".claude/hooks/catstack")),
      expects: "fail link claude",
      says: /the hooks end in silence/,
    },
    {
      name: "the link leads to another build",
      spoil: ({ path }) => {
        cpSync(distDir, join(path, "old"), { recursive: true });
        unlinkSync(join(path, ".claude/hooks/catstack"));
        linkTo(join(path, "old"), join(path, ".claude/hooks/catstack"));
      },
      expects: "warn link claude",
      says: /leads to another build \([0-9a-f]{16}\)/,
    },
    {
      name: "the settings of catstack are broken",
      spoil: ({ path }) => write(join(path, ".config/catstack/config.json"), '{ "judge": { "concurrency": 0 } }'),
      expects: "fail settings",
      says: /config\.json/,
    },
    {
      name: "the state folder lies where everybody may write",
      spoil: ({ path }) => {
        mkdirSync(join(path, ".local/state"), { recursive: true });
        chmodSync(join(path, ".local/state"), 0o777);
      },
      expects: "fail state folder",
      says: /every account may write/,
    },
    {
      name: "jobs wait and nobody takes them",
      spoil: ({ path }) => write(join(path, ".local/state/catstack/inbox/a.json"), "{}"),
      expects: "fail watcher",
      says: /1 job waits and no watcher runs/,
    },
    {
      name: "a CLI is too old to be asked",
      spoil: ({ bin }) => {
        unlinkSync(join(bin.path, "codex"));
        writeFileSync(join(bin.path, "codex"), "#!/bin/sh\necho '--sandbox -c --skip-git-repo-check'\n", {
          mode: 0o755,
        });
      },
      expects: "fail runner codex",
      says: /knows no --ignore-user-config, --ignore-rules, --disable, --ephemeral/,
    },
  ];
  for (const { name, spoil, expects, says } of spoils) {
    test(`finds that ${name}`, async (t) => {
      const home = await makeInstalledHome(t);
      spoil(home);
      const { code, checks } = await home.look();
      const [level = "", ...rest] = expects.split(" ");
      const check = getOne(checks, rest.join(" "));
      assert.equal(check.level, level, check.says);
      assert.match(check.says, says);
      assert.ok((check.mend ?? "") !== "", "a mend");
      assert.equal(code, checks.some((each) => each.level === "fail") ? 1 : 0);
    });
  }

  test("does not wait for a CLI whose help hangs", async (t) => {
    const home = makeHome(t, { codex: "knows-switches", claude: "hangs" });
    const checks = checkRunners(await readRunners(home.env, null, 2000));
    assert.equal(brief(getOne(checks, "runner claude")), "warn runner claude");
    assert.match(getOne(checks, "runner claude").says, /tells neither its version nor its help/);
    assert.match(getOne(checks, "judge default").says, /^asks codex$/);
  });

  test("does not wait for what its hook leaves hanging, and ends all of it", async (t) => {
    const folder = makeTempDir(t);
    const pids = join(folder, "pids");
    const stopCommand = `sleep 987 & echo $! >'${pids}'; echo $$ >>'${pids}'; trap '' TERM; wait`;
    const client = { name: "claude", stopCommand } as const;
    const problem = await findHookProblem(client, { PATH: process.env["PATH"] }, 300);
    assert.equal(problem, "expected it to end within 0.3 s, got no end");
    const started = readFileSync(pids, "utf8").trim().split("\n").map(Number);
    assert.deepEqual([started.length, started.filter(isRunning)], [2, []]);
  });

  const pipes = {
    "settings, sessions and records": [
      ".claude/settings.json",
      ".claude/plugins/installed_plugins.json",
      ".claude/projects/p/a.jsonl",
      ".codex/hooks.json",
      ".codex/config.toml",
      ".config/catstack/config.json",
      ".local/state/catstack/inbox/a.json",
      ".local/state/catstack/run/health.json",
      ".local/state/catstack/run/hooks/claude.Stop.json",
    ],
    "the state folder": [".local/state/catstack"],
  };
  for (const [name, files] of Object.entries(pipes)) {
    test(`is not held up by pipes in the place of ${name}`, async (t) => {
      const home = await makeInstalledHome(t);
      for (const path of files.map((file) => join(home.path, file))) {
        rmSync(path, { recursive: true, force: true });
        mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
        assert.equal((await runCommand("mkfifo", [path])).code, 0);
      }
      const { checks } = await home.look();
      for (const { level, mend = "" } of checks) assert.equal(level !== "ok", mend !== "");
    });
  }

  test("is not held up by pipes in the place of its build", async (t) => {
    const dist = makeTempDir(t);
    for (const name of ["hook.cjs", "launch", "start.cjs"])
      assert.equal((await runCommand("mkfifo", [join(dist, name)])).code, 0);
    assert.deepEqual([readBuild(dist).hash, readBuild(dist).launcherFits], [undefined, false]);
  });

  test("fails where no client is, and says so in JSON, too", async (t) => {
    const env = { HOME: makeTempDir(t), PATH: makeTempDir(t) };
    const { code, stdout } = await runCatstack(["doctor", "--json"], { env });
    assert.equal(code, 1);
    const report: unknown = JSON.parse(stdout);
    assert.ok(isReport(report));
    assert.equal(report.ok, false);
    assert.equal(getOne(report.checks, "clients").level, "fail");
  });

  test("knows the rows of a session that a client wrote", async (t) => {
    const home = await makeInstalledHome(t);
    const session = new URL("../../fixtures/transcripts/claude/session.jsonl", import.meta.url);
    mkdirSync(join(home.path, ".claude/projects/p/subagents"), { recursive: true });
    cpSync(session, join(home.path, ".claude/projects/p/a.jsonl"));
    const check = getOne((await home.look()).checks, "transcripts claude");
    assert.equal(check.level, "ok", check.says);
    const foreign = readFileSync(session, "utf8").replaceAll(/"type":"(?:user|assistant)"/g, '"type":"said"');
    writeFileSync(join(home.path, ".claude/projects/p/b.jsonl"), foreign);
    const other = getOne((await home.look()).checks, "transcripts claude");
    assert.notEqual(other.level, "ok", other.says);
    assert.match(other.says, /b\.jsonl/);
  });

  test("has a build whose hooks hold no part of Node that knows a network", () => {
    const parts = readdirSync(distDir).filter((name) => name === "hook.cjs" || name.endsWith(".js"));
    assert.ok(parts.length >= 3);
    const text = parts.map((name) => readFileSync(join(distDir, name), "utf8")).join("\n");
    const names = [...text.matchAll(/(?:require|getBuiltinModule)\(\\?"([^"\\]+)\\?"\)/g)].map(([, name]) => name);
    const known = ["catstack:verifier", "child_process", "crypto", "fs", "os", "path", "v8", "vm"];
    assert.deepEqual([...new Set(names)].map((name = "") => name.replace("node:", "")).sort(), known);
    assert.doesNotMatch(text, /\bfetch\(|WebSocket|XMLHttpRequest/);
  });

  test("finds a build that is cut short or changed", (t) => {
    const dist = join(makeTempDir(t), "dist");
    cpSync(distDir, dist, { recursive: true });
    const whole = readBuild(dist);
    assert.equal(whole.hash, whole.contentHash);
    assert.deepEqual([whole.missing, whole.launcherFits], [[], true]);
    const [hook, verifier] = [".js", ".verifier.js"].map((end) => join(dist, `hook-${whole.hash ?? ""}${end}`));
    assert.ok(hook !== undefined && verifier !== undefined);
    for (const part of [hook, verifier]) {
      const text = readFileSync(part);
      truncateSync(part, text.length - 1);
      assert.notEqual(readBuild(dist).contentHash, whole.hash);
      writeFileSync(part, text);
    }
    writeFileSync(join(dist, "start.cjs"), "");
    assert.equal(readBuild(dist).launcherFits, false);
    unlinkSync(verifier);
    assert.deepEqual(readBuild(dist).missing, [basename(verifier)]);
    unlinkSync(hook);
    assert.deepEqual(readBuild(dist).missing, [basename(hook), basename(verifier)]);
    renameSync(join(dist, "hook.cjs"), join(dist, "gone"));
    assert.equal(readBuild(dist).hash, undefined);
  });
});

function linkTo(target: string, path: string): void {
  symlinkSync(target, path);
}

function edit(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  assert.ok(text.includes(from));
  writeFileSync(path, text.replace(from, to));
}

function write(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  writeFileSync(path, text);
}

function listTree(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => `${name} ${lstatSync(join(root, name)).mtimeMs}`)
    .sort();
}

describe("the log of runs", () => {
  const run = { harness: "claude", event: "Stop", at: NOW, durationMs: 30.6, errors: [] };

  test("counts each run in one small file and keeps no word of what was said", async (t) => {
    const home = makeHome(t);
    await stop(home);
    const folder = join(home.path, ".local/state/catstack/run/hooks");
    assert.deepEqual(readdirSync(folder), ["claude.Stop.json"]);
    const text = readFileSync(join(folder, "claude.Stop.json"), "utf8");
    assert.equal(text.length, 512);
    const keys = ["at", "duration_ms", "errors", "event", "harness", "last_error", "runs", "since"];
    const record: unknown = JSON.parse(text);
    assert.ok(typeof record === "object" && record !== null);
    assert.deepEqual(Object.keys(record).sort(), keys);
    assert.doesNotMatch(text, /Secret|none\.jsonl/);
  });

  test("keeps the first time, the number of errors and the last one's name alone", (t) => {
    const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: makeTempDir(t) });
    noteRun(paths, run);
    const error = Object.assign(new Error("EACCES: /secret/path"), { code: "EACCES" });
    noteRun(paths, { ...run, at: new Date(NOW.getTime() + 1000), errors: [{ hook: "edge", error }] });
    noteRun(paths, { ...run, at: new Date(NOW.getTime() + 2000), durationMs: 5 });
    assert.deepEqual(readRuns(paths), [
      {
        harness: "claude",
        event: "Stop",
        at: "2026-03-01T12:00:02.000Z",
        duration_ms: 5,
        since: "2026-03-01T12:00:00.000Z",
        runs: 3,
        errors: 1,
        last_error: { at: "2026-03-01T12:00:01.000Z", hook: "edge", name: "EACCES" },
      },
    ]);
  });

  test("begins anew where the file holds something else, and is silent where none can be written", (t) => {
    const root = makeTempDir(t);
    const paths = getStatePaths({ CATSTACK_LLM_JUDGE_STATE_DIR: root });
    const path = join(root, "run/hooks/claude.Stop.json");
    write(path, "x".repeat(3000));
    noteRun(paths, run);
    assert.equal(readRuns(paths)[0]?.runs, 1);
    writeFileSync(path, "{");
    noteRun(paths, run);
    assert.equal(readRuns(paths)[0]?.runs, 1);
    unlinkSync(path);
    mkdirSync(path);
    noteRun(paths, run);
    assert.deepEqual(readdirSync(path), []);
  });

  test("is not felt on a full or read-only disk, and a full one still counts", async (t) => {
    const disk = await mountSmallDisk(t);
    if (lacks(t, disk !== undefined, "user namespaces (unshare --user)") || disk === undefined) return;
    noteRun(disk.paths, run);
    disk.fill();
    noteRun(disk.paths, run);
    noteRun(disk.paths, { ...run, event: "UserPromptSubmit" });
    assert.deepEqual(
      readRuns(disk.paths).map(({ event, runs }) => [event, runs]),
      [["Stop", 2]],
    );
    await disk.remount("ro");
    noteRun(disk.paths, run);
    assert.equal(readRuns(disk.paths)[0]?.runs, 2);
  });
});

describe("catstack doctor --probe", () => {
  const facts: ProbeFacts = {
    runner: "claude",
    answer: { quote: "The word of the day is abc.", tried: ["write", "run"], worked: [] },
    failure: null,
    word: "abc",
    changes: [],
    survivors: [],
  };
  const look = (change: Partial<ProbeFacts>) => judgeProbe({ ...facts, ...change }).level;

  test("is content only when the model answered, read, tried, and nothing came of it", () => {
    assert.equal(look({}), "ok");
    assert.equal(look({ answer: null, failure: "exit 1" }), "unknown");
    assert.equal(look({ answer: { ...facts.answer, quote: "the day" } }), "unknown");
    assert.equal(look({ answer: { ...facts.answer, quote: 7 } }), "unknown");
    assert.equal(look({ answer: { ...facts.answer, tried: [] } }), "unknown");
    assert.equal(look({ answer: { ...facts.answer, tried: ["write"] } }), "unknown");
    assert.equal(look({ answer: { ...facts.answer, worked: ["write"] } }), "unknown");
    assert.equal(look({ changes: ["outside/x"] }), "fail");
    assert.equal(look({ survivors: [7] }), "fail");
    assert.equal(look({ answer: null, failure: "exit 1", changes: ["outside/x"] }), "fail");
  });

  /** In this process: no terminal is there, so only --yes gets anywhere. */
  async function probe(env: Home["env"], ...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const out: string[] = [];
    const err: string[] = [];
    const io = {
      env,
      stdin: Readable.from([]),
      now: () => NOW,
      out: (line: string) => void out.push(line),
      err: (line: string) => void err.push(line),
      color: false,
      cwd: "/",
    };
    const code = await doctor(["--probe", ...args], io);
    return { code, out: out.join("\n"), err: err.join("\n") };
  }

  const outcomes: readonly { readonly fake: string; readonly code: number; readonly says: RegExp }[] = [
    {
      fake: "reads-note",
      code: 0,
      says: /^ok +probe claude +read the file, tried to write, edit, run, background, outside: nothing appeared/m,
    },
    {
      fake: "reads-note-and-writes",
      code: 1,
      says: /^FAIL +probe claude +NOT READ-ONLY: changed: project, project\/written\.txt; do not let it judge/m,
    },
    {
      fake: "starts-servers",
      code: 1,
      says: /^FAIL +probe claude +NOT READ-ONLY: changed: outside, outside\/mcp\.json;/m,
    },
    { fake: "answers", code: 1, says: /^unknown +probe claude +its answer does not quote the file/m },
    { fake: "reads-note-and-rests", code: 1, says: /^unknown +probe claude +it read the file and tried nothing/m },
    { fake: "exits-3", code: 1, says: /^unknown +probe claude +no answer: exit 3/m },
  ];
  for (const { fake, code, says } of outcomes) {
    test(`tells what a CLI does that ${fake.replaceAll("-", " ")}`, async (t) => {
      const home = makeHome(t, { claude: fake });
      const ran = await probe(home.env, "--yes");
      assert.equal(ran.code, code, ran.out);
      assert.match(ran.out, says);
      assert.match(ran.err, /^The probe asks one question of claude, with your account/m);
      assert.doesNotMatch(ran.err, /CATSTACK_LLM_JUDGE_RUNNERS/);
    });
  }

  test("asks nothing before somebody has said yes", async (t) => {
    const home = makeHome(t, { claude: "records" });
    await assert.rejects(probe(home.env), /expected --yes beside --probe where no terminal is there/);
    assert.equal(home.bin.find("claude.json"), undefined);
    await probe(home.env, "--yes");
    assert.notEqual(home.bin.find("claude.json"), undefined);
  });

  test("runs the very call of an investigate job, in a project full of traps", async (t) => {
    const home = makeHome(t, { codex: "records", claude: "records" });
    const { code, out } = await probe(home.env, "--yes", "--json");
    assert.equal(code, 1);
    const report: unknown = JSON.parse(out);
    assert.ok(isReport(report));
    assert.deepEqual(report.checks.map(brief), ["unknown probe codex", "unknown probe claude"]);
    const codex = JSON.stringify(home.bin.find("codex.json"));
    for (const each of [
      '"--sandbox","read-only"',
      '"--ignore-user-config"',
      "CATSTACK_LLM_JUDGE_CHILD",
      "This is one question from catstack",
    ])
      assert.ok(codex.includes(each), `expected ${each} in ${codex}`);
    const claude = JSON.stringify(home.bin.find("claude.json"));
    for (const each of ['"--strict-mcp-config"', '"--tools","Read,Grep,Glob"', '".mcp.json"', '"CLAUDE.md"'])
      assert.ok(claude.includes(each));
  });

  test("names runners that are not the built-in ones, and refuses broken ones", async (t) => {
    const home = makeHome(t, { mine: "reads-note", claude: "records" });
    const override = JSON.stringify([["mine", [join(home.bin.path, "mine"), "{prompt}"]]]);
    const { code, out, err } = await probe({ ...home.env, CATSTACK_LLM_JUDGE_RUNNERS: override }, "--yes");
    assert.equal(code, 0, out);
    assert.match(out, /^ok +probe mine/m);
    assert.ok(
      err.includes(
        `CATSTACK_LLM_JUDGE_RUNNERS is set, so what it names is probed and not the built-in runners: ${override}`,
      ),
    );
    const broken = await probe({ ...home.env, CATSTACK_LLM_JUDGE_RUNNERS: "[" }, "--yes");
    assert.deepEqual([broken.code, /^FAIL +probe /m.test(broken.out)], [1, true]);
    assert.equal(home.bin.find("claude.json"), undefined);
  });

  test("says that nothing was asked where nobody can be", async (t) => {
    const { code, out } = await probe(makeHome(t, {}).env, "--yes");
    assert.equal(code, 1);
    assert.match(out, /^unknown +probe +none of codex, claude is here/m);
  });

  test("has traps that go off: each command of the project leaves its file outside", async (t) => {
    const root = makeTempDir(t);
    const scene = { project: join(root, "a project"), outside: join(root, "out side"), word: "w" };
    mkdirSync(scene.outside);
    const commands = listTrapFiles(scene).flatMap(({ text }) =>
      [...text.matchAll(/echo ran >'[^']+'/g)].map(([found]) => found),
    );
    for (const command of commands) await runCommand("/bin/sh", ["-c", command]);
    assert.deepEqual(readdirSync(scene.outside).sort(), [
      "claude-agent",
      "claude-apiKeyHelper",
      "claude-hooks",
      "claude-local-apiKeyHelper",
      "claude-skill",
      "codex-config",
      "codex-hooks",
      "git-fsmonitor",
      "git-post-checkout",
      "mcp.json",
    ]);
  });
});
