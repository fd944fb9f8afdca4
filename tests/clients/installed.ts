import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { TestContext } from "node:test";
import { projectRoot } from "../kit/folders.ts";
import type { Person } from "./person.ts";
import { runProgram } from "./program.ts";

const dist = mkdtempSync(join(tmpdir(), "catstack-clients-dist-"));
after(() => rmSync(dist, { recursive: true, force: true }));

/** `catstack`, as somebody has it who built it and installed it. */
export interface Catstack {
  run(...args: readonly string[]): Promise<string>;
  /** Lets the watcher take what waits, with a model that says yes to every question. Gives what the watcher tells. */
  judge(): Promise<string>;
}

/** Builds once a test file. Gives the path of the command. */
export function buildCatstack(): string {
  const command = join(dist, "catstack.mjs");
  if (!existsSync(command)) {
    const built = spawnSync(process.execPath, [join(projectRoot, "build.mjs"), dist], { encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
  }
  return command;
}

/** What `install.sh --yes --no-service` does, with a build of its own. */
export async function installCatstack(t: TestContext, person: Person): Promise<Catstack> {
  const command = buildCatstack();
  const run = async (args: readonly string[], more = {}): Promise<string> => {
    const argv = [process.execPath, command, ...args];
    const ran = await runProgram(t, argv, { cwd: person.project, env: { ...person.env, ...more } });
    assert.equal(ran.code, 0, `catstack ${args.join(" ")}: ${ran.stdout}${ran.stderr}`);
    return ran.stdout;
  };
  await run(["install", "--yes", "--no-service", "--only", person.client.name]);
  return {
    run: (...args) => run(args),
    judge() {
      return run(["watch", "--once"], { CATSTACK_LLM_JUDGE_RUNNERS: getStandIn() });
    },
  };
}

/** What `CATSTACK_LLM_JUDGE_RUNNERS` names: a model that says yes to every question. */
export function getStandIn(): string {
  const standIn = [process.execPath, join(projectRoot, "fixtures/bin/answers-as-asked.mjs"), "yes", "{prompt}"];
  return JSON.stringify([["stand-in", standIn]]);
}
