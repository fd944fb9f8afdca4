import { readdirSync } from "node:fs";
import { getStatePaths, type Env, type StatePaths } from "../lib/io/paths.ts";
import { errorCode } from "../lib/io/error-code.ts";
import { describeState } from "./describe-error.ts";
import { Failure } from "./failure.ts";

/** The places under the state directory. Throws a Failure when it is there and is no folder that can be read: that is not an empty queue. */
export function openStateDir(env: Env): StatePaths {
  const paths = getStatePaths(env);
  try {
    readdirSync(paths.root);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return paths;
    const got = errorCode(error) === "ENOTDIR" ? "got a file, or a path that leads through one" : undefined;
    const name = "name another in CATSTACK_LLM_JUDGE_STATE_DIR";
    throw new Failure(`expected a state directory at ${paths.root}, ${got ?? describeState(error)}; ${name}`, {
      cause: error,
    });
  }
  return paths;
}
