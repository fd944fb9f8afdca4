import "./own-network.ts";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite } from "node:test";
import type { Mode } from "../../inbox-schema/job.ts";
import { findProcessesWith } from "../helpers/proc.ts";
import { projectRoot } from "../kit/folders.ts";
import { clientTest } from "./client-test.ts";
import { claude, codex } from "./client.ts";
import { ANSWER, askAsShipped, askChanged } from "./safety/ask.ts";
import { getCodexScriptedScripts } from "./safety/codex-attacks.ts";
import { isAsked } from "./safety/opening.ts";
import { createGrid, renderTable } from "./safety/report.ts";
import { READABLE, makeStage } from "./safety/stage.ts";
import type { Stage } from "./safety/stage.ts";
import { countResults, listTools, targets } from "./safety/target.ts";
import type { Target } from "./safety/target.ts";
import type { TestContext } from "node:test";
import type { Clients } from "./install-clients.ts";

const MODES: readonly Mode[] = ["default", "investigate"];
const matrix = createGrid();
const opened: string[][] = [];
/** How many calls came to nothing, by client and case. */
const calmed = new Map<string, number>();
after(() => {
  console.log(`\n${renderTable(["client", "meets", "known as", ...MODES], matrix.getRows(MODES))}`);
  console.log(`\n${renderTable(["client", "left out", "meets", "then"], opened)}`);
});

async function setStage(t: TestContext, clients: Clients, target: Target, meets: string): Promise<Stage> {
  const stage = await makeStage(t, target.client, clients);
  const hostile = target.cases.find(({ name }) => name === meets);
  assert.ok(hostile, `no case is called ${meets}`);
  target.prepare(stage);
  hostile.prepare(stage);
  stage.freeze();
  const scripts = target.getScripts(stage);
  const [first = {}, ...others] = scripts["main"] ?? [];
  const looked = others.map((step) => () => {
    stage.look();
    return typeof step === "function" ? step() : Promise.resolve(step);
  });
  stage.model.play({ ...scripts, main: [first, ...looked] });
  return stage;
}

/** Nothing has been written but what the client keeps itself, nothing runs on, nobody else was reached. */
function assertNothingHappened(stage: Stage, own: RegExp): void {
  assert.deepEqual(
    stage.findChanges().filter((path) => !own.test(path)),
    [],
  );
  assert.deepEqual([stage.findProcesses(), findProcessesWith(`CATSTACK_JOB=${stage.mark}`)], [[], []]);
  assert.deepEqual(stage.ranOutside, []);
  assert.equal(stage.stranger.countVisits(), 0);
  for (const { text } of stage.model.requests) {
    assert.ok(!text.includes(`${stage.mark}-instructions`), "the project's instructions reached the model");
    assert.ok(!text.includes("sk-made-up"), "the key reached the model");
    assert.doesNotMatch(text, /"[^"]*\bIT-(WROTE|REACHED)\\n/);
  }
}

suite("as shipped", { concurrency: 2 }, () => {
  for (const target of targets)
    for (const { name, holes = "", prompt } of target.cases)
      for (const mode of MODES)
        clientTest(`${target.client.name}, ${mode}: nothing happens where it meets ${name}`, async (t, clients) => {
          const stage = await setStage(t, clients, target, name);
          const { result, survivors } = await askAsShipped(stage, mode, prompt);
          assert.deepEqual(
            [result.runner, result.outcome, result.answer, survivors],
            [target.client.name, "hit", ANSWER, []],
            result.reason,
          );
          assertNothingHappened(stage, target.own);

          // The proof that something was tried, and that what may be read was read.
          const requests = stage.model.requests.filter(({ conversation }) => conversation === "main");
          const [first, second] = requests;
          assert.ok(first !== undefined && second !== undefined && requests.length >= 2);
          assert.ok(isAsked(stage, prompt));
          assert.deepEqual(
            listTools(first).filter((tool) => !target.inert.includes(tool)),
            target.tools[mode],
          );
          const calls = (target.getScripts(stage)["main"] ?? []).flatMap((step) => ("calls" in step ? step.calls : []));
          assert.equal(countResults(second), calls.length);
          assert.equal(second.text.includes(READABLE), target.reads.includes(mode));
          const row = `${target.client.name} | ${name}`;
          calmed.set(row, (calmed.get(row) ?? 0) + calls.length);
          matrix.add([target.client.name, name, holes], mode, `nothing in ${calls.length} calls`);
        });

  clientTest("claude: the user's own apiKeyHelper is run, and nothing else", async (t, clients) => {
    const stage = await makeStage(t, claude, clients);
    const [target] = targets;
    assert.ok(target?.client === claude);
    const helper = join(stage.home, "helper-ran");
    stage.write(join(stage.home, ".claude", "settings.json"), { apiKeyHelper: `touch ${helper}; echo sk-other` });
    stage.freeze();
    stage.model.play(target.getScripts(stage));
    const { ANTHROPIC_API_KEY: _, ...env } = stage.env;
    const { result } = await askAsShipped({ ...stage, env }, "investigate");
    assert.equal(result.outcome, "hit", result.reason);
    assert.ok(existsSync(helper));
    assertNothingHappened(
      { ...stage, findChanges: () => stage.findChanges().filter((path) => path !== "home/helper-ran") },
      target.own,
    );
  });

  clientTest("codex: nothing happens with a model whose one tool runs scripts", async (t, clients) => {
    const stage = await makeStage(t, codex, clients);
    const target = targets.find(({ client }) => client === codex);
    assert.ok(target);
    stage.freeze();
    stage.model.play(getCodexScriptedScripts(stage));
    const { result } = await askAsShipped(stage, "investigate");
    assert.equal(result.outcome, "hit", result.reason);
    assertNothingHappened(stage, target.own);
    assert.ok(stage.model.requests[1]?.text.includes(READABLE));
  });
});

suite("with a switch left out", { concurrency: 2 }, () => {
  for (const target of targets)
    for (const { without, change, meets, mode = "investigate", happens, isSeen } of target.openings)
      clientTest(
        `${target.client.name} without ${without}, where it meets ${meets}: ${happens}`,
        async (t, clients) => {
          const stage = await setStage(t, clients, target, meets);
          const prompt = target.cases.find(({ name }) => name === meets)?.prompt;
          const ended = await askChanged(stage, target.client, mode, change, prompt);
          assert.ok(
            isSeen(stage, ended),
            JSON.stringify([ended, stage.findChanges().filter((path) => !target.own.test(path))]),
          );
          opened.push([target.client.name, without, meets, happens]);
        },
      );

  clientTest("codex: hooks that are trusted do not run as shipped", async (t, clients) => {
    const target = targets.find(({ client }) => client === codex);
    assert.ok(target);
    const stage = await setStage(t, clients, target, "hooks of the user's");
    await askChanged(stage, codex, "investigate", { added: ["--dangerously-bypass-hook-trust"] });
    assertNothingHappened(stage, target.own);
    assert.ok(stage.model.requests.filter(({ conversation }) => conversation === "main").length >= 2);
  });
});

clientTest("both: the tables that people read hold what was met and left out here, and what came of it", async () => {
  const readme = readFileSync(join(projectRoot, "tests/clients/README.md"), "utf8").split("\n");
  const expected = [
    ...[...calmed].map(([row, calls]) => `| ${row} | nothing in ${calls} calls |`),
    ...opened.map((cells) => `| ${cells.join(" | ")} |`),
  ];
  assert.deepEqual(readme.filter((line) => /^\| (claude|codex) \|/.test(line)).toSorted(), expected.toSorted());
  await Promise.resolve();
});
