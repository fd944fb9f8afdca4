import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { install } from "../../cli/install.ts";
import { getLauncher } from "../../cli/setup/launcher.ts";
import { createInstance, writeInstance } from "../../judge/state/instance.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { distDir, runCatstack, runCommand } from "../helpers/run-command.ts";
import type { CommandResult } from "../helpers/run-command.ts";
import { lacks } from "../helpers/skip.ts";
import { mountSmallDisk } from "../helpers/small-disk.ts";

const SKILL = "flag-your-own-corrections";

/** A scratch home directory with Claude Code's folder in it. */
interface Home {
  readonly path: string;
  readonly settings: string;
  readonly link: string;
  /** Where the skill is linked. */
  readonly skill: string;
  catstack(...args: string[]): Promise<CommandResult>;
  /** Every file and link below the home with its content or target. */
  list(): Record<string, string>;
}

function makeHome(t: TestContext, settings?: string, name = "home"): Home {
  const folder = mkdtempSync(join(tmpdir(), "catstack-install-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  const claude = join(path, ".claude");
  mkdirSync(claude, { recursive: true });
  const home: Home = {
    path,
    settings: join(claude, "settings.json"),
    link: join(claude, "hooks", "catstack"),
    skill: join(claude, "skills", SKILL),
    catstack: (...args) => runCatstack(args, { env: { HOME: path } }),
    list: () => listFolder(path),
  };
  if (settings !== undefined) writeFileSync(home.settings, settings);
  return home;
}

function listFolder(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    names.map((name): [string, string] => {
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`];
      return [name, stat.isDirectory() ? "/" : readFileSync(path, "utf8")];
    }),
  );
}

const OUR_COMMAND = { type: "command", command: getLauncher("claude"), timeout: 10 };

test("install makes the link and the settings, and a second run changes no byte", async (t) => {
  const home = makeHome(t);
  const first = await home.catstack("install");
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual(JSON.parse(readFileSync(home.settings, "utf8")), {
    hooks: { Stop: [{ hooks: [OUR_COMMAND] }], UserPromptSubmit: [{ hooks: [OUR_COMMAND] }] },
  });
  assert.equal(readlinkSync(home.link), distDir);
  assert.equal(readlinkSync(home.skill), join(distDir, "skills", SKILL));
  assert.match(
    first.stdout,
    /^note .*; start it with: .*catstack\S* watch \(to keep: .*catstack\S* service install\)$/m,
  );
  assert.match(
    first.stdout,
    /\n\nnext: start a new session of Claude Code; look at what the hooks do with: .*catstack\S* doctor\n$/,
  );
  const words = first.stdout.split("\n").map((line) => line.split(" ")[0]);
  assert.deepEqual(words.slice(0, 8), ["link", "add", "link", "skip", "skip", "skip", "ok", "note"]);
  assert.match(first.stdout, /^skip +Codex: no \S+\.codex and no codex on PATH$/m);
  assert.match(first.stdout, /^ok +Claude Code: the hook answers$/m);

  const before = home.list();
  const second = await home.catstack("install");
  assert.equal(second.code, 0);
  assert.deepEqual(home.list(), before);
  assert.match(second.stdout, /^ok .*catstack\nok .*settings\.json\nok .*flag-your-own-corrections\nskip /);
});

test("a dry run prints the same steps and writes nothing", async (t) => {
  const home = makeHome(t, '{ "model": "opus" }\n');
  const before = home.list();
  const dry = await home.catstack("install", "--dry-run");
  assert.equal(dry.code, 0);
  assert.deepEqual(home.list(), before);
  assert.match(dry.stdout, /^ {2}-\{ "model": "opus" \}\n {2}\+\{ "model": "opus",.*hooks\/catstack\/launch/m);
  assert.match(dry.stdout, /\ndry run: nothing of this was done\n$/);
  const real = await home.catstack("install");
  const steps = (text: string): string[] => text.split("\n").filter((line) => /^(?:link|add|backup|skip)/.test(line));
  assert.equal(steps(real.stdout).length, 7);
  assert.deepEqual(steps(dry.stdout), steps(real.stdout));

  const installed = home.list();
  assert.equal((await home.catstack("uninstall", "--dry-run")).code, 0);
  assert.deepEqual(home.list(), installed);
});

test("CLAUDE_CONFIG_DIR is where the link and the settings go", async (t) => {
  const home = makeHome(t);
  const folder = join(home.path, "elsewhere");
  const result = await runCatstack(["install"], { env: { HOME: home.path, CLAUDE_CONFIG_DIR: folder } });
  assert.equal(result.code, 0, result.stderr);
  assert.deepEqual(readdirSync(folder).sort(), [
    ".made-by-catstack",
    "hooks",
    "settings.json",
    "settings.json.catstack-backup",
    "skills",
  ]);
  assert.deepEqual(readdirSync(join(home.path, ".claude")), []);
  const installed = join(folder, "skills", SKILL, "SKILL.md");
  assert.equal(readFileSync(installed, "utf8"), readFileSync(join(distDir, "skills", SKILL, "SKILL.md"), "utf8"));
});

/** The settings' `hooks`, one list an event, and the other keys. */
function parseSettings(text: string): { hooks: Record<string, unknown[]>; rest: object } {
  const { hooks, ...rest } = getObject(parse(text, [], { allowTrailingComma: true }));
  const lists = Object.entries(getObject(hooks ?? {}));
  return { hooks: Object.fromEntries(lists.map(([event, list]) => [event, getArray(list)])), rest };
}

function getObject(value: unknown): Record<string, unknown> {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), "expected an object");
  return Object.fromEntries(Object.entries(value));
}

function getArray(value: unknown): unknown[] {
  assert.ok(Array.isArray(value), "expected an array");
  return value;
}

test("the copy is of the settings from before each install, and goes when they equal it again", async (t) => {
  const original = '{\n  "model": "opus"\n}\n';
  const home = makeHome(t, original);
  const backup = `${home.settings}.catstack-backup`;
  await home.catstack("install");
  writeFileSync(home.settings, readFileSync(home.settings, "utf8").replace('"opus"', '"haiku"'));
  await home.catstack("install");
  assert.equal(readFileSync(backup, "utf8"), original);
  const changed = await home.catstack("uninstall");
  assert.match(changed.stdout, /^keep .*catstack-backup: the settings differ from it$/m);
  assert.ok(changed.stdout.includes(`the settings as they were: rm ${backup}\n`), changed.stdout);
  assert.equal(readFileSync(backup, "utf8"), original);

  const haiku = readFileSync(home.settings, "utf8");
  await home.catstack("install");
  assert.equal(readFileSync(backup, "utf8"), haiku);
  const equal = await home.catstack("uninstall");
  assert.match(equal.stdout, /^remove .*catstack-backup: the settings equal it$/m);
  assert.equal(readFileSync(home.settings, "utf8"), haiku);
  assert.equal(existsSync(backup), false);
});

test("a copy that holds entries of ours is none from before, and is replaced", async (t) => {
  const home = makeHome(t);
  const backup = `${home.settings}.catstack-backup`;
  await home.catstack("install");
  copyFileSync(home.settings, backup);
  await home.catstack("uninstall");
  writeFileSync(home.settings, '{"model": "opus"}');
  await home.catstack("install");
  assert.equal(readFileSync(backup, "utf8"), '{"model": "opus"}');
});

test("uninstall names what is left, with the command that removes it, and nothing that is not there", async (t) => {
  const home = makeHome(t, "{}\n");
  const before = home.list();
  await home.catstack("install");
  const bare = await home.catstack("uninstall");
  assert.deepEqual(home.list(), before);
  assert.equal(bare.stdout.includes("\n\n"), false, bare.stdout);

  const kept = makeState(home);
  const instance = createInstance(new Date(), "aa");
  mkdirSync(getStatePaths({ HOME: home.path }).instances, { recursive: true });
  writeInstance(getStatePaths({ HOME: home.path }), instance);
  const full = await home.catstack("uninstall");
  assert.deepEqual(full.stdout.split("\n\n")[1]?.split("\n"), [
    `catstack watch is still running: stop it with: kill ${process.pid}`,
    "what stays, and how to remove it:",
    `  jobs, verdicts and what you said of them (or: uninstall --purge): rm -r ${kept.state}`,
    `  which flips were told (or: uninstall --purge): rm -r ${kept.flips}`,
    `  your settings of catstack: rm ${kept.config}`,
    "",
  ]);
});

/** What a user of some days has: jobs and verdicts, marks of flips, settings of catstack. */
function makeState({ path }: Home): { state: string; flips: string; config: string } {
  const { root, outbox } = getStatePaths({ HOME: path });
  const flips = join(path, ".cache", "catstack-verdict-flip-watch");
  const config = join(path, ".config", "catstack", "config.json");
  for (const folder of [outbox, flips, dirname(config)]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(outbox, "a.json"), "{}");
  writeFileSync(join(flips, "0123456789abcdef.noted"), "");
  writeFileSync(config, "{}");
  return { state: root, flips, config };
}

/** The folders of all three clients, each with a file of settings. */
function makeAll(home: Home): void {
  for (const name of [".codex", ".cursor"]) mkdirSync(join(home.path, name));
  writeFileSync(home.settings, '{ "model": "opus" }\n');
  writeFileSync(join(home.path, ".cursor", "hooks.json"), '{"version": 1, "hooks": {"stop": [{"command": "x"}]}}');
}

test("every client that is there is set up, is tried, and is as before when all is taken out; --only does some", async (t) => {
  const home = makeHome(t);
  makeAll(home);
  const before = home.list();
  const codex = await home.catstack("install", "--only", "codex");
  assert.equal(codex.code, 0, codex.stderr);
  assert.equal(existsSync(join(home.path, ".codex", "hooks.json")), true);
  assert.equal(existsSync(home.link), false);

  const all = await home.catstack("install");
  assert.equal(all.code, 0, all.stderr);
  for (const title of ["Claude Code", "Codex", "Cursor"])
    assert.match(all.stdout, new RegExp(`^ok +${title}: the hook answers$`, "m"));
  assert.match(all.stdout, /^note +Codex runs a new hook once you trust it: type \/hooks in it$/m);
  assert.match(all.stdout, /\nnext: start a new session of Claude Code, Codex, Cursor; /);

  assert.equal((await home.catstack("uninstall", "--only", "codex,cursor")).code, 0);
  assert.equal(existsSync(home.link), true);
  assert.equal((await home.catstack("uninstall", "--only=claude")).code, 0);
  assert.deepEqual(home.list(), before);
});

test("settings that cannot be changed are told of with their place; the other clients are done; exit 1", async (t) => {
  const home = makeHome(t);
  makeAll(home);
  writeFileSync(home.settings, '{\n  "model": "opus"\n  "hooks": {}\n}\n');
  const isClaudes = ([name]: [string, string]): boolean => name.startsWith(".claude");
  const before = Object.entries(home.list()).filter(isClaudes);
  for (const verb of ["install", "uninstall"]) {
    const { code, stderr } = await home.catstack(verb);
    assert.equal(code, 1);
    const place = `catstack ${verb}: Claude Code: ${home.settings}:3:3: expected JSON, got an error (CommaExpected)`;
    assert.ok(stderr.startsWith(place), stderr);
    assert.equal(stderr.trim().split("\n").length, 1);
    assert.deepEqual(Object.entries(home.list()).filter(isClaudes), before);
    assert.equal(existsSync(join(home.path, ".codex", "hooks.json")), verb === "install");
  }
});

test("with no client on the machine install says what it looked for; a client that is named is set up all the same", async (t) => {
  const home = makeHome(t);
  rmSync(dirname(home.settings), { recursive: true });
  const none = await home.catstack("install");
  assert.equal(none.code, 1);
  assert.match(
    none.stderr,
    /expected Claude Code, Codex or Cursor on this machine, got no \S+\.claude and no claude on PATH, /,
  );
  assert.deepEqual(home.list(), {});
  const named = await home.catstack("install", "--only", "codex");
  assert.equal(named.code, 0, named.stderr);
  assert.equal((await home.catstack("uninstall")).code, 0);
  assert.deepEqual(home.list(), {});

  const unknown = await home.catstack("install", "--only", "codex,claud");
  assert.equal(unknown.code, 2);
  assert.match(
    unknown.stderr,
    /expected --only to name some of claude, codex, cursor with commas between them, got "claud"/,
  );
});

test("a Codex too old for hooks, by its package, is given `notify`; its own program is run as before, and ours too", async (t) => {
  const home = makeHome(t);
  const bin = join(home.path, "lib", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(home.path, "lib", "package.json"), '{"name": "@openai/codex", "version": "0.123.4"}');
  writeFileSync(join(bin, "codex"), "#!/bin/sh\n", { mode: 0o755 });
  const told = join(home.path, "told");
  const program = join(home.path, "it's mine.sh");
  writeFileSync(program, `#!/bin/sh\nprintf '%s|' "$@" >"${told}"\n`, { mode: 0o755 });
  const config = join(home.path, ".codex", "config.toml");
  mkdirSync(dirname(config));
  writeFileSync(config, `notify = [${JSON.stringify(program)}, "done"]\n`);
  const before = home.list();
  const env = { HOME: home.path, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const result = await runCatstack(["install", "--only", "codex"], { env });
  assert.equal(result.code, 0, result.stderr);
  assert.match(result.stdout, /^note +Codex's hooks are off or older than 0\.124: only `notify` is left/m);
  assert.equal(existsSync(join(home.path, ".codex", "hooks.json")), false);

  const [file, ...args] = getArray(parseToml(readFileSync(config, "utf8"))["notify"]).map(String);
  const payload = '{"type":"agent-turn-complete","thread-id":"a b"}';
  const state = join(home.path, "..", "state");
  const run = await runCommand(file ?? "", [...args, payload], {
    env: { ...env, CATSTACK_LLM_JUDGE_STATE_DIR: state },
  });
  assert.deepEqual(run, { code: 0, stdout: "", stderr: "" });
  assert.equal(readFileSync(told, "utf8"), `done|${payload}|`);
  rmSync(told);
  assert.equal((await runCatstack(["uninstall"], { env })).code, 0);
  assert.deepEqual(home.list(), before);
});

test("a codex below the package of another is not read as of that package's version", async (t) => {
  const home = makeHome(t);
  const bin = join(home.path, "lib", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(home.path, "lib", "package.json"), '{"name": "mine", "version": "0.1.0"}');
  writeFileSync(join(bin, "codex"), "#!/bin/sh\n", { mode: 0o755 });
  const env = { HOME: home.path, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const result = await runCatstack(["install", "--only", "codex"], { env });
  assert.equal(result.code, 0, result.stderr);
  assert.equal(existsSync(join(home.path, ".codex", "hooks.json")), true);
  assert.doesNotMatch(result.stdout, /older than 0\.124/);
});

test("a bundle that does not answer is told of at once: exit 1, and the settings are written", async (t) => {
  const home = makeHome(t);
  const dist = join(home.path, "dist");
  cpSync(distDir, dist, { recursive: true, verbatimSymlinks: true });
  const run = (): Promise<CommandResult> =>
    runCommand(process.execPath, [join(dist, "catstack.mjs"), "install"], { env: { HOME: home.path } });
  writeFileSync(join(dist, "hook.cjs"), "console.log('debug');");
  assert.match((await run()).stderr, /Claude Code: the hook was tried once: expected no output, got: debug$/m);
  writeFileSync(join(dist, "hook.cjs"), "");
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.match(stderr, /the hook was tried once: expected it to run our hooks, got no trace of a run$/m);
  assert.equal(existsSync(home.settings), true);
});

test("--purge removes jobs and verdicts as well, and leaves the person's own settings of catstack", async (t) => {
  const home = makeHome(t, "{}\n");
  await home.catstack("install");
  const { state, flips, config } = makeState(home);
  writeFileSync(join(flips, "of another tool"), "");
  const dry = await home.catstack("uninstall", "--purge", "--dry-run");
  assert.match(dry.stdout, new RegExp(`^remove +${state}: jobs, verdicts and what you said of them$`, "m"));
  assert.equal(existsSync(join(state, "outbox", "a.json")), true);
  const plain = await home.catstack("uninstall");
  assert.equal(existsSync(join(state, "outbox", "a.json")), true);
  assert.ok(
    plain.stdout.includes(`jobs, verdicts and what you said of them (or: uninstall --purge): rm -r ${state}\n`),
    plain.stdout,
  );
  const purged = await home.catstack("uninstall", "--purge");
  assert.equal(purged.code, 0, purged.stderr);
  assert.equal(existsSync(state), false);
  assert.deepEqual(readdirSync(flips), ["of another tool"]);
  assert.equal(readFileSync(config, "utf8"), "{}");
  const both = await home.catstack("uninstall", "--purge", "--only", "codex");
  assert.deepEqual([both.code, /expected --purge or --only, got both/.test(both.stderr)], [2, true]);
});

/** State folders that a purge does not touch. None is more than tried: a fault here must not empty the tester's machine. */
const notOurs: Record<string, (home: Home) => { dir: string; expected: RegExp }> = {
  "the root": () => ({
    dir: "/",
    expected:
      /^catstack uninstall --purge: \/: expected a state folder of ours, got one that the home directory is in/m,
  }),
  "the home directory": ({ path }) => ({ dir: path, expected: /got one that the home directory is in/ }),
  "a folder of theirs": ({ path }) => {
    mkdirSync(join(path, "work", "inbox"), { recursive: true });
    writeFileSync(join(path, "work", "thesis.txt"), "years");
    return { dir: join(path, "work"), expected: /got one with thesis\.txt in it/ };
  },
  "a link": ({ path }) => {
    mkdirSync(join(path, "work", "inbox"), { recursive: true });
    symlinkSync("work", join(path, "state"));
    return { dir: join(path, "state"), expected: /got a link or a file/ };
  },
};

for (const [name, make] of Object.entries(notOurs)) {
  test(`--purge refuses ${name} as a state folder`, async (t) => {
    const home = makeHome(t);
    const { dir, expected } = make(home);
    const before = home.list();
    const env = { HOME: home.path, CATSTACK_LLM_JUDGE_STATE_DIR: dir };
    const { code, stderr } = await runCatstack(["uninstall", "--purge", "--dry-run"], { env });
    assert.equal(code, 1);
    assert.match(stderr, expected);
    assert.deepEqual(home.list(), before);
  });
}

test("--purge does not remove the state of a watcher that runs", async (t) => {
  const home = makeHome(t);
  const paths = getStatePaths({ HOME: home.path });
  mkdirSync(paths.instances, { recursive: true });
  writeInstance(paths, createInstance(new Date(), "aa"));
  const { code, stderr } = await home.catstack("uninstall", "--purge");
  assert.equal(code, 1);
  assert.match(
    stderr,
    new RegExp(`expected no watcher, got one that runs; stop it with: kill ${process.pid}, and run this again`),
  );
  assert.equal(existsSync(paths.instances), true);
});

test("a folder of the person's own at the place of the link is refused, and nothing is written", async (t) => {
  const home = makeHome(t, "{}\n");
  mkdirSync(home.link, { recursive: true });
  writeFileSync(join(home.link, "mine.txt"), "mine");
  const before = home.list();
  const result = await home.catstack("install");
  assert.equal(result.code, 1);
  assert.ok(result.stderr.includes(`${home.link}: expected nothing or a link of ours`), result.stderr);
  assert.deepEqual(home.list(), before);
  const removed = await home.catstack("uninstall");
  assert.match(removed.stdout, /skip .*hooks\/catstack is not ours/);
  assert.deepEqual(home.list(), before);
});

test("a link of another checkout is replaced, a link to something else is not", async (t) => {
  const home = makeHome(t);
  const other = join(home.path, "other", "dist");
  mkdirSync(other, { recursive: true });
  for (const name of ["hook.mjs", "catstack.mjs"]) writeFileSync(join(other, name), "");
  mkdirSync(dirname(home.link));
  symlinkSync(other, home.link);
  assert.equal((await home.catstack("install")).code, 0);
  assert.equal(readlinkSync(home.link), distDir);

  rmSync(home.link);
  symlinkSync(home.path, home.link);
  assert.equal((await home.catstack("install")).code, 1);
  assert.equal(readlinkSync(home.link), home.path);
});

/** What may stand at the place of our skill's link; each is theirs. */
const strangers: Record<string, (home: Home) => void> = {
  "a skill of their own": (home) => {
    mkdirSync(home.skill, { recursive: true });
    writeFileSync(join(home.skill, "SKILL.md"), "mine");
  },
  "a file": (home) => {
    mkdirSync(dirname(home.skill));
    writeFileSync(home.skill, "mine");
  },
  "a link to a skill of their own": (home) => {
    for (const folder of [dirname(home.skill), join(home.path, "skills", SKILL)])
      mkdirSync(folder, { recursive: true });
    symlinkSync(join(home.path, "skills", SKILL), home.skill);
  },
  "a link to a skill of their own that is gone": (home) => {
    mkdirSync(dirname(home.skill));
    symlinkSync(join(home.path, "skills", SKILL), home.skill);
  },
  "a file for the folder of skills": (home) => writeFileSync(dirname(home.skill), "mine"),
  "a folder of skills that leads nowhere": (home) => symlinkSync(join(home.path, "gone"), dirname(home.skill)),
};

for (const [name, place] of Object.entries(strangers)) {
  test(`${name} at the place of our skill is told of and left alone; the hooks are installed all the same`, async (t) => {
    const home = makeHome(t);
    place(home);
    const skills = (): [string, string][] => Object.entries(home.list()).filter(([path]) => path.includes("skills"));
    const before = skills();
    const installed = await home.catstack("install");
    assert.equal(installed.code, 0, installed.stderr);
    assert.match(
      installed.stdout,
      /^skip .*skills\S* is (?:not ours|no folder); our skill is in \S+\/flag-your-own-corrections$/m,
    );
    assert.equal(readlinkSync(home.link), distDir);
    const removed = await home.catstack("uninstall");
    assert.equal(removed.code, 0, removed.stderr);
    assert.deepEqual(skills(), before);
  });
}

test("the skill's link of another checkout is replaced, also when that is gone; uninstall takes ours out and nothing beside it", async (t) => {
  const home = makeHome(t);
  const dist = join(home.path, "other", "dist");
  mkdirSync(join(dist, "skills", SKILL), { recursive: true });
  for (const name of ["hook.mjs", "catstack.mjs"]) writeFileSync(join(dist, name), "");
  mkdirSync(join(dirname(home.skill), "theirs"), { recursive: true });
  symlinkSync(join(dist, "skills", SKILL), home.skill);
  await home.catstack("install");
  assert.equal(readlinkSync(home.skill), join(distDir, "skills", SKILL));

  rmSync(home.skill);
  symlinkSync(join(home.path, "gone", "dist", "skills", SKILL), home.skill);
  await home.catstack("install");
  assert.equal(readlinkSync(home.skill), join(distDir, "skills", SKILL));

  await home.catstack("uninstall");
  assert.deepEqual(readdirSync(dirname(home.skill)), ["theirs"]);
  assert.ok(existsSync(join(distDir, "skills", SKILL, "SKILL.md")));
});

test("`catstack` becomes a command where ~/.local/bin is on PATH, and goes again", async (t) => {
  const home = makeHome(t);
  const bin = join(home.path, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  const env = { HOME: home.path, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  assert.equal((await runCatstack(["install"], { env })).code, 0);
  const version = await runCommand("catstack", ["--version"], { env });
  assert.match(version.stdout, /^catstack \d+\.\d+\.\d+\n$/);
  assert.equal((await runCatstack(["uninstall"], { env: { HOME: home.path } })).code, 0);
  assert.deepEqual(readdirSync(bin), []);

  writeFileSync(join(bin, "catstack"), "theirs");
  const result = await runCatstack(["install"], { env });
  assert.match(result.stdout, /skip .*\.local\/bin\/catstack is not ours/);
  await runCatstack(["uninstall"], { env });
  assert.equal(readFileSync(join(bin, "catstack"), "utf8"), "theirs");
});

test("an install from another checkout says whose place it takes", async (t) => {
  const home = makeHome(t);
  const other = join(home.path, "other", "dist");
  cpSync(distDir, other, { recursive: true, verbatimSymlinks: true });
  const first = await runCommand(process.execPath, [join(other, "catstack.mjs"), "install"], {
    env: { HOME: home.path },
  });
  assert.ok(first.stdout.includes(`link    ${home.link} -> ${other}\n`), first.stdout);
  const second = await home.catstack("install");
  assert.ok(second.stdout.includes(`link    ${home.link} -> ${distDir} (was ${other})\n`), second.stdout);
});

test("the command that npm linked stays npm's: an install uses it, an uninstall leaves it", async (t) => {
  const home = makeHome(t);
  const [bin, packaged] = [join(home.path, ".local", "bin"), join(home.path, ".local", "lib", "catstack", "dist")];
  mkdirSync(bin, { recursive: true });
  cpSync(distDir, packaged, { recursive: true, verbatimSymlinks: true });
  symlinkSync("../lib/catstack/dist/catstack.mjs", join(bin, "catstack"));
  const env = { HOME: home.path, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const installed = await runCommand("catstack", ["install"], { env });
  assert.equal(installed.code, 0, installed.stderr);
  assert.match(installed.stdout, /^ok .*\.local\/bin\/catstack, npm's own$/m);
  // Another checkout's install does not take its place.
  assert.match((await runCatstack(["install"], { env })).stdout, /skip .*\.local\/bin\/catstack is not ours/);
  assert.equal((await runCommand("catstack", ["uninstall"], { env })).code, 0);
  assert.equal(readlinkSync(join(bin, "catstack")), "../lib/catstack/dist/catstack.mjs");
});

test("a settings file with comments is kept, and the person is told that Claude Code does not read it", async (t) => {
  const home = makeHome(t, '{\n  // mine\n  "model": "opus"\n}\n');
  const { code, stdout } = await home.catstack("install");
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^note +Claude Code does not read its settings while this stands in them: settings\.json:2:3: a comment;/m,
  );
  assert.match(readFileSync(home.settings, "utf8"), /\/\/ mine/);
});

/** A scratch home and a PATH on which `systemctl` notes what it is asked and answers as it is told. */
function makeSupervised(
  t: TestContext,
  exitCode = 0,
): { home: Home; asked: () => string[]; env: Record<string, string> } {
  const home = makeHome(t);
  const bin = join(home.path, "..", "bin");
  const log = join(home.path, "..", "systemctl.log");
  mkdirSync(bin);
  writeFileSync(join(bin, "systemctl"), `#!/bin/sh\necho "$*" >>"${log}"\nexit ${exitCode}\n`, { mode: 0o755 });
  const env = { HOME: home.path, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const asked = (): string[] => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { home, asked, env };
}

const isLinux = process.platform === "linux";

test("an uninstall of one client leaves the service, of all takes it out", { skip: !isLinux }, async (t) => {
  const { home, asked, env } = makeSupervised(t);
  const before = home.list();
  await runCatstack(["install", "--yes"], { env });
  const started = asked();
  const unit = join(home.path, ".config/systemd/user/catstack.service");
  const one = await runCatstack(["uninstall", "--only", "claude"], { env });
  assert.deepEqual([one.code, existsSync(unit), asked()], [0, true, started]);
  assert.match(one.stdout, /^a service is still installed \(systemd\): take it out with: /m);
  const all = await runCatstack(["uninstall"], { env });
  assert.equal(all.code, 0, all.stderr);
  assert.deepEqual(asked(), [...started, "--user disable --now catstack.service"]);
  assert.doesNotMatch(all.stdout, /a service is still installed/);
  assert.deepEqual(
    Object.entries(home.list()).filter(([, content]) => content !== "/"),
    Object.entries(before).filter(([, content]) => content !== "/"),
  );
});

test("--yes puts the watcher under the supervisor; --purge takes it out first", { skip: !isLinux }, async (t) => {
  const { home, asked, env } = makeSupervised(t);
  const before = home.list();
  const result = await runCatstack(["install", "--yes"], { env });
  assert.equal(result.code, 0, result.stderr);
  const started = ["--user show-environment", "--user daemon-reload", "--user enable --now catstack.service"];
  assert.deepEqual(asked(), started);
  assert.match(result.stdout, /^ok +watcher: runs under systemd \(systemd's user manager answers\)$/m);
  const again = await runCatstack(["install", "--yes"], { env });
  assert.match(again.stdout, /^ok +watcher: runs under systemd$/m);
  assert.deepEqual(asked(), started);

  const removed = await runCatstack(["uninstall", "--purge"], { env });
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(asked(), [...started, "--user disable --now catstack.service"]);
  const files = Object.entries(home.list()).filter(([, content]) => content !== "/");
  assert.deepEqual(
    files,
    Object.entries(before).filter(([, content]) => content !== "/"),
  );
});

test(
  "without --yes, with --no-service or with no supervisor the watcher is only told of",
  { skip: !isLinux },
  async (t) => {
    const quiet = makeSupervised(t);
    for (const args of [["install"], ["install", "--yes", "--no-service"]]) {
      const { code, stdout } = await runCatstack(args, { env: quiet.env });
      assert.equal(code, 0);
      assert.match(stdout, /^note +no watcher: questions for a model wait until one runs; start it with: /m);
    }
    assert.deepEqual(quiet.asked(), []);
    const none = makeSupervised(t, 1);
    const [PATH = ""] = none.env["PATH"]?.split(":") ?? [];
    const { code, stdout } = await runCatstack(["install", "--yes"], { env: { ...none.env, PATH } });
    assert.equal(code, 0);
    assert.match(stdout, /^note +no watcher: /m);
  },
);

/** `install` on a terminal where a person answers. */
async function installOnTerminal(
  env: Record<string, string>,
  answer: string,
): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const code = await install([], {
    env,
    stdin: Object.assign(Readable.from([answer]), { isTTY: true }),
    now: () => new Date(),
    out: (line) => (said.out += `${line}\n`),
    err: (line) => (said.err += `${line}\n`),
    color: false,
    cwd: env["HOME"] ?? "/",
  });
  return { code, ...said };
}

test("on a terminal the person is asked about the watcher, and only a yes starts it", { skip: !isLinux }, async (t) => {
  const { asked, env } = makeSupervised(t);
  const no = await installOnTerminal(env, "\n");
  assert.equal(no.code, 0);
  assert.equal(no.err, "Keep the watcher running under systemd (systemd's user manager answers)? [y/N]\n");
  assert.match(no.out, /^note +no watcher: start it with: /m);
  assert.deepEqual(asked(), ["--user show-environment"]);
  const yes = await installOnTerminal(env, "y\n");
  assert.equal(yes.code, 0);
  assert.equal(asked().at(-1), "--user enable --now catstack.service");
});

test("a home and a checkout with odd names are set up, used and left as they were", async (t) => {
  const home = makeHome(t, "{}\n", `it's "my" $HOME, \`ünï\` 家\\n`);
  makeAll(home);
  const before = home.list();
  const dist = join(home.path, "..", `ch'eck "out" $PATH é`, "dist");
  mkdirSync(dirname(dist));
  cpSync(distDir, dist, { recursive: true, verbatimSymlinks: true });
  const run = (verb: string): Promise<CommandResult> =>
    runCommand(process.execPath, [join(dist, "catstack.mjs"), verb], { env: { HOME: home.path } });
  const installed = await run("install");
  assert.equal(installed.code, 0, installed.stderr);
  for (const title of ["Claude Code", "Codex", "Cursor"])
    assert.match(installed.stdout, new RegExp(`^ok +${title}: the hook answers$`, "m"));
  assert.equal(readlinkSync(home.link), dist);
  const removed = await run("uninstall");
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(home.list(), before);
});

const USER = "1234";

/** `catstack` as an account that is not root: the tester's own, or from root another one, which needs setpriv. */
function getUserCall(home: Home): { file: string; args: string[] } {
  const args = [join(home.path, "dist", "catstack.mjs")];
  if (process.getuid?.() !== 0) return { file: process.execPath, args };
  const setpriv = [`--reuid=${USER}`, `--regid=${USER}`, "--clear-groups", "--no-new-privs", process.execPath];
  return { file: "setpriv", args: [...setpriv, ...args] };
}

/** A home that belongs to the account, with built files that it may read. */
function makeUsersHome(t: TestContext): Home {
  const home = makeHome(t, "{}\n");
  makeAll(home);
  cpSync(distDir, join(home.path, "dist"), { recursive: true, verbatimSymlinks: true });
  if (process.getuid?.() === 0) {
    chmodSync(dirname(home.path), 0o755);
    assert.equal(spawnSync("chown", ["-R", `${USER}:${USER}`, home.path]).status, 0);
  }
  return home;
}

const hasSetpriv = process.getuid?.() !== 0 || spawnSync("setpriv", ["--version"]).status === 0;

test("an account that is not root sets up and takes out all of its own", async (t) => {
  if (lacks(t, hasSetpriv, "setpriv")) return;
  const home = makeUsersHome(t);
  const { file, args } = getUserCall(home);
  const before = home.list();
  const run = (verb: string): Promise<CommandResult> => runCommand(file, [...args, verb], { env: { HOME: home.path } });
  const installed = await run("install");
  assert.equal(installed.code, 0, installed.stderr);
  assert.match(installed.stdout, /^ok +Claude Code: the hook answers$/m);
  assert.equal(statSync(home.settings).uid, statSync(home.path).uid);
  assert.equal((await run("install")).code, 0);
  const removed = await run("uninstall");
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(home.list(), before);
});

test("an account that may not write a file or its folder is told so; the other clients are done", async (t) => {
  if (lacks(t, hasSetpriv, "setpriv")) return;
  const home = makeUsersHome(t);
  const { file, args } = getUserCall(home);
  chmodSync(dirname(home.settings), 0o555);
  chmodSync(join(home.path, ".cursor", "hooks.json"), 0o444);
  const { code, stderr } = await runCommand(file, [...args, "install"], { env: { HOME: home.path } });
  assert.equal(code, 1);
  const [claude, cursor, ...others] = stderr.trim().split("\n");
  assert.match(
    claude ?? "",
    /^catstack install: Claude Code: \S+ expected to be allowed to write \S+\.claude, got a read-only one; make it writable \(chmod u\+w\)/,
  );
  assert.match(
    cursor ?? "",
    /^catstack install: Cursor: \S+ expected to be allowed to write \S+hooks\.json, got a read-only one/,
  );
  assert.deepEqual(others, []);
  assert.deepEqual(readdirSync(dirname(home.settings)), ["settings.json"]);
  assert.equal(existsSync(join(home.path, ".codex", "hooks.json")), true);
  chmodSync(dirname(home.settings), 0o755);
});

test("an account that may not write folders of a client is told before anything is written; a skill is left out", async (t) => {
  if (lacks(t, hasSetpriv, "setpriv")) return;
  const home = makeUsersHome(t);
  const { file, args } = getUserCall(home);
  const run = (verb: string): Promise<CommandResult> =>
    runCommand(file, [...args, verb, "--only", "claude"], { env: { HOME: home.path } });
  mkdirSync(dirname(home.skill), { mode: 0o555 });
  mkdirSync(dirname(home.link), { mode: 0o555 });
  const before = home.list();
  const refused = await run("install");
  assert.equal(refused.code, 1);
  assert.ok(
    refused.stderr.startsWith(
      `catstack install: Claude Code: ${home.link}: expected to be allowed to write ${dirname(home.link)}, got a read-only one`,
    ),
    refused.stderr,
  );
  assert.deepEqual(home.list(), before);

  chmodSync(dirname(home.link), 0o777);
  const installed = await run("install");
  assert.equal(installed.code, 0, installed.stderr);
  assert.match(installed.stdout, /^skip .*\/skills may not be written; our skill is in \S+$/m);
  const added = home.list();
  chmodSync(dirname(home.link), 0o555);
  const kept = await run("uninstall");
  assert.deepEqual([kept.code, home.list()], [1, added]);
  assert.match(kept.stderr, /hooks\/catstack: expected to be allowed to write \S+\/hooks, got a read-only one/);
  chmodSync(dirname(home.link), 0o777);
  const removed = await run("uninstall");
  assert.equal(removed.code, 0, removed.stderr);
  assert.deepEqual(home.list(), before);
});

test("four installs at once, and four uninstalls, end as one does", async (t) => {
  const home = makeHome(t, '{ "model": "opus" }\n');
  makeAll(home);
  rmSync(join(home.path, ".codex"), { recursive: true });
  const before = home.list();
  const env = { HOME: home.path, CODEX_HOME: join(home.path, "new", "codex") };
  const runFour = (verb: string): Promise<CommandResult[]> =>
    Promise.all([1, 2, 3, 4].map(() => runCatstack([verb], { env })));
  for (const { code, stderr } of await runFour("install")) assert.equal(code, 0, stderr);
  const installed = home.list();
  assert.equal((await runCatstack(["install"], { env })).code, 0);
  assert.deepEqual(home.list(), installed);
  await runFour("uninstall");
  assert.equal((await runCatstack(["uninstall"], { env })).code, 0);
  assert.deepEqual(home.list(), before);
});

for (const variable of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "HOME"]) {
  test(`a relative ${variable} is refused: a hook would look for it where it runs`, async (t) => {
    const home = makeHome(t);
    const before = home.list();
    const options = { env: { HOME: home.path, [variable]: "conf/it" }, cwd: home.path };
    const only = variable === "CODEX_HOME" ? "codex" : "claude";
    for (const verb of ["install", "uninstall"]) {
      mkdirSync(join(home.path, "conf", "it", ".claude"), { recursive: true });
      const { code, stderr } = await runCatstack([verb, "--only", only], options);
      assert.equal(code, 1);
      assert.ok(stderr.includes(`expected ${variable} to be an absolute path, got "conf/it"`), stderr);
    }
    rmSync(join(home.path, "conf"), { recursive: true });
    assert.deepEqual(home.list(), before);
  });
}

test("what stands in the place of a client's folder is told of, and is no matter for an uninstall", async (t) => {
  const home = makeHome(t);
  const folder = dirname(home.settings);
  const stand: Record<string, () => void> = {
    "a file": () => writeFileSync(folder, "mine"),
    "a link that leads nowhere": () => symlinkSync(join(home.path, "gone"), folder),
    "a link to itself": () => symlinkSync(folder, folder),
  };
  for (const [name, place] of Object.entries(stand)) {
    rmSync(folder, { recursive: true });
    place();
    const before = home.list();
    const { code, stderr } = await home.catstack("install", "--only", "claude");
    assert.deepEqual([code, stderr.split("\n").length], [1, 2], name);
    assert.ok(
      stderr.startsWith(`catstack install: Claude Code: ${folder}: expected a folder, got something else`),
      stderr,
    );
    assert.equal((await home.catstack("uninstall")).code, 0, name);
    assert.deepEqual(home.list(), before);
  }
});

test("a hook that cannot be tried is told of, and what comes behind is done", async (t) => {
  const home = makeHome(t);
  const { code, stdout, stderr } = await runCatstack(["install"], { env: { HOME: home.path, TMPDIR: "/nowhere" } });
  assert.equal(code, 1);
  assert.match(stderr, /^catstack install: Claude Code: expected to be able to use \/nowhere\S+, got nothing/);
  assert.match(stdout, /\nnext: start a new session of Claude Code/);
});

test("a config.toml that is none is told of where Codex has hooks, and is left alone", async (t) => {
  const home = makeHome(t);
  const config = join(home.path, ".codex", "config.toml");
  mkdirSync(dirname(config));
  writeFileSync(config, "model = 'x'\n[features\n");
  const before = home.list();
  const installed = await home.catstack("install", "--only", "codex");
  assert.equal(installed.code, 0, installed.stderr);
  assert.match(
    installed.stdout,
    /^note +whether Codex's hooks are off cannot be told, Codex's config\.toml:2:10: expected TOML, got an error \(/m,
  );
  assert.equal(existsSync(join(home.path, ".codex", "hooks.json")), true);
  assert.equal((await home.catstack("uninstall")).code, 0);
  assert.deepEqual(home.list(), before);
});

test("a full disk leaves the settings and no part of a file; with room again all is done, and undone", async (t) => {
  const disk = await mountSmallDisk(t);
  if (lacks(t, disk !== undefined, "user namespaces (unshare --user)") || disk === undefined) return;
  const path = join(disk.paths.root, "..", "home");
  const settings = join(path, ".claude", "settings.json");
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, '{"model": "opus"}\n');
  const before = listFolder(path);
  const run = (verb: string): Promise<CommandResult> =>
    runCatstack([verb, "--only", "claude"], { env: { HOME: path } });
  const listFiles = (): string[] => readdirSync(dirname(settings)).filter((name) => name.includes("settings"));
  disk.fill();
  const full = await run("install");
  assert.equal(full.code, 1);
  assert.match(full.stderr, /^catstack install: Claude Code: cannot write \S+catstack-backup: ENOSPC/);
  assert.deepEqual([readFileSync(settings, "utf8"), listFiles()], ['{"model": "opus"}\n', ["settings.json"]]);
  assert.equal((await run("uninstall")).code, 0);
  assert.deepEqual(listFolder(path), before);

  disk.makeRoom();
  // Node finds no program behind a link of /proc, so that the hook cannot be tried here.
  assert.match((await run("install")).stderr, /^catstack install: Claude Code: the hook was tried once: .*\n/);
  const installed = readFileSync(settings, "utf8");
  assert.match(installed, /hooks\/catstack\/launch/);
  disk.fill();
  const kept = await run("uninstall");
  assert.equal(kept.code, 1);
  assert.match(kept.stderr, /^catstack uninstall: Claude Code: cannot write \S+settings\.json: ENOSPC/);
  assert.equal(readFileSync(settings, "utf8"), installed);
  assert.deepEqual(listFiles(), ["settings.json", "settings.json.catstack-backup"]);
  disk.makeRoom();
  assert.equal((await run("uninstall")).code, 0);
  assert.deepEqual(listFolder(path), before);
});

/** What Claude Code does with our entry: the command goes to a shell, the payload to its stdin. */
function runEntry(home: Home, env: Record<string, string> = {}): Promise<CommandResult> {
  const { hooks } = parseSettings(readFileSync(home.settings, "utf8"));
  const [command] = getArray(getObject(hooks["Stop"]?.[0])["hooks"]).map((entry) => getObject(entry)["command"]);
  assert.ok(typeof command === "string", "expected a command of ours");
  return runCommand("/bin/sh", ["-c", command], {
    env: { HOME: home.path, ...env },
    stdin: '{"hook_event_name":"Stop"}',
  });
}

/** An installed copy of dist/ whose bundle, from then on, only tells that it was started, by which Node and with what. */
async function installProbe(t: TestContext, name: string): Promise<{ home: Home; dist: string }> {
  const home = makeHome(t, undefined, name);
  const dist = join(home.path, "check out", "dist");
  mkdirSync(dirname(dist));
  cpSync(distDir, dist, { recursive: true, verbatimSymlinks: true });
  const result = await runCommand(process.execPath, [join(dist, "catstack.mjs"), "install"], {
    env: { HOME: home.path },
  });
  assert.equal(result.code, 0, result.stderr);
  writeFileSync(
    join(dist, "hook.cjs"),
    'console.log(JSON.stringify([process.execPath, process.argv.slice(2), require("node:fs").readFileSync(0, "utf8")]));',
  );
  return { home, dist };
}

/** The Node that built dist/, as the launcher knows it. */
function getBuilder(): string {
  const launch = readFileSync(join(distDir, "launch"), "utf8");
  return /^built_with='(.+)'$/m.exec(launch)?.[1] ?? assert.fail(launch);
}

test("the entry runs the bundle with the harness's name and the payload, through spaces and quotes", async (t) => {
  const { home } = await installProbe(t, `it's a "home" $x`);
  const { code, stdout, stderr } = await runEntry(home);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.deepEqual(JSON.parse(stdout), [getBuilder(), ["claude"], '{"hook_event_name":"Stop"}']);
});

test("the entry loads no code that the environment asks Node to load", async (t) => {
  const { home } = await installProbe(t, "home");
  const evil = join(home.path, "evil.cjs");
  writeFileSync(evil, "console.log('loaded');");
  const { stdout } = await runEntry(home, { NODE_OPTIONS: `--require ${evil}` });
  assert.doesNotMatch(stdout, /loaded/);
  assert.match(stdout, /claude/);
});

test("the entry finds the Node that built the bundle when PATH has none, and PATH's when that one is gone", async (t) => {
  const { home, dist } = await installProbe(t, "home");
  assert.match((await runEntry(home, { PATH: "/nowhere" })).stdout, /claude/);

  const launch = join(dist, "launch");
  writeFileSync(launch, readFileSync(launch, "utf8").replace(/^built_with=.*$/m, "built_with=/nowhere/node"));
  assert.match((await runEntry(home)).stdout, /claude/);
});

test("settings that are a named pipe are refused at once, also behind a link", { timeout: 20_000 }, async (t) => {
  const home = makeHome(t);
  const pipe = join(home.path, "pipe");
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  symlinkSync(pipe, home.settings);
  const { code, stderr } = await home.catstack("install");
  assert.equal(code, 1);
  assert.match(stderr, /cannot read .*settings\.json: expected a file, got something else/);
});

const broken: Record<string, (dist: string, home: Home) => void> = {
  "a bundle cut in half": (dist) => {
    copyFileSync(join(distDir, "hook.cjs"), join(dist, "hook.cjs"));
    truncateSync(join(dist, "hook.cjs"), Math.floor(statSync(join(dist, "hook.cjs")).size / 2));
  },
  "an empty bundle": (dist) => truncateSync(join(dist, "hook.cjs"), 0),
  "a bundle that throws": (dist) => writeFileSync(join(dist, "hook.cjs"), "undefined.x;"),
  "no bundle": (dist) => ["hook.cjs", "hook.mjs"].forEach((name) => rmSync(join(dist, name))),
  "no start file": (dist) => rmSync(join(dist, "start.cjs")),
  "no dist at all": (dist) => rmSync(dist, { recursive: true }),
  "no link": (_, home) => rmSync(home.link),
  "no Node anywhere": (dist) => {
    const launch = join(dist, "launch");
    const text = readFileSync(launch, "utf8").replace(/^built_with=.*$/m, "built_with=/nowhere/node");
    writeFileSync(launch, text.replaceAll(/\/(opt|usr|home)\//g, "/nowhere/"));
  },
};

for (const [name, breakIt] of Object.entries(broken)) {
  test(`the entry is silent and ends in exit 0 with ${name}`, async (t) => {
    const { home, dist } = await installProbe(t, "home");
    breakIt(dist, home);
    assert.deepEqual(await runEntry(home, { PATH: "/nowhere" }), { code: 0, stdout: "", stderr: "" });
  });
}

for (const name of ["no Node anywhere", "no start file"]) {
  test(`the launcher gives Cursor an empty reply with ${name}`, async (t) => {
    const { home, dist } = await installProbe(t, "home");
    broken[name]?.(dist, home);
    const run = await runCommand("/bin/sh", [join(dist, "launch"), "cursor"], {
      env: { HOME: home.path, PATH: "/nowhere" },
    });
    assert.deepEqual(run, { code: 0, stdout: "{}\n", stderr: "" });
  });
}

test("Cursor's entries give an empty reply where the checkout, or our link to it, is gone", async (t) => {
  const home = makeHome(t);
  makeAll(home);
  assert.equal((await home.catstack("install", "--only", "cursor")).code, 0);
  rmSync(join(home.path, ".cursor", "hooks", "catstack"));
  const { hooks } = parseSettings(readFileSync(join(home.path, ".cursor", "hooks.json"), "utf8"));
  const commands = Object.values(hooks)
    .flat()
    .map((entry) => String(getObject(entry)["command"]))
    .filter((command) => command.includes("catstack"));
  assert.equal(commands.length, 3);
  for (const command of commands) {
    const run = await runCommand("/bin/sh", ["-c", command], { env: { HOME: home.path } });
    assert.deepEqual(run, { code: 0, stdout: "{}\n", stderr: "" }, command);
  }
});

const damages: Record<string, (start: string) => void> = {
  "cut in half": (start) => truncateSync(start, Math.floor(statSync(start).size / 2)),
  "cut before its end": (start) => truncateSync(start, statSync(start).size - 5),
  empty: (start) => truncateSync(start, 0),
  "of zeros": (start) => writeFileSync(start, Buffer.alloc(statSync(start).size)),
  "that does not parse": (start) => writeFileSync(start, "try {\n"),
};

for (const [name, damage] of Object.entries(damages)) {
  test(`the entry says one line and ends in exit 0 with a start file ${name}`, async (t) => {
    const { home, dist } = await installProbe(t, "home");
    damage(join(dist, "start.cjs"));
    const { code, stdout, stderr } = await runEntry(home);
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /^catstack-hook-error edge: Error: expected .*\/start\.cjs as it was built, .*\n$/);
  });
}

test("the entry does not wait for a start file that is a named pipe", { timeout: 20_000 }, async (t) => {
  const { home, dist } = await installProbe(t, "home");
  rmSync(join(dist, "start.cjs"));
  assert.equal(spawnSync("mkfifo", [join(dist, "start.cjs")]).status, 0);
  assert.deepEqual(await runEntry(home), { code: 0, stdout: "", stderr: "" });
});

/** A checkout whose npm only notes what it is asked, and with which cache: what install.sh itself does, without the network. */
function makeCheckout(t: TestContext): { folder: string; bin: string; env: Record<string, string> } {
  const home = makeHome(t);
  const folder = join(home.path, "my catstack");
  const bin = join(home.path, "bin");
  mkdirSync(folder);
  mkdirSync(bin);
  copyFileSync(fileURLToPath(new URL("../../install.sh", import.meta.url)), join(folder, "install.sh"));
  writeFileSync(join(folder, "package-lock.json"), "{}");
  cpSync(distDir, join(folder, "dist"), { recursive: true });
  const npm = [
    "#!/bin/sh",
    `echo "$PWD: npm $*" >>"${home.path}/npm.log"`,
    'mkdir -p "${npm_config_cache:-$HOME/.npm}/_logs"',
    '[ "$1" = ci ] || exit "${BUILD_EXIT:-0}"',
    "rm -rf node_modules; mkdir node_modules; exit ${CI_EXIT:-0}",
  ];
  writeFileSync(join(bin, "npm"), npm.map((line) => `${line}\n`).join(""), { mode: 0o755 });
  return { folder, bin, env: { HOME: home.path, PATH: `${bin}:${process.env["PATH"] ?? ""}` } };
}

test("install.sh builds and installs from any folder, and takes it out again", async (t) => {
  const { folder, env } = makeCheckout(t);
  const home = env["HOME"] ?? "";
  const options = ["--only", "claude", "--no-service", "--yes"];
  const installed = await runCommand("sh", [join(folder, "install.sh"), ...options], { env, cwd: "/" });
  assert.equal(installed.code, 0, installed.stderr);
  const calls = readFileSync(join(home, "npm.log"), "utf8").trim().split("\n");
  assert.equal(calls.length, 2);
  assert.match(calls[0] ?? "", /my catstack: npm ci /);
  assert.match(calls[1] ?? "", /my catstack: npm run .*build$/);
  assert.equal(readlinkSync(join(home, ".claude", "hooks", "catstack")), join(folder, "dist"));

  const removal = ["--uninstall", "--purge"];
  const removed = await runCommand("sh", [join(folder, "install.sh"), ...removal], { env, cwd: "/" });
  assert.equal(removed.code, 0, removed.stderr);
  assert.equal(readFileSync(join(home, "npm.log"), "utf8").trim().split("\n").length, 2, "expected no fresh build");
  assert.deepEqual(readdirSync(join(home, ".claude")), []);
});

test("install.sh fetches dependencies where package-lock.json or the machine is another, or a fetch or a build failed", async (t) => {
  const { folder, bin, env } = makeCheckout(t);
  const log = join(env["HOME"] ?? "", "npm.log");
  /** The exit code, and what npm was asked. */
  const run = async (more: Record<string, string> = {}): Promise<[number | null, ...string[]]> => {
    rmSync(log, { force: true });
    const { code } = await runCommand("sh", [join(folder, "install.sh"), "--no-service"], { env: { ...env, ...more } });
    const lines = readFileSync(log, "utf8").trim().split("\n");
    return [code, ...lines.map((line) => /npm (?:run .* )?(\w+)/.exec(line)?.[1] ?? line)];
  };
  assert.deepEqual(await run(), [0, "ci", "build"]);
  assert.deepEqual(await run(), [0, "build"]);
  writeFileSync(join(folder, "package-lock.json"), "{} ");
  assert.deepEqual(await run({ CI_EXIT: "1" }), [1, "ci"]);
  assert.deepEqual(await run(), [0, "ci", "build"]);
  assert.deepEqual(await run({ BUILD_EXIT: "1" }), [1, "build"]);
  assert.deepEqual(await run(), [0, "ci", "build"]);
  writeFileSync(join(bin, "uname"), "#!/bin/sh\necho Other\n", { mode: 0o755 });
  assert.deepEqual(await run(), [0, "ci", "build"]);
  assert.deepEqual(await run(), [0, "build"]);
});

test("install.sh --dry-run writes nothing in the home directory, not even npm's cache", async (t) => {
  const { folder, env } = makeCheckout(t);
  const home = env["HOME"] ?? "";
  const isElsewhere = ([name]: [string, string]): boolean => !/^(?:npm\.log|my catstack)/.test(name);
  const list = (): [string, string][] => Object.entries(listFolder(home)).filter(isElsewhere);
  const tmp = join(home, "..", "tmp");
  mkdirSync(tmp);
  const before = list();
  const dry = await runCommand("sh", [join(folder, "install.sh"), "--dry-run"], { env: { ...env, TMPDIR: tmp } });
  assert.equal(dry.code, 0, dry.stderr);
  assert.match(dry.stdout, /\ndry run: nothing of this was done\n$/);
  assert.deepEqual(list(), before);
  assert.deepEqual(readdirSync(tmp), []);
});

test("install.sh refuses an old Node, an unknown option and nothing else", async (t) => {
  const { folder, bin, env } = makeCheckout(t);
  const script = join(folder, "install.sh");
  const help = await runCommand("sh", [script, "--help"], { env });
  assert.deepEqual([help.code, help.stdout.startsWith("Usage: ./install.sh")], [0, true]);
  for (const action of ["--demo", "--uninstall", "--dry-run"])
    assert.deepEqual(await runCommand("sh", [script, action, "--help"], { env }), help);
  for (const [args, expected] of [
    [["--dry-run", "--demo"], /expected --demo as the first option, got it after another/],
    [["--demo", "--dry-run"], /unknown option --dry-run for --demo/],
    [["--uninstall", "--keep"], /unknown option --keep for --uninstall/],
    [["--purge"], /unknown option --purge/],
    [["--uninstall", "--yes"], /unknown option --yes for --uninstall/],
    [["--dry-run", "--only"], /expected a list behind --only, got nothing/],
    [["--dry-run", "--frce"], /unknown option --frce/],
  ] as const) {
    const wrong = await runCommand("sh", [script, ...args], { env });
    assert.equal(wrong.code, 2, args.join(" "));
    assert.match(wrong.stderr, expected);
  }
  const unknown = await runCommand("sh", [script, "--frce"], { env });
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /unknown option --frce/);

  writeFileSync(join(bin, "node"), '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.8\nexit 1\n', { mode: 0o755 });
  const old = await runCommand("sh", [script], { env });
  assert.equal(old.code, 1);
  assert.match(old.stderr, /expected Node 20\.19 or newer, got v18\.20\.8/);
  assert.equal(existsSync(join(env["HOME"] ?? "", "npm.log")), false);
});

test("the README's two commands are the installer and what .ci/run runs", () => {
  const read = (name: string): string => readFileSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), "utf8");
  const commands = /## Two commands\n+```sh\n([\s\S]*?)```/.exec(read("README.md"))?.[1] ?? assert.fail("no commands");
  const [install, verify, ...more] = commands
    .trim()
    .split("\n")
    .map((line) => line.replace(/\s+#.*/, ""));
  assert.deepEqual([install, verify, more], ["./install.sh --demo", "npm ci && npm test", []]);
  assert.ok(read(".ci/run").split("\n").includes(`(${verify})`), "expected .ci/run to run it");
});
