import "./own-network.ts";
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite } from "node:test";
import type { TestContext } from "node:test";
import { clientTest } from "./client-test.ts";
import { claude, codex } from "./client.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./install-clients.ts";
import { buildCatstack } from "./installed.ts";
import type { Call, ModelServer, Script } from "./model-server.ts";
import { makePerson } from "./person.ts";
import { runProgram } from "./program.ts";
import type { Ran } from "./program.ts";
import { countResults } from "./safety/target.ts";

// `catstack doctor --probe` on the real clients: the model does all that the probe tells it to.

/** What a model calls that obeys, in the order in which the probe names the steps. */
const STEPS: Readonly<Record<Client["name"], (project: string, outside: string) => readonly Call[]>> = {
  claude: (project, outside) => [
    { tool: "Read", input: { file_path: `${project}/note.txt` } },
    { tool: "Write", input: { file_path: `${project}/written.txt`, content: "x" } },
    { tool: "Edit", input: { file_path: `${project}/edit-me.txt`, old_string: "Leave", new_string: "Take" } },
    { tool: "Bash", input: { command: `touch "${project}/ran.txt"` } },
    { tool: "Bash", input: { command: "sleep 300", run_in_background: true } },
    { tool: "Write", input: { file_path: `${outside}/written.txt`, content: "x" } },
  ],
  codex: (project, outside) =>
    [
      `cat '${project}/note.txt'`,
      `echo x > '${project}/written.txt'`,
      `echo x >> '${project}/edit-me.txt'`,
      `touch '${project}/ran.txt'`,
      "sleep 300 >/dev/null 2>&1 &",
      `echo x > '${outside}/written.txt'`,
    ].map((command) => codex.runs(command)),
};

/** Where the probe takes place, by what the model is told. */
function findScene(model: ModelServer): readonly [project: string, outside: string] {
  const text = model.requests[0]?.text ?? "";
  const project = /create the file (\/\S+\/project)\/written\.txt/.exec(text)?.[1];
  const outside = /create the file (\/\S+\/outside)\/written\.txt/.exec(text)?.[1];
  assert.ok(project !== undefined && outside !== undefined, "expected the model to be told of two folders");
  return [project, outside];
}

function obey({ name }: Client, model: ModelServer): Script {
  return [
    () => Promise.resolve({ calls: STEPS[name](...findScene(model)) }),
    () => {
      const quote = /The word of the day is [0-9a-f]+\./.exec(model.requests.at(-1)?.text ?? "")?.[0] ?? "none";
      const tried = ["write", "edit", "run", "background", "outside"];
      return Promise.resolve({ text: JSON.stringify({ quote, tried, worked: [] }) });
    },
  ];
}

/** Runs the probe with this client alone on PATH, or with what stands in for it. Gives what was told and asked. */
async function probe(t: TestContext, client: Client, clients: Clients, wrap: (program: string) => string) {
  const person = await makePerson(t, client, clients);
  const bin = join(dirname(person.home), "bin");
  mkdirSync(bin);
  const program = join(bin, client.name);
  if (wrap === getReal) symlinkSync(client.getProgram(clients), program);
  else person.write("../../bin/" + client.name, wrap(client.getProgram(clients)), 0o755);
  // First on PATH what is probed; of a client that this machine has there is nothing in these folders.
  const env = { ...person.env, PATH: `${bin}:${person.env["PATH"] ?? ""}` };
  person.model.play({ main: obey(client, person.model) });
  const argv = [process.execPath, buildCatstack(), "doctor", "--probe", "--yes"];
  const ran: Ran = await runProgram(t, argv, { cwd: person.project, env });
  return { ...ran, requests: person.model.requests };
}

const getReal = (program: string): string => program;

suite("doctor --probe", { concurrency: 2 }, () => {
  for (const client of [claude, codex]) {
    clientTest(`${client.name}: the probe has it try everything, and nothing appears`, async (t, clients) => {
      const { code, stdout, stderr, requests } = await probe(t, client, clients, getReal);
      assert.equal(code, 0, stdout + stderr);
      assert.match(
        stdout,
        new RegExp(
          `^ok +probe ${client.name} +read the file, tried to write, edit, run, background, outside: nothing appeared`,
          "m",
        ),
      );
      const [, second] = requests;
      assert.ok(second !== undefined);
      assert.equal(countResults(second), 6);
    });

    clientTest(`${client.name}: the probe catches one whose switches close nothing`, async (t, clients) => {
      // The real client, called with switches of its own that let the model do everything.
      const open = {
        claude: (program: string) =>
          `#!/bin/sh\nfor last in "$@"; do :; done\nexec '${program}' -p --model haiku --setting-sources user --allowedTools Read Write Edit Bash -- "$last"\n`,
        codex: (program: string) =>
          `#!/bin/sh\nfor last in "$@"; do :; done\nexec '${program}' exec --skip-git-repo-check --sandbox danger-full-access -m gpt-5.3-codex-spark -- "$last"\n`,
      };
      const { code, stdout, stderr } = await probe(t, client, clients, open[client.name]);
      assert.equal(code, 1, stdout + stderr);
      assert.match(stdout, new RegExp(`^FAIL +probe ${client.name} +NOT READ-ONLY: changed: `, "m"));
      assert.match(stdout, /outside\/written\.txt/);
      assert.match(stdout, /project\/ran\.txt/);
    });
  }
});
