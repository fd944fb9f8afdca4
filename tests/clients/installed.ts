import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { TestContext } from "node:test";
import { projectRoot } from "../kit/folders.ts";
import type { Person } from "./person.ts";
import { runProgram } from "./program.ts";

const dist = mkdtempSync(join(tmpdir(), "catstack-clients-dist-"));
after(() => rmSync(dist, { recursive: true, force: true }));

/** What the watcher asks instead of a model: the answer to every question. */
export type StandIn = Readonly<Record<string, unknown>>;

/** `catstack`, as somebody has it who built it and installed it. */
export interface Catstack {
  run(...args: readonly string[]): Promise<string>;
  /** Lets the watcher take what waits. Gives what it says of that. */
  judge(answer?: StandIn): Promise<string>;
}

export async function installCatstack(t: TestContext, person: Person): Promise<Catstack> {
  if (!existsSync(join(dist, "catstack.mjs"))) {
    const built = spawnSync(process.execPath, [join(projectRoot, "build.mjs"), dist], { encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
  }
  const run = async (args: readonly string[], more = {}): Promise<string> => {
    const argv = [process.execPath, join(dist, "catstack.mjs"), ...args];
    const ran = await runProgram(t, argv, { cwd: person.project, env: { ...person.env, ...more } });
    assert.equal(ran.code, 0, `catstack ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout;
  };
  await run(["install"]);
  const hooksFile = join(person.home, ".codex", "hooks.json");
  if (existsSync(join(person.home, ".codex")) && !existsSync(hooksFile)) {
    mkdirSync(join(person.home, ".codex"), { recursive: true });
    const entries = [{ hooks: [{ type: "command", command: `${process.execPath} ${dist}/hook.mjs codex` }] }];
    writeFileSync(hooksFile, JSON.stringify({ hooks: { Stop: entries, UserPromptSubmit: entries } }));
  }
  return {
    run: (...args) => run(args),
    judge: (answer = {}) => {
      const standIn = ["stand-in", ["/bin/sh", "-c", `echo '${JSON.stringify(answer)}'`, "sh", "{prompt}"]];
      return run(["watch", "--once"], { CATSTACK_LLM_JUDGE_RUNNERS: JSON.stringify([standIn]) });
    },
  };
}
