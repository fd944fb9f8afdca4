import { realpathSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { getHome, getStatePaths, type Env } from "../../lib/io/paths.ts";
import { Failure, UsageError } from "../failure.ts";
import { findStateDirProblem } from "../state-dir.ts";
import { NODE_SWITCHES } from "./lean-node.ts";
import { getServicePath, selectNodePath } from "./node-path.ts";
import type { Service } from "./service.ts";

/** What decides where things are, when it is set. */
export const CARRIED = [
  "CATSTACK_LLM_JUDGE_STATE_DIR",
  "XDG_STATE_HOME",
  "XDG_CONFIG_HOME",
  "CLAUDE_CONFIG_DIR",
  "CODEX_HOME",
] as const;

/**
 * The service as it would run for this account, with this node and the bundle at `bundle`. Throws a UsageError for a relative state directory, a Failure where a path holds a control
 * character: no supervisor's file can name it.
 */
export function readService(env: Env, bundle: string): Service {
  const problem = findStateDirProblem(env);
  if (problem !== undefined) throw new UsageError(problem);
  const home = getHome(env);
  const account = getAccount(env);
  const paths = getStatePaths(env);
  const configHome = env["XDG_CONFIG_HOME"] ?? "";
  const set = CARRIED.flatMap((name): [string, string][] => {
    const value = env[name] ?? "";
    // A relative folder of XDG's is ignored everywhere.
    return value === "" || (name.startsWith("XDG_") && !isAbsolute(value)) ? [] : [[name, resolve(value)]];
  });
  const service: Service = {
    program: [selectNodePath(process.execPath, home, isThisNode), ...NODE_SWITCHES, bundle],
    variables: [["PATH", getServicePath(env["PATH"] ?? "", dirname(process.execPath))], ...set],
    home,
    ...account,
    configHome: isAbsolute(configHome) ? configHome : join(home, ".config"),
    stateDir: paths.root,
    jobDirs: [paths.inbox, paths.claimed, paths.reclaim],
    claudeDir: resolve(env["CLAUDE_CONFIG_DIR"] || join(home, ".claude")),
    codexDir: resolve(env["CODEX_HOME"] || join(home, ".codex")),
  };
  for (const text of [...service.program, ...service.variables.flat(), home, account.user]) refuseControls(text);
  return service;
}

function refuseControls(text: string): void {
  const got = JSON.stringify(text);
  if (/\p{Cc}/u.test(text))
    throw new Failure(`expected paths and variables without control characters, got ${got}; rename it or unset it`);
}

/** A container may run as an account that no list of users names. */
function getAccount(env: Env): Pick<Service, "user" | "uid" | "gid"> {
  try {
    const { username, uid, gid } = userInfo();
    return { user: username, uid, gid };
  } catch {
    const [uid, gid] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];
    return { user: env["USER"] || String(uid), uid, gid };
  }
}

function isThisNode(path: string): boolean {
  try {
    return realpathSync(path) === realpathSync(process.execPath);
  } catch {
    return false;
  }
}
