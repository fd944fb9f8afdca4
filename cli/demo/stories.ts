import { clipText } from "../../lib/cut-text.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Verdict } from "../../inbox-schema/verdict.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { isRow } from "../../lib/transcript/row.ts";
import { Failure } from "../failure.ts";
import { renderExcuse, renderExcuseJob, renderFlip, renderPayload, RETRY_FILE, RETRY_TEXT, SAID } from "./session.ts";
import type { Stage } from "./stage.ts";

/** A check passed, then failed, and the reply quotes the pass: what the transcript proves needs no model. */
export async function playFlip(stage: Stage): Promise<void> {
  const { session, paths } = stage;
  stage.write(session.transcript, renderFlip(session, stage.now));
  stage.write(join(session.project, RETRY_FILE), RETRY_TEXT);

  stage.step("A session in Claude Code. The agent runs the tests twice and reports once.");
  stage.show("turn 1", "npm test: 12 passed");
  stage.show("turn 2", "npm test: 11 passed, 1 failed");
  stage.show("reply", `"${SAID.stale}"`);

  stage.step("The turn ends. Claude Code runs our Stop hook, which tells you at once:");
  stage.quote(
    getText(await stage.run("hook.mjs", ["claude"], renderPayload(session, "Stop", SAID.stale)), "systemMessage"),
  );
  const [name, ...more] = listDir(paths.inbox);
  if (name === undefined || more.length > 0) {
    throw new Failure(`expected one job in ${paths.inbox}, got ${more.length + (name === undefined ? 0 : 1)}`);
  }
  stage.show("job", `${join("inbox", name)}, for the agent:`);
  stage.quote(showJob(readFileSync(join(paths.inbox, name), "utf8")));

  stage.step("The judge (`catstack watch`) takes the job out of the inbox and decides.");
  await stage.judge();
  const verdict = getHit(stage, name.slice(0, -".json".length));
  if (verdict.runner !== "evidence") throw new Failure(`expected no model to be asked, got ${String(verdict.runner)}`);
  stage.show("verdict", "hit, by evidence (no model was asked)");

  stage.step("You type your next prompt. The agent reads, before it starts:");
  await deliver(stage, "Ship it.", verdict);
}

/** "Could not verify" beside a file that settles the matter: that takes someone who reads the file. */
export async function playExcuse(stage: Stage): Promise<void> {
  const { session } = stage;
  stage.append(session.transcript, renderExcuse(session, stage.now));

  stage.step("A claim that only a look at the files can settle.");
  stage.show("reply", `"${SAID.excuse}"`);
  stage.show("file", `${RETRY_FILE}: ${RETRY_TEXT.replaceAll(/\s+/g, " ").trim()}`);

  stage.step("Anyone may ask the judge. `catstack drop` puts a question in investigate mode into the inbox:");
  const job = renderExcuseJob(session);
  stage.quote(showJob(job));
  const dropped: unknown = JSON.parse(await stage.run("catstack.mjs", ["drop", "-", "--json"], job));
  const id = isRow(dropped) ? dropped["id"] : undefined;
  if (typeof id !== "string") throw new Failure("expected the id of the dropped job, got none");

  stage.step(`The judge asks ${stage.runnerNote}.`);
  await stage.judge();
  const verdict = getHit(stage, id);
  stage.show("verdict", `hit, by ${String(verdict.runner)}: ${verdict.report ?? verdict.reason}`);

  stage.step("The next prompt. The agent reads:");
  await deliver(stage, "So, how often?", verdict);
}

/** Runs the hook of the next prompt and shows what it gives the agent, which must be the verdict's message. */
async function deliver(stage: Stage, prompt: string, verdict: Verdict): Promise<void> {
  const output = await stage.run("hook.mjs", ["claude"], renderPayload(stage.session, "UserPromptSubmit", prompt));
  const text = getText(output, "hookSpecificOutput", "additionalContext");
  if (!text.includes(verdict.on_hit)) throw new Failure(`expected the verdict's message, got: ${text}`);
  stage.quote(text);
}

function getHit(stage: Stage, id: string): Verdict {
  const verdict = stage.readVerdict(id);
  if (verdict.outcome !== "hit") throw new Failure(`expected a hit, got ${verdict.outcome}: ${verdict.reason}`);
  return verdict;
}

/** A text in a hook's JSON output. */
function getText(output: string, ...keys: readonly string[]): string {
  let value: unknown = output.trim() === "" ? undefined : JSON.parse(output);
  for (const key of keys) value = isRow(value) ? value[key] : undefined;
  if (typeof value === "string") return value;
  throw new Failure(`expected the hook to print ${keys.join(".")}, got: ${output.trim() || "nothing"}`);
}

/** The keys of a job that say what it is about; long texts are cut. */
function showJob(text: string): string {
  const job: unknown = JSON.parse(text);
  const entries = isRow(job) ? Object.entries(job) : [];
  const shown = ["hook", "mode", "cwd", "prompt", "answer", "hit_if_all_true", "on_hit"];
  const lines = entries
    .filter(([key]) => shown.includes(key))
    .map(([key, value]) => `  "${key}": ${cut(JSON.stringify(value))}`);
  return ["{", lines.join(",\n"), "}"].join("\n");
}

function cut(text: string): string {
  return clipText(text, 76);
}
