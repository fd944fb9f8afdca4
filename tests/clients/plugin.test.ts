import "./own-network.ts";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { isRecord } from "../../inbox-schema/describe.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getStatePaths } from "../../lib/io/paths.ts";
import { makeTempDir } from "../helpers/fake-clis.ts";
import { packProject } from "../helpers/pack.ts";
import type { Packed } from "../helpers/pack.ts";
import { projectRoot } from "../kit/folders.ts";
import { clientTest } from "./client-test.ts";
import { claude } from "./client.ts";
import type { Clients } from "./install-clients.ts";
import { installCatstack } from "./installed.ts";
import { makePerson } from "./person.ts";
import type { Person } from "./person.ts";
import { runProgram } from "./program.ts";
import { findToldPerson } from "./told.ts";

const FLIP = "has not passed since";
const FAILURE = "FAIL: 1 of 12 checks";
const CHECK = `#!/bin/sh\nif [ -e broken ]; then echo "${FAILURE}"; exit 1; fi\necho "12 checks ok"\n`;

/** A registry of npm packages on 127.0.0.1 that holds one. Gives its URL. */
async function serveRegistry(t: TestContext, { tarball }: Packed): Promise<string> {
  const manifest: unknown = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  assert.ok(isRecord(manifest));
  const { name, version } = manifest;
  const server = createServer(({ url = "", headers }, response) => {
    const about = {
      name,
      "dist-tags": { latest: version },
      versions: { [String(version)]: { name, version, dist: { tarball: `http://${headers.host}/package.tgz` } } },
    };
    if (url === "/package.tgz") response.end(readFileSync(tarball));
    else if (decodeURIComponent(url) === `/${String(name)}`) response.end(JSON.stringify(about));
    else response.writeHead(404).end("{}");
  });
  t.after(() => server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return `http://127.0.0.1:${address.port}/`;
}

async function runPlugin(t: TestContext, { env, project }: Person, { claude }: Clients, ...args: string[]) {
  const ran = await runProgram(t, [claude, "plugin", ...args], { cwd: project, env });
  assert.equal(ran.code, 0, `claude plugin ${args.join(" ")}: ${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}

/** A session in which a check passes, is broken, fails, and is reported as it was before. */
async function tellStaleResult(person: Person, name: string): Promise<void> {
  person.write(name, CHECK.replaceAll("broken", `broken-${name}`), 0o755);
  const { code, stderr } = await person.turn("please finish", {
    main: [
      { calls: [claude.runs(`./${name}`)] },
      { calls: [claude.runs(`touch broken-${name}`)] },
      { calls: [claude.runs(`./${name}`)] },
      person.onceOnDisk(FAILURE, { text: "Done. All 12 checks pass." }),
    ],
  });
  assert.equal(code, 0, stderr);
}

/** How often the person was told of the check, and how many jobs name it. */
function count(person: Person, name: string): { told: number; jobs: number } {
  const { inbox } = getStatePaths(person.env);
  const jobs = listDir(inbox).filter((file) => readFileSync(join(inbox, file), "utf8").includes(`./${name}`));
  const told = findToldPerson(claude, person, FLIP).filter((text) => text.includes(`./${name}`));
  return { told: told.length, jobs: jobs.length };
}

clientTest("claude: the manifests and the hooks of the plugin pass its own strict validation", async (t, clients) => {
  const person = await makePerson(t, claude, clients);
  const { checkout } = packProject(makeTempDir(t));
  for (const path of [".", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"])
    assert.match(
      await runPlugin(t, person, clients, "validate", "--strict", join(checkout, path)),
      /Validation passed/,
    );
});

clientTest(
  "claude: the plugin comes from npm, speaks once a turn, and as often beside an installation",
  async (t, clients) => {
    const packed = packProject(makeTempDir(t));
    const anybody = await makePerson(t, claude, clients);
    const person = { ...anybody, env: { ...anybody.env, npm_config_registry: await serveRegistry(t, packed) } };
    await runPlugin(t, person, clients, "marketplace", "add", packed.checkout);
    await runPlugin(t, person, clients, "install", "catstack@catstack");
    const details = await runPlugin(t, person, clients, "details", "catstack");
    assert.match(details, /Skills \(1\) +flag-your-own-corrections\b/, details);
    assert.match(details, /Hooks \(2\) +Stop, UserPromptSubmit\b/, details);

    await tellStaleResult(person, "check_alone.sh");
    assert.deepEqual(count(person, "check_alone.sh"), { told: 1, jobs: 1 });

    const catstack = await installCatstack(t, person);
    await tellStaleResult(person, "check_both.sh");
    assert.deepEqual(count(person, "check_both.sh"), { told: 1, jobs: 1 });

    await catstack.judge();
    const next = await person.turn("thanks, go on", { main: [{ text: "Fine." }] }, { session: "latest" });
    assert.deepEqual(
      next.requests.map(({ text }) => text.split(FLIP).length - 1),
      [1],
    );

    await catstack.run("uninstall");
    await tellStaleResult(person, "check_after.sh");
    assert.deepEqual(count(person, "check_after.sh"), { told: 1, jobs: 1 });
  },
);
