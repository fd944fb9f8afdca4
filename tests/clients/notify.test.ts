import "./own-network.ts";
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addNotify } from "../../cli/setup/codex-notify.ts";
import { readRuns } from "../../lib/io/edge/run-log.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { clientTest } from "./client-test.ts";
import { codex } from "./client.ts";
import { installCatstack } from "./installed.ts";
import type { Script } from "./model-server.ts";
import { makePerson } from "./person.ts";
import type { Person } from "./person.ts";

const HOOKS_OFF = "[features]\nhooks = false\n";
const CHECK = "python3 -m pytest tests/test_app.py";

/** A check that passes, fails after a change, and is called green. */
function tellFlip(person: Person): Script {
  person.write(
    "pytest.py",
    'import os, sys\nbad = os.path.exists("broken")\nprint("1 failed, 11 passed in 0.10s" if bad else "12 passed in 0.10s")\nsys.exit(bad)\n',
  );
  return [
    { calls: [codex.runs(CHECK)] },
    { calls: [codex.runs("touch broken")] },
    { calls: [codex.runs(CHECK)] },
    person.onceOnDisk("1 failed, 11 passed", { text: "Done. All 12 tests pass." }),
  ];
}

function edit(path: string, change: (text: string) => string): string {
  const text = change(readFileSync(path, "utf8"));
  writeFileSync(path, text);
  return text;
}

/** How often each event was heard of. */
function countRuns(person: Person): Readonly<Record<string, number>> {
  return Object.fromEntries(readRuns(getStatePaths(person.env)).map(({ event, runs }) => [event, runs]));
}

/** Codex does not wait for its `notify`. */
async function waitForNotice(person: Person, times = 1): Promise<void> {
  await waitFor(`notice ${times} in the run log`, () => countRuns(person)["Notice"] === times || undefined);
}

clientTest(
  "codex, its hooks off: a turn is checked by notify, and the person's own program hears of it too",
  async (t, clients) => {
    const person = await makePerson(t, codex, clients);
    const config = join(person.home, ".codex/config.toml");
    const heard = join(person.home, "heard");
    const own = ["/bin/sh", "-c", `printf '%s' "$1" >"${heard}"`, "theirs"];
    const text = edit(config, (before) => `notify = ${JSON.stringify(own)}\n${before}${HOOKS_OFF}`);
    const catstack = await installCatstack(t, person);

    const turn = await person.turn("please finish", { main: tellFlip(person) });
    assert.equal(turn.code, 0, turn.stderr);
    assert.equal(turn.requests.length, 4);
    await waitForNotice(person);
    await waitFor("the notice of the person's own program", () => existsSync(heard) || undefined);
    const notice: unknown = JSON.parse(readFileSync(heard, "utf8"));
    assert.ok(typeof notice === "object" && notice !== null && "last-assistant-message" in notice);
    assert.equal(notice["last-assistant-message"], "Done. All 12 tests pass.");
    assert.deepEqual(countRuns(person), { Notice: 1 });
    assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
    assert.match(await catstack.run("verdicts"), / hit  verdict-flip-watch  evidence /);

    const again = await person.turn("and now?", { main: [{ text: "All is well." }] }, { session: "latest" });
    assert.equal(again.code, 0, again.stderr);
    await waitForNotice(person, 2);
    assert.match(await catstack.judge(), /^judged 0 /);
    await catstack.run("uninstall", "--purge");
    assert.equal(readFileSync(config, "utf8"), text);
  },
);

clientTest("codex, its hooks off: what a sub-agent saw is not held against the agent", async (t, clients) => {
  const person = await makePerson(t, codex, clients);
  edit(join(person.home, ".codex/config.toml"), (text) => text + HOOKS_OFF);
  const catstack = await installCatstack(t, person);
  const turn = await person.turn("please finish", {
    main: [
      { calls: [codex.sendsOut("[[sub]] look")] },
      person.onceOnDisk("Done. All 12 tests pass.", { text: "Done, by the sub-agent." }),
    ],
    sub: tellFlip(person),
  });
  assert.equal(turn.code, 0, turn.stderr);
  // Codex tells it of a sub-agent's turn as of any other.
  await waitForNotice(person, 2);
  assert.match(await catstack.judge(), /^judged 0 /);
});

clientTest("codex, with hooks and notify both: a turn counts once", async (t, clients) => {
  const person = await makePerson(t, codex, clients);
  const catstack = await installCatstack(t, person);
  const config = join(person.home, ".codex/config.toml");
  edit(config, (text) => addNotify(text, config).text ?? "");
  const turn = await person.turn("please finish", { main: tellFlip(person) });
  assert.equal(turn.code, 0, turn.stderr);
  await waitForNotice(person);
  assert.deepEqual(countRuns(person), { Notice: 1, Stop: 1, UserPromptSubmit: 1 });
  assert.equal(listDir(getStatePaths(person.env).inbox).length, 1);
  assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
  const again = await person.turn("and now?", { main: [{ text: "All is well." }] }, { session: "latest" });
  await waitForNotice(person, 2);
  assert.equal(again.requests.length, 1);
  assert.match(await catstack.judge(), /^judged 0 /);
});
