import { readJudgeSettings } from "../../judge/settings.ts";
import { readRuns } from "../../lib/io/edge/run-log.ts";
import { findOwnershipProblem } from "../../lib/io/ownership.ts";
import { getSettingsPath, getStatePaths, type Env } from "../../lib/io/paths.ts";
import { claude } from "../../lib/transcript/claude.ts";
import { codex } from "../../lib/transcript/codex.ts";
import { cursor } from "../../lib/transcript/cursor.ts";
import { version } from "../../lib/version.ts";
import { describeError } from "../describe-error.ts";
import { problem, type Check } from "./check.ts";
import { checkBuild } from "./checks/build.ts";
import { checkClients, findEntries, isInstalled, type ClientFacts } from "./checks/clients.ts";
import { checkNode } from "./checks/node.ts";
import { checkQueue } from "./checks/queue.ts";
import { checkRunners } from "./checks/runners.ts";
import { checkRuns, selectRuns } from "./checks/runs.ts";
import { checkSettings } from "./checks/settings.ts";
import { checkState } from "./checks/state.ts";
import { checkTranscript } from "./checks/transcripts.ts";
import { checkService, checkWatcher } from "./checks/watcher.ts";
import { isRunnable, readBuild } from "./read-build.ts";
import { readClients } from "./read-clients.ts";
import { listServices, readQueue, readWatchers } from "./read-judge.ts";
import { readRunners } from "./read-runners.ts";
import { readSettings } from "./read-settings.ts";
import { readState } from "./read-state.ts";
import { readNewestTranscript } from "./read-transcript.ts";

/** What the checks take from the world. */
export interface Place {
  readonly env: Env;
  /** Our built files. */
  readonly dist: string;
  readonly now: Date;
}

type Group = readonly [name: string, look: () => readonly Check[] | Promise<readonly Check[]>];

/**
 * Every check, in the order in which they are told. Writes nothing of ours and asks no model. What cannot be looked at is `unknown`. What has to be run is run side
 * by side, and each is waited for a few seconds at most.
 */
export async function gatherChecks({ env, dist, now }: Place): Promise<Check[]> {
  const paths = getStatePaths(env);
  const runners = readRunners(env, findJudgeSettings(env));
  const clients = readClients(env, dist);
  const known = clients.catch((): ClientFacts[] => []);
  const groups: readonly Group[] = [
    ["node", () => [checkNode(readNode(dist))]],
    ["build", () => [checkBuild(readBuild(dist), version)]],
    ["clients", async () => checkClients(await clients)],
    ["runs", async () => selectRunFacts(await known, paths).map((facts) => checkRuns(facts, now))],
    [
      "transcripts",
      async () => selectAdapters(await known).map((each) => checkTranscript(readNewestTranscript(each, env), now)),
    ],
    ["settings", () => [checkSettings(readSettings(env))]],
    ["state", () => checkState(readState(paths.root))],
    // What lies in another account's reach is not looked at.
    ["watcher", () => (isOurs(paths.root) ? [checkWatcher(readWatchers(paths, env, now))] : [])],
    ["service", () => [checkService(listServices(env, dist))]],
    ["queue", () => (isOurs(paths.root) ? checkQueue(readQueue(paths), now) : [])],
    ["runners", async () => checkRunners(await runners)],
  ];
  return (await Promise.all(groups.map(lookSafely))).flat();
}

async function lookSafely([name, look]: Group): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    return [failToTell(name, error)];
  }
}

function failToTell(name: string, error: unknown): Check {
  return problem("unknown", name, `could not tell: ${describeError(error)}`, "correct that and ask again");
}

function isOurs(root: string): boolean {
  return findOwnershipProblem(root) === undefined;
}

function readNode(dist: string): Parameters<typeof checkNode>[0] {
  const { launcherNode } = readBuild(dist);
  const launcherNodeRuns = launcherNode !== undefined && isRunnable(launcherNode);
  return { version: process.versions.node, path: process.execPath, launcherNode, launcherNodeRuns };
}

function findJudgeSettings(env: Env): Parameters<typeof readRunners>[1] {
  const read = readJudgeSettings(getSettingsPath(env));
  return read.ok ? read.settings : null;
}

function selectRunFacts(
  clients: readonly ClientFacts[],
  paths: Parameters<typeof readRuns>[0],
): Parameters<typeof checkRuns>[0][] {
  const runs = readRuns(paths);
  return clients.filter(isInstalled).map((client) => {
    const { name, off } = client;
    const entries = findEntries(client);
    return {
      harness: name,
      wantsTrust: name === "codex" && off === null && entries.hooks,
      runs: selectRuns(
        runs.filter(({ harness }) => harness === name),
        entries,
      ),
    };
  });
}

function selectAdapters(clients: readonly ClientFacts[]): (typeof claude)[] {
  return [claude, codex, cursor].filter(({ name }) => clients.some((client) => client.name === name && client.isThere));
}
