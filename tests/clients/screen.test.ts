import "./own-network.ts";
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { suite } from "node:test";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { lacks } from "../helpers/skip.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { clientTest } from "./client-test.ts";
import { claude, codex } from "./client.ts";
import type { Client } from "./client.ts";
import { installCatstack } from "./installed.ts";
import { makePerson } from "./person.ts";
import type { Person } from "./person.ts";
import { EXCUSE, FLIP, STALE_REPLY, count, countInRequests, tellStaleResult } from "./stale-result.ts";
import type { Terminal } from "./terminal.ts";

// What somebody sees who sits at the client's own screen, and what the model is sent meanwhile.

const hasScreen = spawnSync("tmux", ["-V"]).status === 0;

/** Types the first prompt of a session, and waits for the text. Codex asks about our hooks then. */
async function begin(
  person: Person,
  terminal: Terminal,
  text: string,
  choice: "trust" | "go on without" = "trust",
): Promise<void> {
  const { client, model } = person;
  model.play({ main: tellStaleResult(person, client) });
  await terminal.waitFor(client === claude ? "❯" : "Ask Codex to do anything");
  terminal.type("please finish");
  if (client === codex) {
    await terminal.pressUntil("Enter", "Hooks need review");
    // The second choice has to be confirmed, the third has not.
    if (choice === "trust") await terminal.pressUntil("2", "› 2.");
    await terminal.pressUntil(choice === "trust" ? "Enter" : "3", "describe a task");
  }
  await terminal.pressUntil("Enter", text);
}

/** Types a prompt and waits for what is answered. Gives how often the phrase stands in each request of that turn. */
async function goOn(person: Person, terminal: Terminal, prompt: string, reply: string, phrase: string) {
  const before = getRequests(person).length;
  person.model.play({ main: [{ text: reply }] });
  terminal.type(prompt);
  await terminal.pressUntil("Enter", reply);
  return countInRequests({ requests: getRequests(person).slice(before) }, phrase);
}

/** Those of the session itself: both clients also ask for a title. */
function getRequests({ model }: Person): Person["model"]["requests"] {
  return model.requests.filter(({ conversation }) => conversation === "main");
}

async function waitForJob({ env }: Person): Promise<void> {
  await waitFor("a job", () => listDir(getStatePaths(env).inbox).length === 1 || undefined);
}

function screenTest(client: Client, name: string, run: Parameters<typeof clientTest>[1]): void {
  clientTest(`${client.name}, at its screen: ${name}`, async (t, clients) => {
    if (!lacks(t, hasScreen, "tmux")) await run(t, clients);
  });
}

suite("at the screen", { concurrency: 3 }, () => {
  for (const client of [claude, codex]) {
    screenTest(client, "a flip is read at once and once; a model's verdict in one line", async (t, clients) => {
      const person = await makePerson(t, client, clients);
      const catstack = await installCatstack(t, person);
      const terminal = person.sit({ CATSTACK_HOOK_MODE_UNVERIFIED_TAG_CHECK: "advise" });
      await begin(person, terminal, FLIP);
      assert.deepEqual(
        [count(terminal.read(), FLIP), countInRequests({ requests: getRequests(person) }, FLIP)],
        [1, [0, 0, 0, 0]],
      );

      assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
      assert.deepEqual(await goOn(person, terminal, "thanks, go on", `The option is in. ${EXCUSE.reply}`, FLIP), [1]);
      assert.equal(count(terminal.read(), FLIP), 1);

      await waitForJob(person);
      assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
      const line = new RegExp(`(Hook ·|UserPromptSubmit says:).*unverified-tag-check.*`, "g");
      assert.equal(terminal.read().match(line), null);
      assert.deepEqual(await goOn(person, terminal, "and now?", "You are welcome.", EXCUSE.found), [1]);
      assert.equal(terminal.read().match(line)?.length, 1, terminal.read());
      assert.deepEqual(await goOn(person, terminal, "and then?", "It was a pleasure.", EXCUSE.found), [1]);
      assert.equal(terminal.read().match(line)?.length, 1);
      assert.equal(terminal.read().includes(STALE_REPLY), true);
    });

    screenTest(
      client,
      "what was found before a session was compacted reaches the agent after it",
      async (t, clients) => {
        const person = await makePerson(t, client, clients);
        const catstack = await installCatstack(t, person);
        const terminal = person.sit();
        await begin(person, terminal, FLIP);
        assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
        assert.deepEqual(await goOn(person, terminal, "/compact", "ompacted", FLIP), [0]);
        assert.deepEqual(await goOn(person, terminal, "thanks", "You are welcome.", FLIP), [1]);
        assert.equal(count(terminal.read(), FLIP), 1);
      },
    );
  }

  screenTest(codex, "hooks that were not trusted do nothing", async (t, clients) => {
    const person = await makePerson(t, codex, clients);
    const catstack = await installCatstack(t, person);
    const terminal = person.sit();
    await begin(person, terminal, STALE_REPLY, "go on without");
    assert.deepEqual(await goOn(person, terminal, "thanks", "You are welcome.", FLIP), [0]);
    assert.equal(count(terminal.read(), FLIP), 0);
    assert.match(await catstack.judge(), /^judged 0 /);
  });

  screenTest(codex, "a fork gets nothing of what was found in the first session", async (t, clients) => {
    const person = await makePerson(t, codex, clients);
    const catstack = await installCatstack(t, person);
    const terminal = person.sit();
    await begin(person, terminal, FLIP);
    assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
    const { undelivered } = getStatePaths(person.env);
    const waiting = (): string[] => listDir(undelivered).flatMap((key) => listDir(join(undelivered, key)));
    assert.equal(waiting().length, 1);
    terminal.type("/fork");
    await terminal.pressUntil("Enter", /forked/i);
    assert.deepEqual(await goOn(person, terminal, "thanks", "You are welcome.", FLIP), [0]);
    assert.equal(waiting().length, 1);
  });
});
