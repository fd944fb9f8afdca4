import { lstatSync, readdirSync, rmSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { MARK as FLIP_MARK } from "../../lib/io/edge/once.ts";
import { getHome, getMarkerDirs, getStatePaths } from "../../lib/io/paths.ts";
import type { Env, StatePaths } from "../../lib/io/paths.ts";
import { Failure } from "../failure.ts";
import type { Step } from "./step.ts";

/**
 * Removes the state folder with every job and verdict in it, and the marks of told flips. Throws a Failure, before anything is removed, where the folder may
 * not be ours: it is a link, holds the home directory, or holds what we never put there.
 */
export function planPurge(env: Env): Step[] {
  const paths = getStatePaths(env);
  const marks = [...getMarkerDirs(env).values()].flatMap(planMarks);
  return [planState(paths, env), ...marks];
}

function planState(paths: StatePaths, env: Env): Step {
  const { root } = paths;
  if (lstatSync(root, { throwIfNoEntry: false }) === undefined) return { word: "ok", text: `${root} does not exist` };
  const problem = findProblem(paths, getHome(env));
  if (problem !== undefined)
    throw new Failure(
      `${root}: expected a state folder of ours, ${problem}; nothing of it was removed, look at it and remove it yourself`,
    );
  return {
    word: "remove",
    text: `${root}: jobs, verdicts and what you said of them`,
    run: () => rmSync(root, { recursive: true }),
  };
}

function findProblem(paths: StatePaths, home: string): string | undefined {
  const { root } = paths;
  if (!lstatSync(root).isDirectory()) return "got a link or a file";
  const toHome = relative(root, home);
  if (toHome !== ".." && !toHome.startsWith(`..${sep}`)) return "got one that the home directory is in";
  const names = new Set(Object.values(paths).map((path: string) => relative(root, path).split(sep)[0] ?? ""));
  const log = basename(paths.judgeLog);
  const foreign = readdirSync(root).find((name) => !names.has(name) && !name.startsWith(`${log}.`));
  return foreign === undefined ? undefined : `got one with ${foreign} in it`;
}

/** Other programs may keep files in the same folder. */
function planMarks(folder: string): Step[] {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const names = readdirSync(folder);
  const marks = names.filter((name) => FLIP_MARK.test(name));
  const run = (): void => {
    for (const name of marks) unlinkSync(join(folder, name));
    if (marks.length === names.length) rmdirSync(folder);
  };
  return [{ word: "remove", text: `${folder}: which flips were told`, run }];
}
