import "./own-network.ts";
import assert from "node:assert/strict";
import { clientTest } from "./client-test.ts";
import { claude, codex } from "./client.ts";
import type { Client } from "./client.ts";
import { installCatstack } from "./installed.ts";
import { makePerson } from "./person.ts";
import type { Person, Turn } from "./person.ts";
import { findToldPerson } from "./told.ts";

const FLIP = "has not passed since";
const FAILURE = "FAIL: 1 of 12 checks";
const CHECK = `#!/bin/sh\nif [ -e broken ]; then echo "${FAILURE}"; exit 1; fi\necho "12 checks ok"\n`;

function count(text: string, phrase: string): number {
  return text.split(phrase).length - 1;
}

/** How often each request of a turn holds the phrase. */
function countInRequests(turn: Turn, phrase: string): number[] {
  return turn.requests.map(({ text }) => count(text, phrase));
}

/** The agent runs the check, which passes, breaks it, runs it again, and reports what was true before. */
async function tellStaleResult(person: Person, client: Client, name = "check_app.sh"): Promise<Turn> {
  person.write(name, CHECK, 0o755);
  const turn = await person.turn("please finish", {
    main: [
      { calls: [client.runs(`./${name}`)] },
      { calls: [client.runs("touch broken")] },
      { calls: [client.runs(`./${name}`)] },
      person.onceOnDisk(FAILURE, { text: "Done. All 12 checks pass." }),
    ],
  });
  assert.equal(turn.code, 0, turn.stderr);
  return turn;
}

for (const client of [claude, codex]) {
  clientTest(
    `${client.name}: the agent reads once that its check fails, on the next prompt and no sooner`,
    async (t, clients) => {
      const person = await makePerson(t, client, clients);
      const catstack = await installCatstack(t, person);
      const first = await tellStaleResult(person, client);
      assert.deepEqual(countInRequests(first, FLIP), [0, 0, 0, 0]);
      assert.equal(findToldPerson(client, person, FLIP).length, client === claude ? 1 : 0);

      assert.match(await catstack.judge(), /^judged 1 \(1 hit/);
      const second = await person.turn("thanks, go on", { main: [{ text: "Fine." }] }, { session: "latest" });
      assert.deepEqual([second.code, countInRequests(second, FLIP)], [0, [1]]);
      const third = await person.turn("and now?", { main: [{ text: "Fine." }] }, { session: "latest" });
      assert.deepEqual([third.code, countInRequests(third, FLIP)], [0, [1]]);
      assert.equal(findToldPerson(client, person, FLIP).length, client === claude ? 1 : 0);
    },
  );
}
