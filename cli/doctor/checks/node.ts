import { ok, problem, type Check } from "../check.ts";

/** The oldest Node that everything runs with; package.json says the same. */
export const MIN_NODE = [20, 19] as const;

export interface NodeFacts {
  /** Of the Node that runs this, such as `20.20.1`. */
  readonly version: string;
  readonly path: string;
  /** The Node that the launcher of the hooks tries first; undefined when the launcher does not say. */
  readonly launcherNode: string | undefined;
  readonly launcherNodeRuns: boolean;
}

/** Whether hooks and watcher have a Node that is new enough. Pure. */
export function checkNode({ version, path, launcherNode, launcherNodeRuns }: NodeFacts): Check {
  const [wantedMajor, wantedMinor] = MIN_NODE;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const wanted = `${wantedMajor}.${wantedMinor}`;
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor))
    return problem("fail", "node", `${version} at ${path}, expected ${wanted} or newer`, "install a newer Node");
  if (launcherNode !== undefined && !launcherNodeRuns) {
    const says = `${version} at ${path}, but hooks were built to run with ${launcherNode}, which is gone: they take the node on PATH, if there is one`;
    return problem("warn", "node", says, "run: catstack install");
  }
  return ok("node", `${version} at ${path}`);
}
