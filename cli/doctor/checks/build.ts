import { ok, problem, type Check } from "../check.ts";
import type { BuildFacts } from "../read-build.ts";

const REBUILD = "run: npm run build (or install catstack anew)";

/** Whether the built files are there, whole and fit each other. Pure. */
export function checkBuild({ dist, missing, hash, contentHash, launcherFits }: BuildFacts, version: string): Check {
  const fail = (says: string) => problem("fail", "build", `${says} in ${dist}`, REBUILD);
  if (missing.length > 0) return fail(`no ${missing.join(", no ")}`);
  if (hash === undefined) return fail("a hook.cjs that is no bundle of ours");
  if (contentHash !== hash)
    return fail(`a hook bundle that is damaged (it says ${hash} and is ${contentHash ?? "cut short"})`);
  if (!launcherFits) return fail("a launcher that refuses the start file beside it");
  return ok("build", `${version}, ${hash}, ${dist}`);
}
