import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { attempt } from "./setup/attempt.ts";
import { isThere, readFacts, selectClients } from "./setup/client-folder.ts";
import type { Client } from "./setup/clients.ts";
import { describeLink, leadsTo, readLinkState, replaceLink } from "./setup/links.ts";
import { offerWatcher } from "./setup/offer-watcher.ts";
import { planClientInstall } from "./setup/plan-client.ts";
import { getDistDir, getPlaces } from "./setup/places.ts";
import type { Places } from "./setup/places.ts";
import { findHookProblem } from "./setup/self-test.ts";
import { quoteForShell } from "../lib/quote-for-shell.ts";
import { runPlan } from "./setup/run-plan.ts";
import { runSteps, tell, tellDryRun } from "./setup/step.ts";
import type { Step } from "./setup/step.ts";
import { planCleaning } from "./setup/temporary.ts";

/**
 * `catstack install`: links `dist/` into the folder of each client that is there and adds our hooks to its settings. For each, everything is checked before
 * anything is written; a second run changes nothing. 1 when one of them could not be done: the others are.
 */
export async function install(args: readonly string[], io: CliIo): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      "no-service": { type: "boolean", default: false },
    },
  });
  const dryRun = values["dry-run"];
  const places = getPlaces(io.env, getDistDir(import.meta.url));
  const chosen = selectClients(values.only);
  const present = values.only === undefined ? chosen.filter((client) => isThere(client, io.env)) : chosen;
  expectBuilt(places);
  if (present.length === 0) throw new Failure(describeNone(chosen, io));

  const done: Client[] = [];
  for (const client of present) {
    const run = (): void => runPlan(() => planClientInstall(client, io.env, places.dist), dryRun, io);
    if (await attempt(`install: ${client.title}`, run, io)) done.push(client);
  }
  for (const client of chosen) {
    if (!present.includes(client)) tell("skip", `${client.title}: ${describeAbsence(client, io)}`, io);
  }
  const linked = await attempt("install", () => linkCommand(places, dryRun, io), io);
  tellNotes(done, io);
  if (dryRun) tellDryRun(io);
  const wish = { yes: values.yes, noService: values["no-service"] };
  const works = dryRun || done.length === 0 || (await finish(done, places, wish, io));
  return works && linked && done.length === present.length ? 0 : 1;
}

function expectBuilt({ dist }: Places): void {
  for (const name of ["hook.mjs", "launch", "start.cjs"]) {
    if (existsSync(join(dist, name))) continue;
    throw new Failure(`expected ${join(dist, name)}, found nothing; run: npm run build`);
  }
}

function describeNone(chosen: readonly Client[], io: CliIo): string {
  const got = chosen.map((client) => describeAbsence(client, io)).join(", ");
  return `expected Claude Code, Codex or Cursor on this machine, got ${got}; install one of them, or name it with --only`;
}

function describeAbsence(client: Client, { env }: CliIo): string {
  return `no ${client.getFolder(env)} and no ${client.programs.join(" or ")} on PATH`;
}

/** What comes behind the writing; false when something of it did not work, which is told. */
async function finish(
  done: readonly Client[],
  places: Places,
  wish: { readonly yes: boolean; readonly noService: boolean },
  io: CliIo,
): Promise<boolean> {
  const call = places.commandLinkIsUseful ? "catstack" : `node ${quoteForShell(places.command)}`;
  const answers: boolean[] = [];
  for (const client of done) answers.push(await attempt(`install: ${client.title}`, () => tryHook(client, io), io));
  const isOffered = await attempt("install: the watcher", () => offerWatcher(wish, places, call, io), io);
  const titles = done.map(({ title }) => title).join(", ");
  io.out(`\nnext: start a new session of ${titles}; look at what the hooks do with: ${call} doctor`);
  return isOffered && answers.every(Boolean);
}

async function tryHook(client: Client, io: CliIo): Promise<void> {
  const problem = await findHookProblem(client, io.env);
  if (problem !== undefined) throw new Failure(`the hook was tried once: ${problem}`);
  tell("ok", `${client.title}: the hook answers`, io);
}

function tellNotes(done: readonly Client[], io: CliIo): void {
  const notes = done.flatMap((client) => client.getNotes(readFacts(client, io.env)));
  for (const note of notes) tell("note", note, io);
}

function linkCommand(places: Places, dryRun: boolean, io: CliIo): void {
  runSteps([...planCleaning([dirname(places.commandLink)]), planCommandLink(places)], dryRun, io);
}

function planCommandLink({ commandLink, commandLinkIsUseful, command }: Places): Step {
  const byPath = `node ${quoteForShell(command)}`;
  if (!commandLinkIsUseful) return { word: "skip", text: `no ~/.local/bin on PATH; call it as: ${byPath}` };
  const state = readLinkState(commandLink, command);
  if (state === "foreign" && leadsTo(commandLink, command)) return { word: "ok", text: `${commandLink}, npm's own` };
  if (state === "foreign") return { word: "skip", text: `${commandLink} is not ours; call ours as: ${byPath}` };
  if (state === "ours") return { word: "ok", text: commandLink };
  return { word: "link", text: describeLink(commandLink, command), run: () => replaceLink(commandLink, command) };
}
