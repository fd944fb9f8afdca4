import assert from "node:assert/strict";
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { runCatstack } from "../helpers/run-command.ts";
import { isComplete } from "./die.ts";

const preload = fileURLToPath(new URL("../../fixtures/die-after-change.mjs", import.meta.url));

/** A home directory that has all that a set-up may meet: a file behind a link, one of theirs, no file, no folder, and a folder for commands. */
function makeHome(t: TestContext): string {
  const home = join(makeTempDir(t), "home");
  for (const folder of [".claude", ".cursor", ".local/bin"]) mkdirSync(join(home, folder), { recursive: true });
  symlinkSync("../new/dotfiles/claude.json", join(home, ".claude", "settings.json"));
  writeFileSync(join(home, ".cursor", "hooks.json"), '{"hooks": {"stop": [{"command": "theirs"}]}}');
  return home;
}

/** `catstack`, killed after so many changes of the disk if that is given. Whether it came to its end. */
async function run(home: string, verb: string, last = 0): Promise<boolean> {
  const log = join(home, "..", "changes");
  rmSync(log, { force: true });
  const kill = { NODE_OPTIONS: `--import=${preload}`, CATSTACK_CHANGES: log, CATSTACK_LAST_CHANGE: String(last) };
  const env = {
    HOME: home,
    CODEX_HOME: join(home, "new", "codex"),
    PATH: `${join(home, ".local/bin")}:${process.env["PATH"]}`,
  };
  const { code, stderr } = await runCatstack([verb], { env: last === 0 ? env : { ...env, ...kill } });
  assert.ok(code === 0 || (last > 0 && code === null), stderr);
  return code === 0;
}

/** All that is below the home directory: content, link or folder, with its mode. */
function list(home: string): Record<string, string> {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [path, ...walk(path)] : [path];
    });
  return Object.fromEntries(walk(home).map((path) => [relative(home, path), describe(path)]));
}

function describe(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return `${stat.mode.toString(8)} ${stat.isDirectory() ? "/" : readFileSync(path, "utf8")}`;
}

/** Of the numbers of changes, those that are tried: all of them in the complete run. */
const STEP = isComplete ? 1 : 7;

test("an install that dies after any change of the disk is ended by the next, and taken out without a trace", async (t) => {
  const clean = makeHome(t);
  const before = list(clean);
  await run(clean, "install");
  const installed = list(clean);
  for (let last = 1, isDone = false; !isDone; last += STEP) {
    const home = makeHome(t);
    isDone = await run(home, "install", last);
    const other = makeHome(t);
    await run(other, "install", last);
    await run(home, "install");
    assert.deepEqual(list(home), JSON.parse(JSON.stringify(installed).replaceAll(clean, home)), `change ${last}`);
    await run(other, "uninstall");
    assert.deepEqual(list(other), before, `change ${last}`);
  }
});

test("an uninstall that dies after any change of the disk is ended by the next", async (t) => {
  for (let last = 1, isDone = false; !isDone; last += STEP) {
    const home = makeHome(t);
    const before = list(home);
    await run(home, "install");
    isDone = await run(home, "uninstall", last);
    await run(home, "uninstall");
    assert.deepEqual(list(home), before, `change ${last}`);
  }
});
