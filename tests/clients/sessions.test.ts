import "./own-network.ts";
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "node:test";
import { clientTest } from "./client-test.ts";
import { claude, codex } from "./client.ts";
import type { Client } from "./client.ts";
import { installCatstack } from "./installed.ts";
import { KEPT_BY_CLIENT, KEPT_BY_US, OWN_SETTINGS } from "./kept.ts";
import { makePerson } from "./person.ts";
import type { Person, Turn, TurnOptions } from "./person.ts";
import { findChanges, takeSnapshot } from "./snapshot.ts";
import {
  CHECK,
  EXCUSE,
  FLIP,
  STALE_REPLY,
  countInRequests,
  getMark,
  tellStaleResult,
  writeCheck,
} from "./stale-result.ts";
import { findToldPerson } from "./told.ts";

/** A turn in which the agent does no more than to answer, and which has to end well. */
async function answer(person: Person, prompt: string, options: TurnOptions = { session: "latest" }): Promise<Turn> {
  const turn = await person.turn(prompt, { main: [{ text: "Fine." }] }, options);
  assert.equal(turn.code, 0, turn.stderr);
  return turn;
}

/** How often the person is told: Codex shows nothing where nobody sits at a screen. */
function getTellings(client: Client, times: number): number {
  return client === claude ? times : 0;
}

suite("sessions", { concurrency: 2 }, () => {
  for (const client of [claude, codex]) {
    clientTest(
      `${client.name}: the agent reads once that its check fails; uninstall leaves every other file as it was`,
      async (t, clients) => {
        const person = await makePerson(t, client, clients);
        for (const [name, text] of Object.entries(OWN_SETTINGS)) {
          if (!name.startsWith(`.${client.name}/`)) continue;
          mkdirSync(join(person.home, name, ".."), { recursive: true });
          writeFileSync(join(person.home, name), text);
        }
        writeCheck(person);
        writeFileSync(join(person.project, getMark(CHECK)), "");
        const before = takeSnapshot(person.home);
        const catstack = await installCatstack(t, person);
        const script = [{ calls: [client.runs(`rm ${getMark(CHECK)}`)] }, ...tellStaleResult(person, client)];
        const first = await person.turn("please finish", { main: script }, { isPlain: true });
        assert.deepEqual([first.code, countInRequests(first, FLIP)], [0, [0, 0, 0, 0, 0]]);
        assert.deepEqual([first.stdout, first.stderr.includes(FLIP)], [`${STALE_REPLY}\n`, false]);
        assert.equal(findToldPerson(client, person, FLIP).length, getTellings(client, 1));

        assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
        assert.deepEqual(countInRequests(await answer(person, "thanks, go on"), FLIP), [1]);
        assert.deepEqual(countInRequests(await answer(person, "and now?"), FLIP), [1]);
        assert.equal(findToldPerson(client, person, FLIP).length, getTellings(client, 1));

        const told = await catstack.run("uninstall");
        assert.ok(told.includes(join(person.home, ".local/state/catstack")), told);
        const changes = findChanges(before, takeSnapshot(person.home));
        assert.ok(changes.some((path) => KEPT_BY_CLIENT[client.name].test(path)));
        assert.deepEqual(
          changes.filter((path) => !KEPT_BY_CLIENT[client.name].test(path) && !KEPT_BY_US.test(path)),
          [],
        );
        const after = await person.turn("once more", { main: tellStaleResult(person, client) });
        assert.equal(after.code, 0);
        await catstack.run("uninstall", "--purge");
        assert.ok(!existsSync(join(person.home, ".local/state/catstack")));
      },
    );

    clientTest(
      `${client.name}: where the model answers before its results are on disk, it is told once, one turn later at most`,
      async (t, clients) => {
        const person = await makePerson(t, client, clients);
        const catstack = await installCatstack(t, person);
        const script = tellStaleResult(person, client);
        const first = await person.turn("please finish", {
          main: [...script.slice(0, -1), { text: STALE_REPLY }],
        });
        const second = await person.turn("go on", { main: script.slice(-1) }, { session: "latest" });
        assert.deepEqual([first.code, first.requests.length, second.code, second.requests.length], [0, 4, 0, 1]);
        assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
        assert.equal(findToldPerson(client, person, FLIP).length, getTellings(client, 1));
        assert.deepEqual(countInRequests(await answer(person, "thanks"), FLIP), [1]);
      },
    );

    clientTest(`${client.name}: what a model found out reaches the agent once, and the person`, async (t, clients) => {
      const person = await makePerson(t, client, clients);
      const catstack = await installCatstack(t, person);
      const env = { CATSTACK_HOOK_MODE_UNVERIFIED_TAG_CHECK: "advise" };
      const reply = person.onceOnDisk("please finish", { text: `The option is in. ${EXCUSE.reply}` });
      const turn = await person.turn("please finish", { main: [reply] }, { env });
      assert.deepEqual([turn.code, turn.requests.length], [0, 1]);
      assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
      assert.deepEqual(countInRequests(await answer(person, "thanks, go on"), EXCUSE.found), [1]);
      assert.deepEqual(countInRequests(await answer(person, "and now?"), EXCUSE.found), [1]);
      assert.equal(findToldPerson(client, person, "unverified-tag-check").length, getTellings(client, 1));
    });

    clientTest(`${client.name}: what a sub-agent saw is not held against the agent`, async (t, clients) => {
      const person = await makePerson(t, client, clients);
      const catstack = await installCatstack(t, person);
      writeCheck(person);
      const turn = await person.turn("please finish", {
        main: [
          { calls: [client.runs(`./${CHECK}`)] },
          { calls: [client.sendsOut("[[sub]] look")] },
          person.onceOnDisk("The sub-agent is done.", { text: STALE_REPLY }),
        ],
        sub: [
          { calls: [client.runs(`echo by-sub > ${getMark(CHECK)}`)] },
          { calls: [client.runs(`./${CHECK}`)] },
          { text: "The sub-agent is done." },
        ],
      });
      assert.equal(turn.code, 0, turn.stderr);
      assert.equal(turn.requests.filter(({ conversation }) => conversation === "sub").length, 3);
      assert.match(await catstack.judge(), /^judged 0 /);
      const again = await person.turn(
        "and now?",
        { main: tellStaleResult(person, client).slice(2) },
        { session: "latest" },
      );
      assert.equal(again.code, 0);

      // What waits for the agent is not given to a sub-agent that begins before the next prompt.
      const judged = async () => {
        assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
        return { calls: [client.sendsOut("[[other]] look")] };
      };
      const third = await person.turn(
        "go on",
        {
          main: [judged, person.onceOnDisk("The other is done.", { text: "Fine." })],
          other: [{ calls: [client.runs("true")] }, { text: "The other is done." }],
        },
        { session: "latest" },
      );
      assert.equal(third.requests.filter(({ conversation }) => conversation === "other").length, 2);
      assert.deepEqual([...new Set(countInRequests(third, FLIP))], [0]);
      assert.equal(findToldPerson(client, person, FLIP).length, getTellings(client, 1));
      assert.deepEqual(countInRequests(await answer(person, "thanks"), FLIP), [1]);
    });

    clientTest(`${client.name}: two sessions at once each read of their own check`, async (t, clients) => {
      const person = await makePerson(t, client, clients);
      const catstack = await installCatstack(t, person);
      const names = ["check_one.sh", "check_two.sh"];
      const scripts = Object.fromEntries(
        names.map((name, index) => [`s${index}`, tellStaleResult(person, client, name)]),
      );
      const turns = await person.turns(
        names.map((_, index) => `[[s${index}]] please finish`),
        scripts,
      );
      assert.deepEqual(
        turns.map(({ code }) => code),
        [0, 0],
      );
      assert.match(await catstack.judge(), /^judged 2 \(2 hit/);
      for (const [index, name] of names.entries()) {
        const id = person.findSession(`[[s${index}]]`);
        const turn = await person.turn("thanks", { [`s${index}`]: [{ text: "Fine." }] }, { session: { id } });
        assert.deepEqual([turn.code, countInRequests(turn, FLIP)], [0, [1]]);
        assert.deepEqual(countInRequests(turn, `\`${name}\``), [1]);
      }
    });

    clientTest(`${client.name}: a session of the judge's own is left alone`, async (t, clients) => {
      const person = await makePerson(t, client, clients);
      const catstack = await installCatstack(t, person);
      const env = { CATSTACK_LLM_JUDGE_CHILD: "1" };
      const turn = await person.turn("please finish", { main: tellStaleResult(person, client) }, { env });
      assert.equal(turn.code, 0);
      assert.equal(findToldPerson(client, person, FLIP).length, 0);
      assert.ok(!existsSync(join(person.home, ".local/state/catstack/inbox")));
      assert.match(await catstack.judge(), /^judged 0 /);
    });
  }

  clientTest("claude: the notice that a background command ended is no prompt", async (t, clients) => {
    const person = await makePerson(t, claude, clients);
    const catstack = await installCatstack(t, person);
    assert.equal((await person.turn("please finish", { main: tellStaleResult(person, claude) })).code, 0);
    const command = `until grep -rq "I wait for it" ${person.home}/.claude/projects; do sleep 0.05; done`;
    const background = { tool: "Bash", input: { command, description: "waits", run_in_background: true } };
    const judged = async () => {
      assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
      return { text: "I wait for it." };
    };
    const script = [{ calls: [background] }, judged, { text: "It has ended." }];
    const turn = await person.turn("go on", { main: script }, { session: "latest" });
    assert.match(turn.requests[2]?.text ?? "", /<task-notification>\\n<task-id>/);
    assert.deepEqual(countInRequests(turn, FLIP), [0, 0, 0]);
    assert.deepEqual(countInRequests(await answer(person, "thanks"), FLIP), [1]);
  });

  clientTest("claude: a fork gets nothing of what was found in the first session", async (t, clients) => {
    const person = await makePerson(t, claude, clients);
    const catstack = await installCatstack(t, person);
    assert.equal((await person.turn("please finish", { main: tellStaleResult(person, claude) })).code, 0);
    assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
    const id = person.findSession("please finish");
    const fork = await answer(person, "another way", { session: { id, isFork: true } });
    assert.match(fork.requests[0]?.text ?? "", /please finish/);
    assert.deepEqual(countInRequests(fork, FLIP), [0]);
    assert.deepEqual(countInRequests(await answer(person, "back again", { session: { id } }), FLIP), [1]);
  });

  clientTest("claude: what was found before a session was compacted reaches the agent after it", async (t, clients) => {
    const person = await makePerson(t, claude, clients);
    const catstack = await installCatstack(t, person);
    assert.equal((await person.turn("please finish", { main: tellStaleResult(person, claude) })).code, 0);
    assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
    const compacted = await person.turn("/compact", { main: [{ text: "The work was done." }] }, { session: "latest" });
    assert.equal(compacted.code, 0, compacted.stderr);
    assert.ok(Object.values(person.readTranscripts()).some((text) => text.includes("compact_boundary")));
    assert.deepEqual(countInRequests(await answer(person, "thanks"), FLIP), [1]);
    assert.equal(findToldPerson(claude, person, FLIP).length, 1);
  });
});

// Alone: it is measured.
for (const client of [claude, codex]) {
  clientTest(`${client.name}: what the hooks add to a turn`, async (t, clients) => {
    const median = async (person: Person): Promise<number> => {
      const times: number[] = [];
      for (const prompt of ["one", "two", "three"]) times.push((await answer(person, prompt, {})).ms);
      return times.toSorted((a, b) => a - b)[1] ?? NaN;
    };
    const bare = await median(await makePerson(t, client, clients));
    const person = await makePerson(t, client, clients);
    await installCatstack(t, person);
    t.diagnostic(
      `${client.name}: a turn with the hooks takes ${((await median(person)) / bare).toFixed(2)} of one without`,
    );
    assert.ok(existsSync(join(person.home, ".local/state/catstack")), "the hooks did not run");
  });
}
