import { existsSync } from "node:fs";
import { probeInstance, readInstances } from "../../lib/io/instance.ts";
import { getMarkerDirs, getSettingsPath, getStatePaths } from "../../lib/io/paths.ts";
import type { Env } from "../../lib/io/paths.ts";
import { forms } from "../service/forms.ts";
import { isInstalled } from "../service/plan-uninstall.ts";
import { readService } from "../service/read-service.ts";
import type { Places } from "./places.ts";
import { quoteForShell } from "../../lib/quote-for-shell.ts";

/** A place that an uninstall leaves, and the command that removes it. */
interface Leftover {
  readonly path: string;
  readonly what: string;
  readonly command: string;
}

/** What an uninstall leaves on purpose, a line each: only what is there. `backups` are where the copies of settings would be. */
export function describeLeftovers(places: Places, backups: readonly string[], env: Env): string[] {
  const lines = findLeftovers(backups, env).map(
    ({ path, what, command }) => `  ${what}: ${command} ${quoteForShell(path)}`,
  );
  const services = findServices(places, env).map(
    (name) =>
      `a service is still installed (${name}): take it out with: node ${quoteForShell(places.command)} service uninstall`,
  );
  const watchers = findWatchers(env).map((pid) => `catstack watch is still running: stop it with: kill ${pid}`);
  const listed = lines.length === 0 ? [] : ["what stays, and how to remove it:", ...lines];
  return [...services, ...watchers, ...listed];
}

function findLeftovers(backups: readonly string[], env: Env): Leftover[] {
  const candidates: Leftover[] = [
    ...backups.map((path) => ({ path, what: "the settings as they were", command: "rm" })),
    {
      path: getStatePaths(env).root,
      what: "jobs, verdicts and what you said of them (or: uninstall --purge)",
      command: "rm -r",
    },
    ...[...getMarkerDirs(env).values()].map((path) => ({
      path,
      what: "which flips were told (or: uninstall --purge)",
      command: "rm -r",
    })),
    { path: getSettingsPath(env), what: "your settings of catstack", command: "rm" },
  ];
  return candidates.filter(({ path }) => existsSync(path));
}

/** The names of the forms that `catstack service install` wrote. */
export function findServices(places: Places, env: Env): string[] {
  const service = readService(env, places.command);
  return forms.filter((form) => isInstalled(form, service)).map(({ name }) => name);
}

/** The process ids of watchers that are alive. */
export function findWatchers(env: Env): number[] {
  const watchers = readInstances(getStatePaths(env)).filter((instance) => probeInstance(instance) === "alive");
  return watchers.map(({ pid }) => pid);
}
