import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { errorCode } from "../../lib/io/error-code.ts";
import { getSettingsPath, getStatePaths } from "../../lib/io/paths.ts";
import { findOwnershipProblem } from "../../lib/io/ownership.ts";
import { buildTranscript } from "../helpers/claude-transcript.ts";
import { installFakes, makeTempDir } from "../helpers/fake-clis.ts";
import { distDir, runCommand, type CommandResult } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { waitFor } from "../helpers/wait-for.ts";

const isRoot = process.geteuid?.() === 0;
/** Accounts that need not exist: the system knows them by number. */
const US = 4321;
const OTHER = 4322;
const GROUP = 4399;

describe("findOwnershipProblem", () => {
  /** Folders `way/state` of our account in a folder of root's, and what a case changes about them. */
  const cases: readonly {
    readonly name: string;
    readonly change: (way: string, state: string) => void;
    /** What is to blame, below the test's folder, and why; undefined: nothing. */
    readonly blames?: RegExp;
  }[] = [
    { name: "folders of our own", change: () => {} },
    { name: "a state folder that is not there yet", change: (_way, state) => rmSync(state, { recursive: true }) },
    {
      name: "a state folder of another account",
      change: (_way, state) => chownSync(state, OTHER, OTHER),
      blames: /way\/state, which belongs to account 4322 and not to 4321$/,
    },
    {
      name: "a state folder of root's",
      change: (_way, state) => chownSync(state, 0, 0),
      blames: /way\/state, which belongs to account 0/,
    },
    {
      name: "a state folder in which everybody may write",
      change: (_way, state) => chmodSync(state, 0o777),
      blames: /way\/state, in which every account may write$/,
    },
    {
      name: "one with the sticky bit, which keeps nobody from adding jobs",
      change: (_way, state) => chmodSync(state, 0o1777),
      blames: /way\/state, in which every account may write$/,
    },
    { name: "a state folder that others may read", change: (_way, state) => chmodSync(state, 0o755) },
    {
      name: "a folder above of another account",
      change: (way) => chownSync(way, OTHER, OTHER),
      blames: /way, which belongs to account 4322/,
    },
    { name: "a folder above of root's", change: (way) => chownSync(way, 0, 0) },
    {
      name: "a folder above in which everybody may write",
      change: (way) => chmodSync(way, 0o777),
      blames: /way, in which every account may write$/,
    },
    { name: "one with the sticky bit, as /tmp has it", change: (way) => chmodSync(way, 0o1777) },
    {
      name: "a sticky folder of another account, who may move everything in it",
      change: (way) => {
        chmodSync(way, 0o1777);
        chownSync(way, OTHER, OTHER);
      },
      blames: /way, which belongs to account 4322/,
    },
    {
      name: "a folder above in which a group may write",
      change: (way) => {
        chmodSync(way, 0o775);
        chownSync(way, US, GROUP);
      },
      blames: /way, in which group 4399 may write$/,
    },
    {
      name: "a folder above in which the account's own group may write, as with umask 002",
      change: (way) => chmodSync(way, 0o775),
    },
    {
      name: "nothing yet in a folder in which everybody may write",
      change: (way, state) => {
        rmSync(state, { recursive: true });
        chmodSync(way, 0o777);
      },
      blames: /way, in which every account may write$/,
    },
    {
      name: "a link of our own",
      change: (way, state) => {
        moveBehindLink(state, join(way, "real"), US);
      },
    },
    {
      name: "a link of another account to a folder of our own",
      change: (way, state) => {
        moveBehindLink(state, join(way, "real"), OTHER);
      },
      blames: /way\/state, a link that belongs to account 4322/,
    },
    {
      name: "a link of our own into a folder in which everybody may write",
      change: (way, state) => {
        mkdirSync(join(way, "open"));
        chmodSync(join(way, "open"), 0o777);
        chownSync(join(way, "open"), US, US);
        moveBehindLink(state, join(way, "open", "real"), US);
      },
      blames: /way\/open, in which every account may write$/,
    },
    {
      name: "a relative link with dots",
      change: (way, state) => {
        rmSync(state, { recursive: true });
        mkdirSync(join(way, "real"));
        chownSync(join(way, "real"), US, US);
        symlinkSync("../way/./real", state);
        lchownSync(state, US, US);
      },
    },
    {
      name: "a link to itself, which leads nowhere",
      change: (_way, state) => {
        rmSync(state, { recursive: true });
        symlinkSync(state, state);
        lchownSync(state, US, US);
      },
    },
  ];
  for (const { name, change, blames } of cases) {
    test(`${blames === undefined ? "accepts" : "refuses"} ${name}`, (t) => {
      if (lacks(t, isRoot, "the root account, to give files away")) return;
      const way = join(makeTempDir(t), "way");
      const state = join(way, "state");
      mkdirSync(state, { recursive: true, mode: 0o700 });
      for (const path of [way, state]) chownSync(path, US, US);
      change(way, state);
      const problem = findOwnershipProblem(state, US);
      if (blames === undefined) assert.equal(problem, undefined);
      else assert.match(problem?.got ?? "nothing", blames);
    });
  }
});

/** The folder goes elsewhere, and a link that belongs to `owner` takes its place. */
function moveBehindLink(folder: string, target: string, owner: number): void {
  renameSync(folder, target);
  symlinkSync(target, folder);
  lchownSync(folder, owner, owner);
}

test("what it says to run is one word to a shell, whatever the folder is called", (t) => {
  if (lacks(t, isRoot, "the root account, to give files away")) return;
  const way = join(makeTempDir(t), "it's $(touch x)");
  mkdirSync(join(way, "state"), { recursive: true });
  for (const path of [way, join(way, "state")]) chownSync(path, US, US);
  chmodSync(way, 0o777);
  const { mend = "" } = findOwnershipProblem(join(way, "state"), US) ?? {};
  assert.equal(mend, `run: chmod o-w '${way.replace("'", String.raw`'\''`)}'`);
});

test("a relative folder of XDG's is ignored, as its specification asks", () => {
  const env = { HOME: "/home/u", XDG_STATE_HOME: "state", XDG_CONFIG_HOME: "./config" };
  assert.equal(getStatePaths(env).root, "/home/u/.local/state/catstack");
  assert.equal(getSettingsPath(env), "/home/u/.config/catstack/config.json");
  assert.equal(getStatePaths({ HOME: "/home/u", XDG_STATE_HOME: "" }).root, "/home/u/.local/state/catstack");
  assert.equal(getStatePaths({ HOME: "/home/u", XDG_STATE_HOME: "/x" }).root, "/x/catstack");
});

/** A person's home with a session in which a check passed and fails now. */
interface Scene {
  readonly state: string;
  readonly flips: string;
  hook(event: "Stop" | "UserPromptSubmit", reply?: string): Promise<CommandResult>;
  catstack(args: readonly string[], stdin?: string): Promise<CommandResult>;
}

function makeScene(t: TestContext, state: string, under: readonly string[] = [], fake = "answers"): Scene {
  const folder = makeTempDir(t);
  chmodSync(folder, 0o755);
  const transcript = join(folder, "session.jsonl");
  const flips = join(folder, "flips");
  const checks = [
    { ran: "npm test", output: "12 passing" },
    { ran: "npm test", output: "1 failing", exitCode: 1 },
  ];
  writeFileSync(transcript, buildTranscript([{ user: "go" }, ...checks, { says: "Done." }]).toJsonl());
  const { path } = installFakes(t, { codex: fake, claude: fake });
  chmodSync(path, 0o755);
  const env = {
    PATH: path,
    HOME: join(folder, "home"),
    CATSTACK_LLM_JUDGE_STATE_DIR: state,
    VERDICT_FLIP_WATCH_STATE_DIR: flips,
    CATSTACK_HOOK_MODE_WRONG_CHECK_REFLECT: "advise",
    CATSTACK_HOOK_MODE_DIU_STOP: "observe",
  };
  const run = (args: readonly string[], stdin: string) => {
    const [file = process.execPath, ...rest] = [...under, process.execPath, ...args];
    return runCommand(file, rest, { env: { ...env, PATH: `${path}:${process.env["PATH"] ?? ""}` }, stdin });
  };
  const payload = { session_id: "s", transcript_path: transcript, cwd: folder, permission_mode: "default" };
  return {
    state,
    flips,
    hook: (event, reply = "Done.") => {
      const more = event === "Stop" ? { stop_hook_active: false, last_assistant_message: reply } : { prompt: "go" };
      const stdin = JSON.stringify({ ...payload, hook_event_name: event, ...more });
      return run([`${distDir}/hook.mjs`, "claude"], stdin);
    },
    catstack: (args, stdin = "") => run([`${distDir}/catstack.mjs`, ...args], stdin),
  };
}

const QUESTION = JSON.stringify({
  hook: "test",
  transcript: "/nowhere/a.jsonl",
  prompt: "Is it so?",
  on_hit: "say it",
});

test("all that hooks, judge and commands make is private, even where the account makes files for all", async (t) => {
  const folder = makeTempDir(t);
  const scene = makeScene(t, join(folder, "deep", "state"), ["/bin/sh", "-c", 'umask 0; exec "$@"', "sh"]);
  const stop = await scene.hook("Stop");
  assert.match(stop.stderr, /npm test/);
  await scene.hook("Stop", "I was wrong: the check I ran looked at the wrong file, so my earlier claim was false.");
  assert.equal((await scene.catstack(["drop", "-"], QUESTION)).code, 0);
  assert.equal((await scene.catstack(["drop", "-"], QUESTION.replace("Is it so?", "And that?"))).code, 0);
  writeFileSync(join(scene.state, "inbox", "broken.json"), "[]");
  const watched = await scene.catstack(["watch", "--once"]);
  assert.match(watched.stdout, /judged 4 \(/, watched.stderr);
  const prompt = await scene.hook("UserPromptSubmit");
  assert.match(prompt.stdout, /npm test/);
  const [id] = readdirSync(join(scene.state, "outbox"));
  assert.equal((await scene.catstack(["verdicts", "label", (id ?? "").replace(".json", ""), "right"])).code, 0);

  const lines = [scene.state, scene.flips].flatMap((root) => [root, ...listPaths(root)].map(describeMode));
  // Written by the test itself, as `cp` would.
  const open = lines.filter((line) => !/\/ 700$|[^/] [46]00$/.test(line) && !line.endsWith("broken.json 644"));
  assert.deepEqual(open, []);
  for (const part of [
    "inbox/",
    "outbox/",
    "dead/",
    "run/hooks/claude.Stop.json",
    "judge.log",
    "cache/",
    "labels/",
    "run/fence.key",
  ])
    assert.ok(
      lines.some((line) => line.includes(`/${part}`)),
      `expected the scene to make ${part}, got ${lines.join("\n")}`,
    );
});

function listPaths(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => join(root, name))
    .sort();
}

/** Undefined when a file went away in between: the watcher is at work. */
function findModes(root: string): string[] | undefined {
  try {
    return listPaths(root).map(describeMode);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** `/x/inbox/ 700`, `/x/inbox/a.json 600`. */
function describeMode(path: string): string {
  const stats = lstatSync(path);
  return `${path}${stats.isDirectory() ? "/" : ""} ${(stats.mode & 0o7777).toString(8)}`;
}

test("locks and claims are as private while a job is being judged", async (t) => {
  const scene = makeScene(t, join(makeTempDir(t), "state"), ["/bin/sh", "-c", 'umask 0; exec "$@"', "sh"], "hangs");
  assert.equal((await scene.catstack(["drop", "-"], QUESTION)).code, 0);
  const watched = scene.catstack(["watch"]);
  const lines = await waitFor("a run that is under way", () => {
    const found = findModes(scene.state);
    return found?.some((line) => line.includes(".run.json")) === true && found.some((line) => /locks\/.+\./.test(line))
      ? found
      : undefined;
  });
  const [name] = readdirSync(join(scene.state, "run", "instances"));
  const identity: unknown = JSON.parse(readFileSync(join(scene.state, "run", "instances", name ?? ""), "utf8"));
  assert.ok(typeof identity === "object" && identity !== null && "pid" in identity && typeof identity.pid === "number");
  // The second one ends it at once.
  for (const signal of ["SIGINT", "SIGTERM"]) process.kill(identity.pid, signal);
  await watched;
  assert.deepEqual(
    lines.filter((line) => !/\/ 700$|[^/] [46]00$/.test(line)),
    [],
  );
});

describe("a state folder that another account could change", () => {
  const refusals: readonly {
    readonly name: string;
    readonly spoil: (way: string, state: string) => void;
    readonly says: RegExp;
  }[] = [
    {
      name: "belongs to it",
      spoil: (_way, state) => chownSync(state, OTHER, OTHER),
      says: /state, which belongs to account 4322/,
    },
    {
      name: "lies where everybody may write",
      spoil: (way) => chmodSync(way, 0o777),
      says: /way, in which every account may write; run: chmod o-w \//,
    },
    {
      name: "is a link that belongs to it",
      spoil: (way, state) => moveBehindLink(state, join(way, "real"), OTHER),
      says: /state, a link that belongs to account 4322/,
    },
  ];
  for (const { name, spoil, says } of refusals) {
    for (const account of ["root", "another"] as const) {
      test(`is refused by all when it ${name} and ${account === "root" ? "root" : "an ordinary account"} runs`, async (t) => {
        if (lacks(t, isRoot, "the root account, to give files away")) return;
        const uid = account === "root" ? 0 : US;
        const way = join(makeTempDir(t), "way");
        const state = join(way, "state");
        mkdirSync(join(state, "inbox"), { recursive: true, mode: 0o700 });
        chmodSync(join(way, ".."), 0o755);
        for (const path of [way, state, join(state, "inbox")]) chownSync(path, uid, uid);
        const as = uid === 0 ? [] : ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--"];
        const scene = makeScene(t, state, as);
        spoil(way, state);
        const before = describeTree(way);

        for (const event of ["Stop", "UserPromptSubmit"] as const) {
          const { code, stdout, stderr } = await scene.hook(event);
          assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
          assert.match(stderr, /^catstack-hook-error edge: Error: expected .+\n$/);
          assert.match(stderr, says);
        }
        const watched = await scene.catstack(["watch", "--once"]);
        assert.equal(watched.code, 77, watched.stderr);
        assert.match(watched.stderr, says);
        for (const args of [["drop", "-"], ["status"], ["verdicts"], ["dead", "list"], ["logs"]]) {
          const { code, stderr } = await scene.catstack(args, QUESTION);
          assert.equal(code, 1, args.join(" "));
          assert.match(stderr, says);
        }
        assert.deepEqual(describeTree(way), before);
      });
    }
  }

  test("is as good as any for an ordinary account when it is its own", async (t) => {
    if (lacks(t, isRoot, "the root account, to give files away")) return;
    const folder = makeTempDir(t);
    chownSync(folder, US, US);
    const scene = makeScene(t, join(folder, "state"), [
      "setpriv",
      `--reuid=${US}`,
      `--regid=${US}`,
      "--clear-groups",
      "--",
    ]);
    assert.equal((await scene.hook("Stop")).code, 0);
    assert.equal((await scene.catstack(["drop", "-"], QUESTION)).code, 0);
    const [job] = readdirSync(join(folder, "state", "inbox"));
    assert.equal(statSync(join(folder, "state", "inbox", job ?? "")).uid, US);
  });

  test("keeps no mark of what was said either, and then nothing is said twice or lost", async (t) => {
    const folder = makeTempDir(t);
    const scene = makeScene(t, join(folder, "state"));
    mkdirSync(scene.flips);
    chmodSync(scene.flips, 0o777);
    const { code, stderr } = await scene.hook("Stop");
    assert.equal(code, 0);
    assert.match(stderr, /flips, in which every account may write/);
    assert.deepEqual(readdirSync(scene.flips), []);
  });
});

function describeTree(root: string): string[] {
  return [root, ...listPaths(root)].map((path) => `${describeMode(path)} ${lstatSync(path).mtimeMs}`);
}
