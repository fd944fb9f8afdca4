import { parseArgs } from "node:util";
import { hooks as allHooks } from "../hooks/index.ts";
import { readJudgeSettings } from "../judge/settings.ts";
import { listStatusProblems } from "../judge/status/status-problems.ts";
import { readStatus } from "../judge/status/status.ts";
import { readRuns } from "../lib/io/edge/run-log.ts";
import { getSettingsPath, type StatePaths } from "../lib/io/paths.ts";
import { describeError } from "./describe-error.ts";
import type { CliIo } from "./io.ts";
import { openStateDir } from "./state-dir.ts";
import { readRecords } from "./stats/read-records.ts";
import { formatStatus } from "./status/format.ts";
import type { Found } from "./status/found.ts";
import { readHookStatus, type HooksFound, type KnownHook } from "./status/hook-status.ts";
import { readRecentDeaths } from "./status/recent-deaths.ts";
import { toStatusJson } from "./status/to-json.ts";
import { listUnknownVariables } from "./unknown-variables.ts";

const SHOWN_DEAD = 2;

/**
 * `catstack status [--json]`. 1 when jobs wait and nobody takes them, a watcher gives no sign of life or fails at something again and again,
 * no question is asked: too many came, every runner rests, or what the limits count cannot be read, or the settings are broken.
 */
export async function status(
  args: readonly string[],
  io: CliIo,
  hooks: readonly KnownHook[] = allHooks,
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: "boolean", default: false } } });
  const paths = openStateDir(io.env);
  const now = io.now();
  const hookIds = hooks.map(({ id }) => id);
  const judge = readJudgeSettings(getSettingsPath(io.env), hookIds);
  const settings = judge.ok ? judge.settings : null;
  const read = readStatus(paths, { env: io.env, settings }, now);
  const records = readRecords(paths);
  const hooksFound = readHookStatus(hooks, records, io.env);
  const notes = [...(judge.ok ? judge.notes : []), ...listUnknownVariables(io.env, hookIds)];
  const found: Found = {
    ...read,
    root: paths.root,
    problems: [
      ...(judge.ok ? [] : [describeBroken(judge.reason, hooksFound)]),
      ...listStatusProblems(read, paths, now),
    ],
    caps: settings && { hour: settings.jobsPerHour, day: settings.jobsPerDay },
    recentDeaths: readRecentDeaths(paths.dead, SHOWN_DEAD),
    observed: records.observed,
    heard: findHeard(paths),
    hooks: { ...hooksFound, warnings: [...hooksFound.warnings, ...notes] },
  };
  if (values.json) io.out(JSON.stringify(toStatusJson(found, now)));
  else for (const line of formatStatus(found, now, io.color)) io.out(line);
  return found.problems.length === 0 ? 0 : 1;
}

function findHeard(paths: StatePaths): Found["heard"] {
  try {
    return readRuns(paths);
  } catch (error) {
    return { failure: describeError(error) };
  }
}

function describeBroken(reason: string, { fileWarning }: HooksFound): string {
  const hooks = fileWarning === null ? "" : ", and hooks use their defaults";
  return `${reason}; correct the file: until then no watcher starts${hooks}`;
}
