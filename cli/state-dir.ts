import { readdirSync } from "node:fs";
import { isAbsolute } from "node:path";
import { getStatePaths, STATE_VARIABLE, type Env, type StatePaths } from "../lib/io/paths.ts";
import { errorCode } from "../lib/io/error-code.ts";
import { findFolderRefusal } from "../lib/io/ownership.ts";
import { describeState } from "./describe-error.ts";
import { Failure, UsageError } from "./failure.ts";

/** A relative one would be another folder wherever one stands. */
export function findStateDirProblem(env: Env): string | undefined {
  const dir = env[STATE_VARIABLE] ?? "";
  return dir === "" || isAbsolute(dir) ? undefined : `expected ${STATE_VARIABLE} to be an absolute path, got ${dir}`;
}

/**
 * The places under the state directory. Throws a UsageError for a relative one, and a Failure when it is there and is no folder that can be read (that is not an
 * empty queue) or another account could change what lies in it.
 */
export function openStateDir(env: Env): StatePaths {
  const problem = findStateDirProblem(env);
  if (problem !== undefined) throw new UsageError(problem);
  const paths = getStatePaths(env);
  const refusal = findFolderRefusal(paths.root, STATE_VARIABLE);
  if (refusal !== undefined) throw new Failure(refusal);
  try {
    readdirSync(paths.root);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return paths;
    const got = errorCode(error) === "ENOTDIR" ? "got a file, or a path that leads through one" : undefined;
    const name = `name another in ${STATE_VARIABLE}`;
    throw new Failure(`expected a state directory at ${paths.root}, ${got ?? describeState(error)}; ${name}`, {
      cause: error,
    });
  }
  return paths;
}
