import "./own-network.ts";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { lacks } from "../helpers/skip.ts";
import { projectRoot } from "../kit/folders.ts";
import { clientTest } from "./client-test.ts";
import { claude, codex } from "./client.ts";
import { getStandIn } from "./installed.ts";
import { KEPT_BY_CLIENT, KEPT_BY_US, OWN_SETTINGS } from "./kept.ts";
import { makePerson } from "./person.ts";
import { runProgram } from "./program.ts";
import { findChanges, takeSnapshot } from "./snapshot.ts";
import { FLIP, countInRequests, getMark, tellStaleResult } from "./stale-result.ts";
import { findToldPerson } from "./told.ts";

/** What a clone of this project holds, but for its tests. */
function makeCheckout(t: TestContext): string {
  const checkout = join(makeTempDir(t), "a checkout");
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: projectRoot,
    encoding: "utf8",
  }).split("\0");
  for (const path of listed)
    if (path !== "" && !path.startsWith("tests/") && existsSync(join(projectRoot, path)))
      cpSync(join(projectRoot, path), join(checkout, path));
  return checkout;
}

clientTest(
  "both: ./install.sh --yes, a session in each, ./install.sh --uninstall: every other file is as it was",
  async (t, clients) => {
    const person = await makePerson(t, claude, clients);
    const people = [person, await makePerson(t, codex, clients, person)];
    const { home } = person;
    const bin = join(dirname(home), "bin");
    for (const folder of [bin, join(home, ".local", "bin")]) mkdirSync(folder, { recursive: true });
    for (const { client } of people) symlinkSync(client.getProgram(clients), join(bin, client.name));
    // The one supervisor here: it is asked nothing, only found.
    writeFileSync(join(bin, "supervisorctl"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    for (const [name, text] of Object.entries(OWN_SETTINGS)) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    for (const each of people) tellStaleResult(each, each.client, `check_${each.client.name}.sh`);
    const env = {
      ...person.env,
      PATH: `${join(home, ".local", "bin")}:${bin}:${person.env["PATH"] ?? ""}`,
      npm_config_cache: execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(),
      npm_config_offline: "true",
    };
    const run = (...argv: readonly string[]) => runProgram(t, argv, { cwd: person.project, env });
    const script = join(makeCheckout(t), "install.sh");
    const before = takeSnapshot(home);

    const installed = await run(script, "--yes");
    if (lacks(t, !installed.stderr.includes("ENOTCACHED"), "this project's packages in npm's cache")) return;
    assert.equal(installed.code, 0, installed.stdout + installed.stderr);
    for (const title of ["Claude Code", "Codex"])
      assert.match(installed.stdout, new RegExp(`${title}: the hook answers`));
    assert.ok(existsSync(join(home, ".local", "bin", "catstack")));

    for (const each of people) {
      const { client } = each;
      const turn = await each.turn("please finish", { main: tellStaleResult(each, client, `check_${client.name}.sh`) });
      assert.deepEqual([turn.code, countInRequests(turn, FLIP)], [0, [0, 0, 0, 0]], turn.stderr);
      assert.equal(findToldPerson(client, each, FLIP).length, client === claude ? 1 : 0);
      const judge = ["env", `CATSTACK_LLM_JUDGE_RUNNERS=${getStandIn()}`, "catstack", "watch", "--once"];
      assert.match((await run(...judge)).stdout, /^judged 1 \(1 hit/);
      const next = await each.turn("thanks, go on", { main: [{ text: "Fine." }] }, { session: "latest" });
      assert.deepEqual([next.code, countInRequests(next, FLIP)], [0, [1]], next.stderr);
    }

    // What the agents did is none of our doing.
    for (const { client } of people) rmSync(join(person.project, getMark(`check_${client.name}.sh`)));
    const isOfClient = (path: string): boolean => Object.values(KEPT_BY_CLIENT).some((kept) => kept.test(path));
    const findOthers = (): string[] => findChanges(before, takeSnapshot(home)).filter((path) => !isOfClient(path));
    assert.ok(findOthers().length > 0);
    const removed = await run(script, "--uninstall");
    assert.equal(removed.code, 0, removed.stdout + removed.stderr);
    assert.ok(removed.stdout.includes(join(home, ".local/state/catstack")), removed.stdout);
    assert.deepEqual(
      findOthers().filter((path) => !KEPT_BY_US.test(path)),
      [".config", ".config/catstack", ".config/catstack/service"],
      removed.stdout,
    );
    assert.ok(existsSync(join(home, ".local/state/catstack")));

    const purged = await run(script, "--uninstall", "--purge");
    assert.equal(purged.code, 0, purged.stdout + purged.stderr);
    assert.ok(!existsSync(join(home, ".local/state/catstack")));
    const isFolder = (path: string): boolean =>
      statSync(join(home, path), { throwIfNoEntry: false })?.isDirectory() === true;
    assert.deepEqual(
      findOthers().filter((path) => !isFolder(path)),
      [],
      purged.stdout,
    );
  },
);
