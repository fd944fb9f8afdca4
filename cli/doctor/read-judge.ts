import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isJobName } from "../../judge/inbox/job-name.ts";
import { readJudgeSettings } from "../../judge/settings.ts";
import { listStatusProblems } from "../../judge/status/status-problems.ts";
import { readStatus } from "../../judge/status/status.ts";
import { listDir } from "../../lib/io/list-dir.ts";
import { getSettingsPath, REASON_SUFFIX, type Env, type StatePaths } from "../../lib/io/paths.ts";
import { version } from "../../lib/version.ts";
import { forms } from "../service/forms.ts";
import { isInstalled } from "../service/plan-uninstall.ts";
import { readService } from "../service/read-service.ts";
import type { QueueFacts } from "./checks/queue.ts";
import type { WatcherFacts } from "./checks/watcher.ts";

/** Throws the system's error when the state folder cannot be read. */
export function readWatchers(paths: StatePaths, env: Env, now: Date): WatcherFacts {
  const judge = readJudgeSettings(getSettingsPath(env));
  const status = readStatus(paths, { env, settings: judge.ok ? judge.settings : null }, now);
  return { watchers: status.watchers, problems: listStatusProblems(status, paths, now), version };
}

/** The names of the forms that `catstack service install` wrote. */
export function listServices(env: Env, dist: string): string[] {
  const service = readService(env, join(dist, "catstack.mjs"));
  return forms.filter((form) => isInstalled(form, service)).map(({ name }) => name);
}

/** Throws the system's error when a folder cannot be read. */
export function readQueue(paths: StatePaths): QueueFacts {
  const jobs = listTimes(paths.inbox, isJobName);
  const deaths = listTimes(paths.dead, (name) => !name.endsWith(REASON_SUFFIX));
  const oldest = Math.min(...jobs);
  const last = Math.max(...deaths);
  return {
    jobs: jobs.length,
    oldestAt: jobs.length === 0 ? null : new Date(oldest),
    dead: deaths.length,
    lastDeathAt: deaths.length === 0 ? null : new Date(last),
  };
}

/** When each was last changed, or came there. */
function listTimes(folder: string, isWanted: (name: string) => boolean): number[] {
  return listDir(folder)
    .filter(isWanted)
    .flatMap((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.ctimeMs ?? []);
}
