import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { TestContext } from "node:test";
import { isRecord } from "../../inbox-schema/describe.ts";
import { getLauncher } from "../../cli/setup/launcher.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { projectRoot } from "../kit/folders.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { onlyHook } from "../helpers/only-hook.ts";
import { installTarball, packProject } from "../helpers/pack.ts";
import type { Packed } from "../helpers/pack.ts";
import { runCommand } from "../helpers/run-command.ts";
import type { CommandResult } from "../helpers/run-command.ts";

// The package that npm makes of this project: as a plugin of Claude Code, and as a command.

const NAME = "@catstack/catstack";
const FLIP = "has not passed since";
const quiet = { code: 0, stdout: "", stderr: "" };

const folder = mkdtempSync(join(tmpdir(), "catstack-package-"));
let packed: Packed;
/** The package as npm installs it. */
let installed: string;

before(() => {
  packed = packProject(folder);
  installed = installTarball(folder, packed, NAME);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function readObject(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  assert.ok(isRecord(value), path);
  return value;
}

function getObject(value: unknown): Record<string, unknown> {
  assert.ok(isRecord(value), `expected an object, got ${JSON.stringify(value)}`);
  return value;
}

describe("the package", () => {
  test("holds what runs, what is read, and nothing else", (t) => {
    t.diagnostic(`${Math.round(packed.size / 1000)} kB packed, ${Math.round(packed.unpackedSize / 1000)} kB on disk`);
    assert.deepEqual(
      packed.files.map((path) => path.replace(/-[0-9a-f]{16}\./, "-HASH.")),
      [
        ".claude-plugin/marketplace.json",
        ".claude-plugin/plugin.json",
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "dist/THIRD-PARTY-LICENSES",
        "dist/catstack.mjs",
        "dist/hook-HASH.js",
        "dist/hook-HASH.verifier.js",
        "dist/hook.cjs",
        "dist/hook.mjs",
        "dist/launch",
        "dist/skills/flag-your-own-corrections/SKILL.md",
        "dist/stand-in.mjs",
        "dist/start.cjs",
        "hooks/hooks.json",
        "inbox-schema/README.md",
        "inbox-schema/job.v1.schema.json",
        "inbox-schema/settings.v1.schema.json",
        "inbox-schema/verdict.v1.schema.json",
        "package.json",
        "skills/flag-your-own-corrections/SKILL.md",
      ],
    );
    assert.ok(packed.size < 1_000_000, `${packed.size} bytes`);
  });

  test("names no place of the machine that packed it", () => {
    for (const path of packed.files)
      assert.ok(!readFileSync(join(installed, path), "utf8").includes(folder), `${path} holds ${folder}`);
    assert.match(readFileSync(join(installed, "dist", "launch"), "utf8"), /^built_with=$/m);
  });

  test("needs no other package, and brings the licence of each one that is bundled", () => {
    const { dependencies, peerDependencies, optionalDependencies } = readObject(join(installed, "package.json"));
    assert.deepEqual([dependencies, peerDependencies, optionalDependencies], [undefined, undefined, undefined]);
    assert.deepEqual(readdirSync(join(folder, "prefix", "node_modules", "@catstack")), ["catstack"]);
    const licences = readFileSync(join(installed, "dist", "THIRD-PARTY-LICENSES"), "utf8");
    for (const name of ["chokidar", "execa", "jsonc-parser", "proper-lockfile", "smol-toml", "unbash", "uuid", "zod"])
      assert.match(licences, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\\n\\n`, "m"));
  });

  test("leaves the checkout that it was packed in as a build leaves it", () => {
    const dist = join(packed.checkout, "dist");
    assert.match(readFileSync(join(dist, "launch"), "utf8"), /^built_with='.+'$/m);
    assert.equal(readdirSync(dist).filter((name) => name.endsWith(".cache")).length, 2);
  });

  test("says one version and one name everywhere", async () => {
    const { name, version } = readObject(join(projectRoot, "package.json"));
    assert.equal(name, NAME);
    const lock = readObject(join(projectRoot, "package-lock.json"));
    assert.deepEqual([lock["name"], lock["version"]], [name, version]);
    const plugin = readObject(join(projectRoot, ".claude-plugin", "plugin.json"));
    assert.deepEqual([plugin["name"], plugin["version"]], ["catstack", version]);
    const marketplace = readObject(join(projectRoot, ".claude-plugin", "marketplace.json"));
    assert.equal(marketplace["name"], "catstack");
    assert.ok(Array.isArray(marketplace["plugins"]) && marketplace["plugins"].length === 1);
    const entry = getObject(marketplace["plugins"][0]);
    assert.deepEqual(entry["source"], { source: "npm", package: name, version });
    assert.deepEqual(
      [entry["name"], entry["description"], entry["license"]],
      [plugin["name"], plugin["description"], plugin["license"]],
    );
    assert.equal((await runBin(["--version"], makeHome(folder))).stdout, `catstack ${String(version)}\n`);
  });

  test("has the hooks under the name that everybody knows", async (t) => {
    assertSaysFlip(await makePerson(t).stop(`node '${join(installed, "dist", "hook.mjs")}' claude`, {}));
  });

  test("runs as a command: the demo shows the whole way from a session to a verdict", async (t) => {
    const { code, stdout, stderr } = await runBin(["demo"], makeHome(makeTempDir(t)));
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(FLIP));
  });
});

/** A fresh home below a folder. */
function makeHome(parent: string): string {
  return mkdtempSync(join(parent, "home-"));
}

/** The command that npm linked. */
function runBin(args: readonly string[], home: string): Promise<CommandResult> {
  const bin = join(folder, "prefix", "node_modules", ".bin", "catstack");
  return runCommand(bin, args, { env: { HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: join(home, "state") } });
}

/** A person's home, with a session whose check has gone from pass to fail. */
interface Person {
  readonly home: string;
  /** Runs a command of an event as Claude Code does. */
  stop(command: string, env: Readonly<Record<string, string>>): Promise<CommandResult>;
  /** The names of the files in the inbox. */
  jobs(): readonly string[];
}

function makePerson(t: TestContext): Person {
  const home = makeTempDir(t);
  const transcript = join(home, "session.jsonl");
  copyFileSync(join(projectRoot, "fixtures/transcripts/claude/flip.jsonl"), transcript);
  const payload = JSON.stringify({
    hook_event_name: "Stop",
    session_id: "s",
    transcript_path: transcript,
    last_assistant_message: "Renamed. Everything is in place.",
  });
  const state = join(home, "state");
  const own = { HOME: home, CATSTACK_LLM_JUDGE_STATE_DIR: state, ...onlyHook("verdict-flip-watch") };
  return {
    home,
    stop: (command, env) => runCommand("/bin/sh", ["-c", command], { env: { ...own, ...env }, stdin: payload }),
    jobs: () => listDir(join(state, "inbox")),
  };
}

/** The command of `hooks/hooks.json`, which is the same for both events. */
function getPluginCommand(root: string): string {
  const { hooks } = readObject(join(root, "hooks", "hooks.json"));
  const { Stop, UserPromptSubmit, ...others } = getObject(hooks);
  assert.deepEqual([others, Stop], [{}, UserPromptSubmit]);
  assert.ok(Array.isArray(Stop) && Stop.length === 1);
  const { hooks: commands, ...group } = getObject(Stop[0]);
  assert.ok(Array.isArray(commands) && commands.length === 1);
  const { command, ...more } = getObject(commands[0]);
  assert.deepEqual([group, more], [{}, { type: "command", timeout: 10 }]);
  assert.ok(typeof command === "string");
  return command;
}

function assertSaysFlip({ code, stdout }: CommandResult): void {
  assert.equal(code, 0);
  const reply = getObject(JSON.parse(stdout));
  assert.deepEqual(Object.keys(reply), ["systemMessage"]);
  assert.match(String(reply["systemMessage"]), new RegExp(FLIP));
}

/** A copy of the installed package that a test may damage. */
function copyPackage(t: TestContext, name = "plugin"): string {
  const root = join(makeTempDir(t), name);
  cpSync(installed, root, { recursive: true });
  return root;
}

describe("the plugin", () => {
  test("says at a turn's end what the record shows, from a folder of any name", async (t) => {
    const root = copyPackage(t, `it's a "plugin" $HOME \`id\` é`);
    const person = makePerson(t);
    assertSaysFlip(await person.stop(getPluginCommand(root), { CLAUDE_PLUGIN_ROOT: root }));
    assert.equal(person.jobs().length, 1);
  });

  const damages: Readonly<Record<string, (root: string) => void>> = {
    "no Node on PATH nor elsewhere": (root) => {
      const launch = join(root, "dist", "launch");
      const text = readFileSync(launch, "utf8");
      writeFileSync(launch, text.replaceAll(/\/(opt|usr|home)\//g, "/nowhere/"));
    },
    "a plugin that an update has removed": (root) => rmSync(root, { recursive: true }),
    "a checkout that was not built": (root) => rmSync(join(root, "dist"), { recursive: true }),
    "no bundle": (root) => rmSync(join(root, "dist", "hook.cjs")),
  };
  for (const [what, damage] of Object.entries(damages)) {
    test(`is silent and ends in exit 0 with ${what}`, async (t) => {
      const root = copyPackage(t);
      const command = getPluginCommand(root);
      damage(root);
      const person = makePerson(t);
      assert.deepEqual(await person.stop(command, { CLAUDE_PLUGIN_ROOT: root, PATH: "/nowhere" }), quiet);
    });
  }

  test("is heard once beside an installation of the same package, and one job is written", async (t) => {
    const person = makePerson(t);
    const root = copyPackage(t);
    mkdirSync(join(person.home, ".claude"));
    const { code, stderr } = await runBin(["install", "--yes", "--only", "claude", "--no-service"], person.home);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await person.stop(getPluginCommand(root), { CLAUDE_PLUGIN_ROOT: root }), quiet);
    assertSaysFlip(await person.stop(getLauncher("claude"), {}));
    assert.equal(person.jobs().length, 1);
  });
});
